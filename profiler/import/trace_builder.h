/// Builds a Trace from imported files: what every reader of a format writes into.
///
/// Lanes, tasks and activities are interned, spans appended by column. Ids mean something inside
/// their file only: two files, or two processes, never share a lane or a correlation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/import/activity_table.h"
#include "profiler/import/finding_counts.h"
#include "profiler/import/import_source.h"
#include "profiler/import/imported_steps.h"
#include "profiler/import/lane_book.h"
#include "profiler/import/step_name.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// No activity of a trace lasts longer: 366 days, in ns. What claims to carries a damaged time.
inline constexpr std::int64_t kLongestActivity = 366LL * 24 * 3600 * 1'000'000'000;

/// One activity of an imported file. Times are those of the file, in ns.
struct ImportedSpan {
  ActivityFacts activity;
  std::uint16_t lane = 0;
  std::optional<std::uint16_t> executor_lane;  ///< where it ran; nothing = on `lane`
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::uint32_t correlation = 0;            ///< as the file counts; 0 = none
  std::uint16_t channel = kUnknownChannel;  ///< the hardware's queue
};

/// Whether a file says in which node of a graph a kernel ran: three answers, not two.
enum class GraphNodeIds : std::uint8_t {
  unknown,  ///< the format, or its version, does not tell
  none,     ///< it tells, and no work was in a graph
  carried,
};

constexpr std::string_view name_of(GraphNodeIds ids) {
  switch (ids) {
    case GraphNodeIds::unknown:
      return "unknown";
    case GraphNodeIds::none:
      return "none";
    case GraphNodeIds::carried:
      return "carried";
  }
  return {};
}

/// Owns the trace under construction. One thread. Throws nothing but std::bad_alloc.
///
///   TraceBuilder builder;
///   const ImportSourceId source = builder.open_source("rank0.json", "chrome_json");
///   const auto lane = builder.lane({source, LaneRole::stream, 0, 0, 7});
///   builder.add({.activity = {.name = "gemm"}, .lane = lane, .begin_ns = 10, .end_ns = 20});
///   Result<Trace> trace = builder.finish();
class TraceBuilder {
 public:
  /// A further file; at most kMostImportSources.
  ImportSourceId open_source(std::string file, std::string format,
                             CorrelationScope scope = CorrelationScope::source);
  [[nodiscard]] const std::vector<ImportSource>& sources() const { return sources_; }
  void set_rank(ImportSourceId source, int rank);
  /// Added to every time of the file, those added before included: its base, as Unix time.
  void set_clock_offset(ImportSourceId source, std::int64_t offset_ns);
  /// The first value of a key stays: "gpu", "multiprocessors".
  void set_provenance(const std::string& key, const std::string& value);
  void note_graph_node_ids(GraphNodeIds ids);

  /// The lane of this key, with a name made of it: "GPU 0 stream 7", "host 1234/1240".
  std::uint16_t lane(const LaneKey& key) { return lanes_.lane(key); }
  /// Adds a name to that of a lane, before or after its first use: "host 1234/1240 python3". The
  /// first one stays.
  void name_lane(const LaneKey& key, const std::string& name) { lanes_.name_lane(key, name); }
  /// Replaces the name made of the key, where ids are no numbers: "host Spans/PyTorch Profiler".
  void title_lane(const LaneKey& key, const std::string& title) { lanes_.title_lane(key, title); }

  /// The name of a process, which the lanes of its threads show; further words on it.
  void name_process(ImportSourceId source, std::int64_t process, const std::string& name) {
    lanes_.name_process(source, process, name);
  }
  void label_process(ImportSourceId source, std::int64_t process, const std::string& label) {
    lanes_.label_process(source, process, label);
  }
  /// The lane of `to`; a lane of `from` becomes it, for all that lies there, where there is none.
  std::uint16_t move_lane(const LaneKey& from, const LaneKey& to) {
    return lanes_.move_lane(from, to);
  }
  [[nodiscard]] const LaneKey& key_of(std::uint16_t lane) const { return lanes_.key_of(lane); }

  /// An activity; false if it is untimed. One that ends before it begins is ("negative_duration"),
  /// and one that lasts longer than kLongestActivity ("time_out_of_range"); later one whose
  /// absolute times are negative or beyond the year 2116 too ("time_out_of_range"), as are a few
  /// that lie hours from all others ("outlier_times").
  bool add(const ImportedSpan& span);
  /// An activity whose times the file could not tell: both zero ("untimed_activities").
  void add_untimed(const ImportedSpan& span);
  /// An activity that began and whose end the file does not hold: listed as untimed, with a finding
  /// of its own.
  void add_unended(const ImportedSpan& span, std::string_view finding, std::string_view message);
  /// One training step. Files that tell the same step (ranks) make one of it, first begin to last
  /// end; a file that tells it again is not believed ("repeated_step"), nor are marks of another
  /// sort than the first of StepMark's order that the file uses ("other_step_marks").
  void add_step(ImportSourceId source, const NamedStep& step, std::int64_t begin_ns,
                std::int64_t end_ns);
  // What quintet wrote comes back as it was (profiler/import/own_document.h):
  std::uint16_t restore_lane(const LaneKey& key, const std::string& name,
                             const std::optional<TraceLaneOrigin>& origin) {
    return lanes_.restore_lane(key, name, origin);
  }
  void mark_restored(ImportSourceId source) { sources_[source.value()].restored = true; }
  void restore_finding(const Finding& finding) { findings_.restore(finding); }
  /// An untimed activity that the findings count already.
  void restore_untimed(const ImportedSpan& span);
  /// From now on the steps of the file are those of restore_step(): ranges name none.
  void restore_steps(ImportSourceId source) { sources_[source.value()].steps_restored = true; }
  void restore_step(ImportSourceId source, TraceStep step) {
    restored_steps_.push_back({source, std::move(step)});
  }

  /// Counts something odd, by name.
  void count(Severity severity, std::string_view name, std::string_view message,
             std::int64_t count = 1) {
    findings_.count(severity, name, message, count);
  }

  [[nodiscard]] std::size_t spans() const { return spans_.size(); }
  [[nodiscard]] std::size_t untimed() const { return untimed_.size(); }
  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_.all(); }

  /// The trace: times absolute where the files tell it, lanes and spans in order, correlations
  /// unique in the trace, every span with its step. The builder is empty afterwards. Errors: files
  /// that cannot be of one run (profiler/import/file_clocks.h).
  Result<Trace> finish();

 private:
  friend class TraceFinisher;

  std::vector<ImportSource> sources_;
  Provenance provenance_;
  GraphNodeIds graph_node_ids_ = GraphNodeIds::unknown;
  LaneBook lanes_;
  ActivityTable activities_;
  SpanColumns spans_;  ///< lanes are those of the book; some columns are filled in at the end
  std::vector<TraceUntimed> untimed_;
  std::vector<ToldStep> steps_;
  std::vector<RestoredStep> restored_steps_;
  FindingCounts findings_;
};

}  // namespace quintet
