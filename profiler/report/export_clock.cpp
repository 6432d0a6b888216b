#include "profiler/report/export_clock.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace quintet {

std::int64_t first_begin_ns(const Trace& trace) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  std::int64_t first = kNone;
  for (const std::int64_t begin : trace.spans.begin_ns)
    first = std::min(first, begin);
  for (const TraceStep& step : trace.steps)
    first = std::min(first, step.begin_ns);
  for (const TraceHostWait& wait : trace.host_waits)
    first = std::min(first, wait.begin_ns);
  for (const TraceLaunch& launch : trace.launches)
    first = std::min(first, launch.begin_ns);
  return first == kNone ? 0 : first;
}

std::optional<std::int64_t> realtime_offset_ns(const Trace& trace) {
  const auto said = trace.provenance.find("clock_realtime_offset_ns");
  if (said == trace.provenance.end()) return std::nullopt;
  const std::string& text = said->second;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace quintet
