#include "profiler/analysis/range_attribution.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "profiler/analysis/device_work.h"
#include "profiler/analysis/interval_set.h"
#include "profiler/analysis/launch_calls.h"

namespace quintet {

namespace {

Interval time_of(const Trace& trace, std::uint32_t span) {
  return {trace.spans.begin_ns[span], trace.spans.end_ns[span]};
}

/// The spans of tasks of one kind, by begin.
std::vector<std::uint32_t> spans_of(const Trace& trace, std::string_view op_kind) {
  std::vector<std::uint32_t> spans;
  for (std::uint32_t span = 0; span < trace.spans.size(); ++span) {
    const std::uint32_t task = trace.spans.task[span];
    if (task < trace.tasks.size() && trace.tasks[task].op_kind == op_kind) spans.push_back(span);
  }
  std::stable_sort(spans.begin(), spans.end(), [&trace](std::uint32_t a, std::uint32_t b) {
    return trace.spans.begin_ns[a] < trace.spans.begin_ns[b];
  });
  return spans;
}

/// Ranges that may overlap, asked for times that only grow.
class RangeSweep {
 public:
  RangeSweep(const Trace& trace, std::vector<std::uint32_t> by_begin, std::int64_t tolerance_ns)
      : trace_(trace), by_begin_(std::move(by_begin)), tolerance_ns_(tolerance_ns) {}

  /// Those that hold the time, the one that began last at the end.
  const std::vector<std::uint32_t>& holding(const Interval& time) {
    while (next_ < by_begin_.size() &&
           trace_.spans.begin_ns[by_begin_[next_]] - tolerance_ns_ <= time.begin)
      open_.push_back(by_begin_[next_++]);
    std::erase_if(open_, [&](std::uint32_t span) {
      return trace_.spans.end_ns[span] + tolerance_ns_ < time.begin;
    });
    holding_.clear();
    for (const std::uint32_t span : open_) {
      if (holds(time_of(trace_, span), time)) holding_.push_back(span);
    }
    return holding_;
  }

 private:
  /// A call that reaches out of a range is inside where its middle is.
  [[nodiscard]] bool holds(const Interval& range, const Interval& call) const {
    const std::int64_t middle = call.begin + call.length() / 2;
    return range.begin <= middle && middle <= range.end &&
           range.begin - tolerance_ns_ <= call.begin && call.end <= range.end + tolerance_ns_;
  }

  const Trace& trace_;
  std::vector<std::uint32_t> by_begin_;
  std::int64_t tolerance_ns_;
  std::size_t next_ = 0;
  std::vector<std::uint32_t> open_;
  std::vector<std::uint32_t> holding_;
};

/// Of nested ranges the innermost: of those that hold the call the one that began last, the shorter
/// of two that began at once.
std::uint32_t innermost(const Trace& trace, const std::vector<std::uint32_t>& holding) {
  return *std::max_element(holding.begin(), holding.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Interval first = time_of(trace, a);
    const Interval second = time_of(trace, b);
    return first.begin != second.begin ? first.begin < second.begin : first.end > second.end;
  });
}

/// The range of each call that launched something, by its correlation.
std::unordered_map<std::uint32_t, std::uint32_t> ranges_of_calls(const Trace& trace,
                                                                 const RangeOptions& options) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> by_thread;
  for (const std::uint32_t span : spans_of(trace, "HOST_RANGE"))
    by_thread[trace.spans.lane[span]].push_back(span);
  std::map<std::uint32_t, RangeSweep> nested;
  for (auto& [thread, spans] : by_thread)
    nested.try_emplace(thread, trace, std::move(spans), options.tolerance_ns);
  RangeSweep started(trace, spans_of(trace, "HOST_STARTED_RANGE"), options.tolerance_ns);
  std::unordered_map<std::uint32_t, std::uint32_t> ranges;
  for (const LaunchCall& call : launch_calls(trace)) {
    if (call.correlation == 0) continue;
    const std::vector<std::uint32_t>& apart = started.holding(call.time);
    std::uint32_t range = apart.empty() ? kNoRange : apart.front();
    if (apart.size() > 1) range = kAmbiguousRange;
    if (const auto thread = nested.find(call.host); thread != nested.end()) {
      const std::vector<std::uint32_t>& holding = thread->second.holding(call.time);
      if (!holding.empty()) range = innermost(trace, holding);
    }
    ranges.try_emplace(call.correlation, range);
  }
  return ranges;
}

}  // namespace

std::vector<std::uint32_t> attribute_ranges(const Trace& trace, const RangeOptions& options) {
  std::vector<std::uint32_t> attributed(trace.spans.size(), kNoRange);
  const auto ranges = ranges_of_calls(trace, options);
  for (std::uint32_t span = 0; span < trace.spans.size(); ++span) {
    if (!is_device_activity(trace, trace.spans.activity[span])) continue;
    const auto range = ranges.find(trace.spans.correlation[span]);
    if (range != ranges.end()) attributed[span] = range->second;
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
