/// The last pass of an import: from what the files said, each by its own clock and ids, to one
/// trace.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/import/imported_steps.h"
#include "profiler/import/index_table.h"
#include "profiler/import/launch_table.h"
#include "profiler/import/trace_builder.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// Owns what a TraceBuilder has gathered. Used once.
class TraceFinisher {
 public:
  explicit TraceFinisher(TraceBuilder built);
  Trace finish();

 private:
  void find_scopes();
  void apply_clocks();
  void merge_steps();
  void gather_calls();
  void join_spans();
  void rejoin(const std::vector<std::size_t>& doubted);
  /// Notes which call launched the span, or null, and so its step.
  void give(std::size_t span, LaunchTable::Call* call);
  [[nodiscard]] std::optional<std::uint64_t> graph_node_of(std::size_t span) const;
  void join_untimed();
  void number_correlations();
  void place_tasks();
  void judge_launches();
  void judge_sources();
  void describe();
  void tell_clocks();

  [[nodiscard]] std::optional<std::int64_t> absolute(std::uint16_t lane,
                                                     std::int64_t time_ns) const;
  /// Drops an ambiguous correlation; the launching call of device work, or null.
  LaunchTable::Call* join(std::uint16_t lane, std::uint32_t activity, std::uint32_t& correlation);
  std::uint32_t numbered(std::uint16_t lane, std::uint32_t correlation);
  void make_untimed(std::size_t span);
  void count(Severity severity, std::string_view name, std::string_view message,
             std::int64_t count = 1) {
    built_.count(severity, name, message, count);
  }

  TraceBuilder built_;
  Trace trace_;
  SpanColumns& spans_;
  LaneBook::Ordered lanes_;
  std::vector<std::uint32_t> lane_scope_;  ///< per lane of the book
  ImportedSteps steps_;
  LaunchTable calls_;
  // How correlations become unique: ids of a scope are moved, or where 32 bits do not hold that,
  // counted anew.
  std::vector<std::uint64_t> scope_highest_;
  std::vector<std::uint64_t> scope_offset_;
  bool counted_anew_ = false;
  LaunchTable new_ids_;
  std::int64_t device_spans_ = 0;
  std::int64_t early_ = 0;  ///< device spans that begin before their launch
  std::int64_t worst_early_ns_ = 0;
};

}  // namespace quintet
