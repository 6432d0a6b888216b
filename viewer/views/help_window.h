/// All keys on one page, from the one list of commands.
#pragma once

#include "viewer/model/pane_layout.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

void draw_help_window(const PaneBox& screen, ViewContext& context);

}  // namespace quintet::viewer
