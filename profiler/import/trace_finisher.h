/// The last pass of an import: from what the files said, each by its own clock and ids, to one
/// trace.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "profiler/import/graph_node_counts.h"
#include "profiler/import/imported_steps.h"
#include "profiler/import/launch_table.h"
#include "profiler/import/trace_builder.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// Owns what a TraceBuilder has gathered. Used once.
class TraceFinisher {
 public:
  explicit TraceFinisher(TraceBuilder built);
  Result<Trace> finish();

 private:
  Result<void> settle_clocks();
  void find_scopes();
  void merge_steps();
  void gather_calls();
  void join_spans();
  void rejoin(const std::vector<std::size_t>& doubted);
  /// Notes which call launched the span, or null, and so its step.
  void give(std::size_t span, std::uint32_t call);
  [[nodiscard]] std::optional<std::uint64_t> graph_node_of(std::size_t span) const;
  void join_untimed();
  void judge_joins();
  void number_lanes();
  void place_tasks();
  void judge_order();
  void judge_sources();
  void describe();
  void tell_clocks();

  /// The position of the launching call of device work, or LaunchTable::kNone.
  std::uint32_t join(std::uint16_t lane, std::uint32_t activity, std::uint32_t correlation,
                     std::int64_t begin_ns);
  /// What the correlation of work becomes that `call`, or none, launched.
  std::uint32_t id_of(std::uint16_t lane, std::uint32_t correlation, std::uint32_t call);
  void number_calls();
  void count(Severity severity, std::string_view name, std::string_view message,
             std::int64_t count = 1) {
    built_.count(severity, name, message, count);
  }

  TraceBuilder built_;
  Trace trace_;
  SpanColumns& spans_;
  LaneBook::Ordered lanes_;
  std::vector<std::uint32_t> lane_scope_;    ///< per lane of the book
  std::vector<std::uint32_t> lane_process_;  ///< likewise
  ImportedSteps steps_;
  LaunchTable calls_;
  // How correlations become unique: ids of a scope are moved, further uses of one lie behind them;
  // where 32 bits do not hold that, all are counted anew.
  std::vector<std::uint64_t> scope_highest_;
  std::vector<std::uint64_t> scope_offset_;
  bool counted_anew_ = false;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
      anew_;  ///< of work without a call
  GraphNodeCounts graph_nodes_;
  std::int64_t unknown_ranks_ = 0;
  std::int64_t device_spans_ = 0;
  bool restored_ = false;        ///< all of it is of our own documents
  bool whole_range_ = false;     ///< no step is named
  std::int64_t timed_work_ = 0;  ///< of devices
  std::int64_t work_in_steps_ = 0;
  std::int64_t early_ = 0;  ///< device spans that begin before their launch
  std::int64_t worst_early_ns_ = 0;
};

}  // namespace quintet
