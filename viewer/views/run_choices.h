/// Choosing what runs: scenario, executor and policy, in the top bar and in the Run tab.
#pragma once

#include <string>

#include "viewer/views/view.h"

namespace quintet::viewer {

/// A list with a search field; `filter` is what is typed there. `width`: pixels.
void choose_scenario(std::string& filter, float width, ViewContext& context);
void choose_executor(float width, ViewContext& context);
void choose_policy(float width, ViewContext& context);
/// Run, or Stop while a run goes on.
void run_button(ViewContext& context);

}  // namespace quintet::viewer
