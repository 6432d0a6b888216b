/// What a report says about a trace, as data: every writer (text, JSON, CSV, HTML) reads this and
/// nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/analysis/device_summary.h"
#include "profiler/analysis/distribution.h"
#include "profiler/analysis/range_attribution.h"
#include "profiler/analysis/wait_attribution.h"
#include "profiler/metrics/metric_catalog.h"
#include "profiler/report/device_tables.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// What colour a task has: what kind of work it is, told from its op kind, part and sub-graph.
enum class OpFamily : std::uint8_t {
  forward,      ///< convolutions and fully connected layers, Y
  weight_grad,  ///< dW
  input_grad,   ///< dX
  bias_grad,    ///< dB
  activation,
  pooling,  ///< and normalisation
  update,
  transfer,
  comm,
  other,  ///< loss and what no other family takes
  host,
};

inline constexpr std::size_t kOpFamilyCount = 11;

std::string_view name_of(OpFamily family);
OpFamily family_of(const TraceTask& task, SpanClass span_class);

/// One task over the timed steps (at most kTaskSampleSteps of them, evenly spread).
struct ReportTask {
  std::uint32_t index = 0;  ///< into Trace::tasks
  std::string name;
  std::string label;  ///< "conv2 dW": for where the name does not fit
  std::string layer;
  std::string op_kind;
  std::string part;
  std::string graph;
  std::string lane;
  std::string placement_reason;
  OpFamily family = OpFamily::other;
  std::size_t runs = 0;  ///< within the sampled steps; 0 = only drawn, in a step that is not timed
  Distribution time_ns;  ///< busy time per step in which it ran
  double share = 0;      ///< of the step time: sum of busy time / sum of T
  double critical = 0;   ///< share of its runs that were on the critical path
  double slack_ns = 0;   ///< median
  bool slack_known = false;  ///< it ran on a stream in a step whose critical path was computed
  bool work_known = true;    ///< flops and bytes: not of what an import calls a task
  double flops = 0;
  double bytes = 0;
};

/// Tasks taken together: of one layer, or of one op kind.
struct ReportRollup {
  std::string name;
  std::size_t tasks = 0;
  double time_ns = 0;  ///< median over steps of the summed busy time
  double share = 0;    ///< of all stream work
};

struct TimelineBox {
  std::uint32_t task = 0;                ///< into Trace::tasks
  std::uint32_t lane = 0;                ///< into Report::lanes
  Interval time;                         ///< relative to the window's begin; may reach out of it
  std::int32_t step = 0;                 ///< the step it serves
  std::int64_t cpu_ns = 0;               ///< -1 = unknown
  std::optional<std::int64_t> slack_ns;  ///< nothing for host tasks and what began earlier
};

/// One step drawn: times relative to its window's begin.
struct StepTimeline {
  std::string label;  ///< "median", "slowest"
  std::int64_t step = 0;
  std::int64_t length_ns = 0;
  std::string unknown;  ///< why what ran is not known, at least in part: no waits; empty = known
  std::vector<TimelineBox> boxes;
  std::vector<Wait> waits;
  /// Beyond kTimelineBoxes: ranges and calls of host threads first, then the shortest ones.
  std::size_t boxes_left_out = 0;
  std::size_t waits_left_out = 0;  ///< beyond kTimelineWaits
};

struct ReportEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::string rule;
};

/// A clock whose times were mapped to the trace's own.
struct ReportClock {
  std::string name;
  std::size_t lanes = 0;      ///< whose times are its
  std::size_t readings = 0;   ///< of both clocks at one moment; 0 = times are as told
  std::int64_t over_ns = 0;   ///< from the first reading to the last
  std::int64_t drift_ns = 0;  ///< what it gained on the trace's clock meanwhile
  std::int64_t most_drift_ns = 0;
};

/// The device work launched inside ranges of one name.
struct ReportRange {
  std::string name;
  std::int64_t ranges = 0;   ///< that launched work
  std::int64_t work = 0;     ///< kernels, copies and fills
  std::int64_t busy_ns = 0;  ///< union of their times, in the whole recording
};

struct LaneWaits {
  std::uint32_t lane = 0;
  double busy_ns = 0;  ///< means over the sampled steps, so that they add up to the mean step
  std::array<double, kWaitCauseCount> wait_ns{};
};

struct Report {
  RecordingState state = RecordingState::complete;
  Provenance provenance;
  LaneTable lanes;
  DeviceWork device;
  std::vector<MetricGroup> metrics;
  std::vector<TraceStep> steps;         ///< in step order
  std::vector<StepTimeline> timelines;  ///< the median step first
  std::vector<ReportTask> tasks;        ///< longest share first
  std::vector<ReportRollup> layers;     ///< longest first
  std::vector<ReportRollup> op_kinds;
  std::vector<ReportEdge> edges;  ///< of the graphs that the timelines show
  /// [n] = share of the steps with n spans active, below kConcurrencyLevels.
  std::vector<double> concurrency;
  double concurrency_above = 0;  ///< share of the steps with more
  std::vector<std::uint32_t> overlap_lanes;
  std::vector<std::vector<std::optional<double>>> overlap;  ///< medians over steps
  std::vector<LaneWaits> waits;
  std::vector<ReportRange> ranges;  ///< the busiest first; none where no range launched work
  std::int64_t work_outside_ranges = 0;
  std::int64_t work_of_ambiguous_ranges = 0;
  std::vector<ReportClock> clocks;  ///< all but the trace's own
  std::vector<Finding> findings;    ///< most severe first
  DeviceTables device_tables;
  std::size_t timed_steps = 0;
  std::size_t observed_steps = 0;  ///< of the timed ones: those whose work was recorded
  std::string unobserved;          ///< why there are none of these; empty where there are
  WindowBasis basis = WindowBasis::steady_steps;
  /// How many times longer recording made a step; nothing where it is unknown.
  std::optional<double> slowdown;

  /// What must stand wherever spans are shown: that recording slowed the steps beyond
  /// kProbeEffectLimit. Empty where it did not, or where nobody measured it.
  [[nodiscard]] std::string probe_notice() const;

  [[nodiscard]] const MetricValue* metric(std::string_view tag) const;
  /// Empty where the recording does not say it.
  [[nodiscard]] std::string said(const std::string& provenance_key) const;
};

inline constexpr std::size_t kTaskSampleSteps = 256;
inline constexpr std::size_t kTimelineBoxes = 2500;
inline constexpr std::size_t kTimelineWaits = 100000;

/// `serial`: a recording of the same scenario under the policy serial, or null.
Report build_report(const Trace& trace, const Trace* serial = nullptr,
                    const RangeOptions& ranges = {});

}  // namespace quintet
