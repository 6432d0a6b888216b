/// What is shown with nothing open: recent recordings, those that come with the program, and
/// scenarios to train; each one click from a picture.
#pragma once

#include "viewer/model/pane_layout.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

void draw_start_screen(const PaneBox& box, ViewContext& context);

}  // namespace quintet::viewer
