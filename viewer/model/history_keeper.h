/// What earlier runs measured, for the History tab.
#pragma once

#include <string>
#include <vector>

#include "profiler/compare/history_store.h"
#include "profiler/compare/history_trend.h"
#include "viewer/model/part.h"

namespace quintet::viewer {

/// What of a history is shown.
struct HistoryShown {
  std::string file;
  std::string tag;                ///< of the trend's metric
  std::vector<std::string> tags;  ///< all there are
  std::vector<HistoryRun> runs;   ///< by start
  Trend trend;
};

/// The default of `quintet history`, in the folder where the viewer was started.
inline constexpr const char* kHistoryFile = "quintet-history.sqlite";
inline constexpr const char* kHistoryTag = "step/time";

/// Reads runs and trend; `tag` empty or not there: kHistoryTag, else the first. Errors: those of
/// HistoryStore. Any thread.
Result<HistoryShown> read_history(const std::string& file, const std::string& tag);

/// Reads when the tab shows first and after each change; takes kHistoryOpen, kHistoryMetric and
/// kHistoryAdd.
class HistoryKeeper : public Part {
 public:
  [[nodiscard]] std::string_view id() const override { return "history"; }
  void prepare(PartContext& context) override;
  bool handle(const Command& command, PartContext& context) override;

  [[nodiscard]] const HistoryShown& shown() const { return shown_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// Why nothing is shown; an empty message = nothing is wrong.
  [[nodiscard]] const Error& error() const { return error_; }

 private:
  void read(PartContext& context);
  void add(PartContext& context);

  std::string file_ = kHistoryFile;
  std::string tag_;
  bool started_ = false;
  HistoryShown shown_;
  Error error_;
};

}  // namespace quintet::viewer
