#include "profiler/analysis/typical_steps.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

#include "profiler/analysis/step_window.h"

namespace quintet {

namespace {

constexpr auto kBefore = static_cast<std::size_t>(kWarmUpSteps);

/// Every span of the step is there, one by one, and the recorder did not hold it up.
bool whole(const Trace& trace, const StepWindow& window) {
  return window.record == WorkRecord::nodes &&
         trace.steps[window.index].recording == StepRecording::all;
}

/// How many windows from `begin` on, at most `most`, are recorded, without a hole, and timed from
/// `begin` + kBefore on.
std::size_t row_at(const Trace& trace, const std::vector<StepWindow>& windows, std::size_t begin,
                   std::size_t most) {
  std::size_t length = 0;
  for (std::size_t at = begin; at < windows.size() && length < most; ++at, ++length) {
    if (!whole(trace, windows[at])) break;
    if (length > 0 && windows[at].step != windows[at - 1].step + 1) break;
    if (length >= kBefore && !windows[at].timed) break;
  }
  return length;
}

double mean_length(const std::vector<StepWindow>& windows, std::size_t begin, std::size_t end) {
  const std::int64_t whole = windows[end - 1].time.end - windows[begin].time.begin;
  return static_cast<double>(whole) / static_cast<double>(end - begin);
}

}  // namespace

Result<StepRange> typical_steps(const Trace& trace, std::size_t count) {
  const std::vector<StepWindow> windows = step_windows(trace);
  const std::optional<std::size_t> median = median_window(windows);
  // An imported trace without steps has a window all the same.
  if (!median || trace.steps.empty()) {
    return fail("holds no timed step: " + untimed_reason(trace), "record a longer run");
  }
  const auto typical = static_cast<double>(windows[*median].time.length());
  std::optional<std::size_t> best;
  double nearest = 0;
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < windows.size(); ++begin) {
    const std::size_t length = row_at(trace, windows, begin, kBefore + count);
    longest = std::max(longest, length);
    if (length < kBefore + count) continue;
    const double mean = mean_length(windows, begin + kBefore, begin + length);
    const double distance = std::abs(mean - typical);
    if (best && distance >= nearest) continue;
    best = begin;
    nearest = distance;
  }
  if (best) return StepRange{windows[*best].step, windows[*best + kBefore + count - 1].step};
  if (longest <= kBefore) {
    return fail(fmt::format("holds no timed step that follows {} recorded ones", kWarmUpSteps),
                "record a longer run, every step of it");
  }
  return fail(fmt::format("holds at most {} timed steps in a row", longest - kBefore),
              "keep so many, or record a longer run");
}

}  // namespace quintet
