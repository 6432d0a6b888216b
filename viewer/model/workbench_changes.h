/// What commands do to the workbench: one small function each, listed in the catalog.
#pragma once

#include "viewer/model/command.h"

namespace quintet::viewer::change {

void open_dialog(Workbench& workbench, const Command& command);
void open_dialog_beside(Workbench& workbench, const Command& command);
void place(Workbench& workbench, const Command& command);
void close(Workbench& workbench, const Command& command);
void swap_sides(Workbench& workbench, const Command& command);
void export_dialog(Workbench& workbench, const Command& command);
void quit(Workbench& workbench, const Command& command);

void select(Workbench& workbench, const Command& command);
void escape(Workbench& workbench, const Command& command);
void next_step(Workbench& workbench, const Command& command);
void previous_step(Workbench& workbench, const Command& command);
void go_to_step(Workbench& workbench, const Command& command);
void focus_search(Workbench& workbench, const Command& command);
void search_for(Workbench& workbench, const Command& command);

void show_range(Workbench& workbench, const Command& command);
void measure(Workbench& workbench, const Command& command);
void critical_path(Workbench& workbench, const Command& command);
void executor_lanes(Workbench& workbench, const Command& command);
void group_lanes(Workbench& workbench, const Command& command);
void flip(Workbench& workbench, const Command& command);
void show(Workbench& workbench, const Command& command);
void show_in_graph(Workbench& workbench, const Command& command);
void tab(Workbench& workbench, const Command& command);
void toggle_pane(Workbench& workbench, const Command& command);
void theme(Workbench& workbench, const Command& command);
void resize_panes(Workbench& workbench, const Command& command);
void pane_keys(Workbench& workbench, const Command& command);
void palette(Workbench& workbench, const Command& command);
void dismiss_alert(Workbench& workbench, const Command& command);
void help(Workbench& workbench, const Command& command);

void choose_scenario(Workbench& workbench, const Command& command);
void choose_executor(Workbench& workbench, const Command& command);
void choose_steps(Workbench& workbench, const Command& command);
void choose_tuning(Workbench& workbench, const Command& command);
void choose_policy(Workbench& workbench, const Command& command);

}  // namespace quintet::viewer::change
