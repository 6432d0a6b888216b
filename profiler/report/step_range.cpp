#include "profiler/report/step_range.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <vector>

namespace quintet {

namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// What the steps that stay take of time.
struct Window {
  std::int64_t begin_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
};

class StepFilter {
 public:
  StepFilter(StepRange range, const std::vector<TraceStep>& steps) : range_(range) {
    for (const TraceStep& step : steps) {
      if (!holds(step.step)) continue;
      window_.begin_ns = std::min(window_.begin_ns, step.begin_ns);
      window_.end_ns = std::max(window_.end_ns, step.end_ns);
    }
  }

  [[nodiscard]] bool holds(std::int64_t step) const {
    return step >= range_.first && step <= range_.last;
  }
  [[nodiscard]] bool keeps(std::int64_t step, std::int64_t begin_ns, std::int64_t end_ns) const {
    return step >= 0 ? holds(step) : begin_ns < window_.end_ns && end_ns > window_.begin_ns;
  }

 private:
  StepRange range_;
  Window window_;
};

template <class Value>
void keep_marked(std::vector<Value>& column, const std::vector<bool>& marks) {
  std::size_t kept = 0;
  for (std::size_t index = 0; index < marks.size(); ++index)
    if (marks[index]) column[kept++] = column[index];
  column.resize(kept);
}

void keep_spans(SpanColumns& spans, const StepFilter& filter) {
  std::vector<bool> marks(spans.size());
  for (std::size_t span = 0; span < spans.size(); ++span)
    marks[span] = filter.keeps(spans.step[span], spans.begin_ns[span], spans.end_ns[span]);
  keep_marked(spans.begin_ns, marks);
  keep_marked(spans.end_ns, marks);
  keep_marked(spans.cpu_ns, marks);
  keep_marked(spans.task, marks);
  keep_marked(spans.step, marks);
  keep_marked(spans.lane, marks);
  keep_marked(spans.executor_lane, marks);
  keep_marked(spans.activity, marks);
  keep_marked(spans.correlation, marks);
  keep_marked(spans.channel, marks);
}

}  // namespace

Result<StepRange> parse_step_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  const auto first = whole_number(text.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : whole_number(text.substr(dots + 2));
  if (!first || !last)
    return fail(fmt::format("'{}' is no range of steps", text), "write it as 3..7, or 3 for one");
  if (*last < *first)
    return fail(fmt::format("the range of steps {} ends before it begins", text),
                fmt::format("write {}..{}", *last, *first));
  return StepRange{*first, *last};
}

Result<void> keep_steps(Trace& trace, StepRange range) {
  const StepFilter filter(range, trace.steps);
  const auto outside = [&filter](const TraceStep& step) { return !filter.holds(step.step); };
  if (std::all_of(trace.steps.begin(), trace.steps.end(), outside)) {
    const std::string what = fmt::format("has no step in {}..{}", range.first, range.last);
    if (trace.steps.empty()) return fail(what, "leave the range out: it has no steps at all");
    const auto [least, most] =
        std::minmax_element(trace.steps.begin(), trace.steps.end(),
                            [](const TraceStep& a, const TraceStep& b) { return a.step < b.step; });
    return fail(what, fmt::format("choose from its steps {}..{}", least->step, most->step));
  }
  keep_spans(trace.spans, filter);
  const auto unkept = [&filter](const auto& row) {
    return !filter.keeps(row.step, row.begin_ns, row.end_ns);
  };
  std::erase_if(trace.host_waits, unkept);
  std::erase_if(trace.launches, unkept);
  std::erase_if(trace.untimed, [&filter](const auto& row) { return !filter.holds(row.step); });
  std::erase_if(trace.steps, outside);
  trace.provenance["exported_steps"] = fmt::format("{}..{}", range.first, range.last);
  return {};
}

}  // namespace quintet
