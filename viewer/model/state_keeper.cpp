#include "viewer/model/state_keeper.h"

namespace quintet::viewer {

void StateKeeper::load(PartContext& context) {
  loaded_ = true;
  if (folder_.empty()) return;
  // A small file that the first frame needs: its sizes and theme should not jump.
  const Result<ViewState> state = load_view_state(folder_);
  if (!state) {
    context.workbench.log.fail(state.error());
    return;
  }
  saved_ = *state;
  recent_ = state->recent;
  restore_layout(*state, context.workbench);
  if (!reopen_) return;
  for (const Side side : {Side::a, Side::b}) {
    const std::string& file = state->open[index_of(side)];
    if (!file.empty()) context.commands.emit(command_id::kOpenFile, OpenFile{file, side});
  }
}

void StateKeeper::prepare(PartContext& context) {
  if (!loaded_) load(context);
}

bool StateKeeper::handle(const Command& command, PartContext& context) {
  if (command.id != command_id::kPlace && command.id != command_id::kClose) return false;
  const auto* placed = command.get<PlaceDocument>();
  if (placed != nullptr && !placed->document.live) remember_file(recent_, placed->document.file);
  if (folder_.empty()) return true;
  const ViewState state = state_of(context.workbench, recent_);
  if (state == saved_) return true;
  saved_ = state;
  WorkbenchLog* log = &context.workbench.log;
  context.background.start<Result<void>>(
      "save state", "Remembering what is open",
      [folder = folder_, state](JobControl&) { return save_view_state(folder, state); },
      [log](const Result<void>& saved) {
        if (!saved) log->fail(saved.error());
      });
  return true;
}

void StateKeeper::finish(PartContext& context) {
  if (folder_.empty() || !loaded_) return;
  const ViewState state = state_of(context.workbench, recent_);
  if (state == saved_) return;
  saved_ = state;
  // Nobody is left to tell: the window is gone.
  static_cast<void>(save_view_state(folder_, state));
}

}  // namespace quintet::viewer
