/// What metrics look at: the trace, its timed steps with their interval sets, and optionally a
/// serial recording of the same scenario. Built once, read by every metric.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "profiler/analysis/device_summary.h"
#include "profiler/analysis/occupancy.h"
#include "profiler/analysis/span_class.h"
#include "profiler/analysis/step_window.h"
#include "profiler/analysis/task_relations.h"
#include "profiler/metrics/metric.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// Metrics that look at every pair of tasks take at most this many steps, evenly spread.
inline constexpr std::size_t kSampledSteps = 32;

/// One timed step. Everything is clipped to its window; host lanes are left out. Busy time of a
/// lane: see MetricContext::lane_busy.
struct MeasuredStep {
  const StepWindow* window = nullptr;
  const TraceStep* step = nullptr;
  std::array<IntervalSet, kSpanClassCount> by_class;  ///< by SpanClass
  IntervalSet all;
  IntervalSet graphs;  ///< whole launches of graphs whose nodes were not recorded
  Occupancy occupancy;
  double cpu_ns = 0;       ///< spans cut by the window count by their part within it
  bool cpu_known = false;  ///< every span says its CPU time

  [[nodiscard]] double length() const { return static_cast<double>(window->time.length()); }
  [[nodiscard]] const IntervalSet& of(SpanClass span_class) const {
    return by_class[static_cast<std::size_t>(span_class)];
  }
};

/// Owns: the measurements; the traces must outlive it. Threads: not shareable (relations remember
/// answers). Throws: nothing of its own. Usage: `MetricContext context(trace, serial_or_null);`
class MetricContext {
 public:
  explicit MetricContext(const Trace& trace, const Trace* serial = nullptr);

  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] const std::vector<StepWindow>& windows() const { return windows_; }
  /// What the timed windows are.
  [[nodiscard]] WindowBasis basis() const { return basis_; }
  [[nodiscard]] const std::vector<MeasuredStep>& steps() const { return steps_; }
  /// Those of `steps()` whose work was recorded: what busy time, overlap, waits and paths are told
  /// from. A step that only looks idle because nobody recorded its kernels is not among them.
  [[nodiscard]] const std::vector<const MeasuredStep*>& observed_steps() const {
    return observed_steps_;
  }
  /// Up to `limit` of `observed_steps()`, evenly spread.
  [[nodiscard]] std::vector<const MeasuredStep*> sampled_steps(
      std::size_t limit = kSampledSteps) const;
  /// Why `steps()` is empty.
  [[nodiscard]] const std::string& no_steps_reason() const { return no_steps_reason_; }
  /// Why `observed_steps()` is empty.
  [[nodiscard]] const std::string& not_observed_reason() const { return not_observed_reason_; }
  /// True where `observed_steps()` is empty because no device was at work, and the recording would
  /// show it: what devices do is absent, not unknown.
  [[nodiscard]] bool work_absent() const { return work_absent_; }
  /// True where no work of devices is told though its steps were recorded: there is none, none of it
  /// lies in the steps, or it is not known when it ran.
  [[nodiscard]] bool work_elsewhere() const { return work_elsewhere_; }
  /// How much of the devices' work the recording holds.
  [[nodiscard]] DeviceWorkRecord work_record() const { return work_record_; }
  /// A metric of what devices do: absent or unknown without observed steps, else over `values`, of
  /// which there are none where it is absent for `absence`.
  [[nodiscard]] MetricValue over_work(MetricDefinition definition, std::vector<double> values,
                                      const std::string& absence) const;
  /// The same, unknown for `reason` without values.
  [[nodiscard]] MetricValue over_work_or_unknown(MetricDefinition definition,
                                                 std::vector<double> values,
                                                 const std::string& reason) const;
  /// Absent or unknown, without observed steps.
  [[nodiscard]] MetricValue without_work(MetricDefinition definition) const;
  /// Up to `limit` steps whose tasks are told, evenly spread: the observed ones; where no work of
  /// devices can be told for want of any in the steps, all timed ones, for what hosts did.
  [[nodiscard]] std::vector<const MeasuredStep*> task_steps(std::size_t limit) const;
  /// When a stream lane was at work in the whole trace: a union.
  [[nodiscard]] const IntervalSet& lane_busy(std::size_t lane) const { return lane_busy_[lane]; }
  /// The serial recording's context; null where none was given.
  [[nodiscard]] MetricContext* serial() const { return serial_.get(); }
  [[nodiscard]] TaskRelations& relations() { return relations_; }
  [[nodiscard]] const std::vector<SpanClass>& classes() const { return classes_; }
  /// Stream lanes that ran anything in the whole trace, by position in the lane table.
  [[nodiscard]] const std::vector<std::size_t>& used_lanes() const { return used_lanes_; }
  /// Stream lanes, by position in the lane table.
  [[nodiscard]] const std::vector<std::size_t>& stream_lanes() const { return stream_lanes_; }
  /// Per observed step the part of a set within its window, ns: in time linear in both.
  [[nodiscard]] std::vector<std::int64_t> lengths_within(const IntervalSet& set) const;
  /// At most `most` stream lanes, those that are busiest in the observed steps, in their order.
  [[nodiscard]] std::vector<std::size_t> busiest_lanes(std::size_t most) const;
  [[nodiscard]] std::string provenance(const std::string& key) const;

 private:
  void measure_steps();
  [[nodiscard]] MeasuredStep measure(const StepWindow& window) const;
  void judge_work();
  /// Why the timed steps hold no work though there is some; empty where they do.
  template <class Works>
  [[nodiscard]] std::string work_outside_steps(Works works) const;

  const Trace& trace_;
  std::vector<SpanClass> classes_;
  std::vector<StepWindow> windows_;
  WindowBasis basis_ = WindowBasis::steady_steps;
  std::vector<MeasuredStep> steps_;
  std::vector<const MeasuredStep*> observed_steps_;
  std::string no_steps_reason_;
  std::string not_observed_reason_;
  DeviceWorkRecord work_record_ = DeviceWorkRecord::absent;
  bool work_absent_ = false;
  bool work_elsewhere_ = false;
  TaskRelations relations_;
  std::vector<std::size_t> used_lanes_;
  std::vector<std::size_t> stream_lanes_;
  std::vector<IntervalSet> lane_busy_;  ///< per lane
  std::unique_ptr<MetricContext> serial_;
};

}  // namespace quintet
