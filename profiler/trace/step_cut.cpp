#include "profiler/trace/step_cut.h"

#include <algorithm>
#include <vector>

#include "profiler/trace/span_columns.h"

namespace quintet {

namespace {

/// What serves the range or touches the time of its steps.
class Within {
 public:
  Within(const std::vector<TraceStep>& steps, StepRange range, WorkBeside beside)
      : range_(range), beside_(beside) {
    for (const TraceStep& step : steps) {
      if (!range.contains(step.step)) continue;
      begin_ns_ = empty_ ? step.begin_ns : std::min(begin_ns_, step.begin_ns);
      end_ns_ = empty_ ? step.end_ns : std::max(end_ns_, step.end_ns);
      empty_ = false;
    }
  }
  [[nodiscard]] bool holds(std::int64_t step, std::int64_t begin_ns, std::int64_t end_ns) const {
    if (range_.contains(step)) return true;
    return (step < 0 || beside_ == WorkBeside::keep) && touches(begin_ns, end_ns);
  }
  [[nodiscard]] bool touches(std::int64_t begin_ns, std::int64_t end_ns) const {
    return !empty_ && begin_ns < end_ns_ && (end_ns > begin_ns_ || begin_ns >= begin_ns_);
  }

 private:
  StepRange range_;
  WorkBeside beside_;
  bool empty_ = true;
  std::int64_t begin_ns_ = 0;
  std::int64_t end_ns_ = 0;
};

/// The clock readings in the time of the steps, and the ones next to it: times in between rest on
/// them.
std::vector<TraceClockPair> pairs_within(const std::vector<TraceClockPair>& all,
                                         const Within& within) {
  std::vector<TraceClockPair> kept;
  for (std::size_t pair = 0; pair < all.size(); ++pair) {
    const std::int64_t from = pair == 0 ? all[pair].trace_ns : all[pair - 1].trace_ns;
    const std::int64_t to = pair + 1 == all.size() ? all[pair].trace_ns : all[pair + 1].trace_ns;
    if (within.touches(from, to)) kept.push_back(all[pair]);
  }
  return kept;
}

}  // namespace

void cut_steps(Trace& trace, StepRange range, WorkBeside beside) {
  const Within within(trace.steps, range, beside);
  const SpanColumns& spans = trace.spans;
  keep_spans(trace.spans, 0, [&](std::size_t span) {
    return within.holds(spans.step[span], spans.begin_ns[span], spans.end_ns[span]);
  });
  const auto goes = [&within](const auto& row) {
    return !within.holds(row.step, row.begin_ns, row.end_ns);
  };
  std::erase_if(trace.host_waits, goes);
  std::erase_if(trace.launches, goes);
  std::erase_if(trace.untimed, [range](const TraceUntimed& row) {
    return !range.contains(row.step);  // it has no time
  });
  std::erase_if(trace.steps, [range](const TraceStep& row) { return !range.contains(row.step); });
  trace.clock_pairs = pairs_within(trace.clock_pairs, within);
}

}  // namespace quintet
