#include "profiler/report/step_range.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace quintet {

namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
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
  const auto outside = [range](const TraceStep& step) { return !range.contains(step.step); };
  if (std::all_of(trace.steps.begin(), trace.steps.end(), outside)) {
    const std::string what = fmt::format("has no step in {}..{}", range.first, range.last);
    if (trace.steps.empty()) return fail(what, "leave the range out: it has no steps at all");
    const auto [least, most] =
        std::minmax_element(trace.steps.begin(), trace.steps.end(),
                            [](const TraceStep& a, const TraceStep& b) { return a.step < b.step; });
    return fail(what, fmt::format("choose from its steps {}..{}", least->step, most->step));
  }
  cut_steps(trace, range, WorkBeside::leave_out);
  trace.provenance["exported_steps"] = fmt::format("{}..{}", range.first, range.last);
  return {};
}

}  // namespace quintet
