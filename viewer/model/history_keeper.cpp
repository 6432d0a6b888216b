#include "viewer/model/history_keeper.h"

#include <algorithm>
#include <fmt/format.h>

namespace quintet::viewer {

namespace {

/// The tag to show of those that there are.
std::string chosen_tag(const std::vector<std::string>& tags, const std::string& wanted) {
  for (const std::string& tag : {wanted, std::string(kHistoryTag)}) {
    if (std::find(tags.begin(), tags.end(), tag) != tags.end()) return tag;
  }
  return tags.empty() ? std::string() : tags.front();
}

Result<std::size_t> add_to_history(const Document& document, const std::string& file) {
  Result<HistoryStore> store = HistoryStore::open(file, HistoryStore::Access::write);
  if (!store) return tl::unexpected(store.error());
  return store->add({history_entry(*document.trace, document.file, {})});
}

}  // namespace

Result<HistoryShown> read_history(const std::string& file, const std::string& tag) {
  Result<HistoryStore> store = HistoryStore::open(file, HistoryStore::Access::read);
  if (!store) return tl::unexpected(store.error());
  HistoryShown shown;
  shown.file = file;
  Result<std::vector<std::string>> tags = store->tags();
  if (!tags) return tl::unexpected(tags.error());
  shown.tags = std::move(*tags);
  shown.tag = chosen_tag(shown.tags, tag);
  Result<std::vector<HistoryRun>> runs = store->runs({});
  if (!runs) return tl::unexpected(runs.error());
  shown.runs = std::move(*runs);
  const Result<std::vector<HistoryValue>> values = store->values({}, shown.tag);
  if (!values) return tl::unexpected(values.error());
  shown.trend = build_trend(*values, {}, shown.tag);
  return shown;
}

void HistoryKeeper::prepare(PartContext& context) {
  if (started_ || context.workbench.bottom_tab != "history") return;
  read(context);
}

bool HistoryKeeper::handle(const Command& command, PartContext& context) {
  if (command.id == command_id::kHistoryAdd) {
    add(context);
    return true;
  }
  const auto* text = command.get<std::string>();
  if (command.id == command_id::kHistoryOpen && text != nullptr) {
    file_ = *text;
    read(context);
    return true;
  }
  if (command.id == command_id::kHistoryMetric && text != nullptr) {
    tag_ = *text;
    read(context);
    return true;
  }
  return false;
}

void HistoryKeeper::read(PartContext& context) {
  started_ = true;
  context.background.start<Result<HistoryShown>>(
      "history", "Reading the history",
      [file = file_, tag = tag_](JobControl&) { return read_history(file, tag); },
      [this](Result<HistoryShown> shown) {
        error_ = shown ? Error{} : shown.error();
        shown_ = shown ? std::move(*shown) : HistoryShown{};
      },
      [this](const std::string& said) {
        error_ = {said, {}, file_, 0};
      });
}

void HistoryKeeper::add(PartContext& context) {
  const Document* document = context.workbench.main_document();
  if (document == nullptr || document->live) return;
  WorkbenchLog* log = &context.workbench.log;
  CommandQueue* commands = &context.commands;
  context.background.start<Result<std::size_t>>(
      "add to history", "Adding to the history",
      [document = *document, file = file_](JobControl&) { return add_to_history(document, file); },
      [log, commands, file = file_](const Result<std::size_t>& replaced) {
        if (!replaced) {
          log->fail(replaced.error());
          return;
        }
        log->note(
            fmt::format("{} in {}", *replaced > 0 ? "Replaced the run" : "Added the run", file));
        commands->emit(command_id::kHistoryOpen, file);
      },
      [log](const std::string& said) { log->warn("The history was not written: " + said); });
}

}  // namespace quintet::viewer
