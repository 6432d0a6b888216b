#include "profiler/analysis/range_attribution.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>

#include "profiler/analysis/device_work.h"
#include "profiler/analysis/interval_set.h"
#include "profiler/analysis/launch_calls.h"
#include "profiler/analysis/threshold_index.h"

namespace quintet {

namespace {

Interval time_of(const Trace& trace, std::uint32_t span) {
  return {trace.spans.begin_ns[span], trace.spans.end_ns[span]};
}

/// The spans of tasks of one kind.
std::vector<std::uint32_t> spans_of(const Trace& trace, std::string_view op_kind) {
  std::vector<bool> wanted(trace.tasks.size());
  for (std::size_t task = 0; task < wanted.size(); ++task)
    wanted[task] = trace.tasks[task].op_kind == op_kind;
  std::vector<std::uint32_t> spans;
  for (std::uint32_t span = 0; span < trace.spans.size(); ++span) {
    const std::uint32_t task = trace.spans.task[span];
    if (task < wanted.size() && wanted[task]) spans.push_back(span);
  }
  return spans;
}

/// Ranges that may overlap anyhow, asked which of them hold a call. An answer takes time
/// O(log ranges), however many are open.
class HeldCalls {
 public:
  HeldCalls(const Trace& trace, std::vector<std::uint32_t> ranges, std::int64_t tolerance_ns)
      : trace_(trace),
        ranges_(in_order(trace, std::move(ranges))),
        ends_(ends_of(trace, ranges_)),
        tolerance_ns_(tolerance_ns) {}

  /// Of nested ranges that hold the call the innermost: the one that began last, the shorter of two
  /// that began at once.
  [[nodiscard]] std::uint32_t innermost(const Interval& call) const {
    const auto found = ends_.last(begun(call), earliest_end(call));
    return found ? ranges_[*found] : kNoRange;
  }

  /// The range that holds the call; kAmbiguousRange where several do.
  [[nodiscard]] std::uint32_t only(const Interval& call) const {
    const std::size_t end = begun(call);
    const auto found = ends_.first(0, end, earliest_end(call));
    if (!found) return kNoRange;
    return ends_.first(*found + 1, end, earliest_end(call)) ? kAmbiguousRange : ranges_[*found];
  }

 private:
  static std::vector<std::uint32_t> in_order(const Trace& trace,
                                             std::vector<std::uint32_t> ranges) {
    const SpanColumns& spans = trace.spans;
    std::sort(ranges.begin(), ranges.end(), [&spans](std::uint32_t a, std::uint32_t b) {
      if (spans.begin_ns[a] != spans.begin_ns[b]) return spans.begin_ns[a] < spans.begin_ns[b];
      return spans.end_ns[a] != spans.end_ns[b] ? spans.end_ns[a] > spans.end_ns[b] : a > b;
    });
    return ranges;
  }

  static ThresholdIndex ends_of(const Trace& trace, const std::vector<std::uint32_t>& ranges) {
    std::vector<std::int64_t> ends;
    ends.reserve(ranges.size());
    for (const std::uint32_t range : ranges)
      ends.push_back(trace.spans.end_ns[range]);
    return ThresholdIndex(ends);
  }

  // A call that reaches out of a range is inside where its middle is.
  static std::int64_t middle_of(const Interval& call) { return call.begin + call.length() / 2; }

  /// How many ranges begin early enough to hold the call.
  [[nodiscard]] std::size_t begun(const Interval& call) const {
    const std::int64_t latest = std::min(middle_of(call), later(call.begin, tolerance_ns_));
    return static_cast<std::size_t>(std::partition_point(ranges_.begin(), ranges_.end(),
                                                         [&](std::uint32_t range) {
                                                           return trace_.spans.begin_ns[range] <=
                                                                  latest;
                                                         }) -
                                    ranges_.begin());
  }

  [[nodiscard]] std::int64_t earliest_end(const Interval& call) const {
    return std::max(middle_of(call), later(call.end, -tolerance_ns_));
  }

  static std::int64_t later(std::int64_t time, std::int64_t by) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(time, by, &sum)) return sum;
    return by > 0 ? std::numeric_limits<std::int64_t>::max()
                  : std::numeric_limits<std::int64_t>::min();
  }

  const Trace& trace_;
  std::vector<std::uint32_t> ranges_;  ///< by begin; of those that begin at once the longest first
  ThresholdIndex ends_;
  std::int64_t tolerance_ns_;
};

/// The range of each call that launched something.
std::vector<std::uint32_t> ranges_of_calls(const Trace& trace, const std::vector<LaunchCall>& calls,
                                           const RangeOptions& options) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_thread;
  for (const std::uint32_t span : spans_of(trace, "HOST_RANGE"))
    by_thread[trace.spans.lane[span]].push_back(span);
  std::map<std::uint32_t, HeldCalls> nested;
  for (auto& [thread, spans] : by_thread)
    nested.try_emplace(thread, trace, std::move(spans), options.tolerance_ns);
  const HeldCalls started(trace, spans_of(trace, "HOST_STARTED_RANGE"), options.tolerance_ns);
  std::vector<std::uint32_t> ranges;
  ranges.reserve(calls.size());
  for (const LaunchCall& call : calls) {
    std::uint32_t range = kNoRange;
    if (const auto thread = nested.find(call.host); thread != nested.end()) {
      range = thread->second.innermost(call.time);
    }
    if (range == kNoRange) range = started.only(call.time);
    ranges.push_back(range);
  }
  return ranges;
}

}  // namespace

std::vector<std::uint32_t> attribute_ranges(const Trace& trace, const RangeOptions& options) {
  std::vector<std::uint32_t> attributed(trace.spans.size(), kNoRange);
  const std::vector<LaunchCall> calls = launch_calls(trace);
  const CallIndex by_correlation(calls);
  const std::vector<std::uint32_t> ranges = ranges_of_calls(trace, calls, options);
  for (std::uint32_t span = 0; span < trace.spans.size(); ++span) {
    if (!is_device_activity(trace, trace.spans.activity[span])) continue;
    const auto call =
        by_correlation.find(trace.spans.correlation[span], trace.spans.begin_ns[span]);
    if (call) attributed[span] = ranges[*call];
  }
  return attributed;
}

RangeSummary summarise_ranges(const Trace& trace, const RangeOptions& options) {
  struct Gathered {
    std::set<std::uint32_t> ranges;
    std::vector<Interval> times;
  };
  RangeSummary summary;
  std::map<std::uint32_t, Gathered> by_name;
  const std::vector<std::uint32_t> attributed = attribute_ranges(trace, options);
  for (std::uint32_t span = 0; span < trace.spans.size(); ++span) {
    if (!is_device_activity(trace, trace.spans.activity[span])) continue;
    const std::uint32_t range = attributed[span];
    if (range == kNoRange) {
      ++summary.outside;
    } else if (range == kAmbiguousRange) {
      ++summary.ambiguous;
    } else {
      Gathered& gathered = by_name[trace.spans.task[range]];
      gathered.ranges.insert(range);
      gathered.times.push_back(time_of(trace, span));
    }
  }
  for (auto& [task, gathered] : by_name) {
    const auto work = static_cast<std::int64_t>(gathered.times.size());
    summary.ranges.push_back({task, static_cast<std::int64_t>(gathered.ranges.size()), work,
                              IntervalSet(std::move(gathered.times)).length()});
  }
  std::stable_sort(summary.ranges.begin(), summary.ranges.end(),
                   [](const RangeWork& a, const RangeWork& b) { return a.busy_ns > b.busy_ns; });
  return summary;
}

}  // namespace quintet
