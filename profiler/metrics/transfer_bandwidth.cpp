#include "profiler/metrics/transfer_bandwidth.h"

#include <array>
#include <optional>
#include <string_view>

#include "profiler/analysis/device_work.h"

namespace quintet {

namespace {

struct Direction {
  const char* tag;
  const char* name;
  const char* from_to;
  std::array<std::string_view, 2> op_kinds;
  std::string_view word;  ///< in the names that CUPTI's readers give to copies
};

constexpr auto kDirections = std::to_array<Direction>({{"transfer/host_to_device",
                                                        "Copies to the device",
                                                        "from the host to the device",
                                                        {"H2D_COPY", "MEMCPY_HTOD"},
                                                        "HtoD"},
                                                       {"transfer/device_to_host",
                                                        "Copies to the host",
                                                        "from the device to the host",
                                                        {"D2H_COPY", "MEMCPY_DTOH"},
                                                        "DtoH"},
                                                       {"transfer/within_device",
                                                        "Copies within the device",
                                                        "from device memory to device memory",
                                                        {"D2D_COPY", "MEMCPY_DTOD"},
                                                        "DtoD"}});

/// Told by the task; a copy inside another kind of task by the copy's own name.
std::optional<std::size_t> direction_of(const TraceTask& task, const TraceActivity& copy) {
  for (std::size_t index = 0; index < kDirections.size(); ++index) {
    for (const std::string_view kind : kDirections[index].op_kinds) {
      if (task.op_kind == kind) return index;
    }
  }
  for (std::size_t index = 0; index < kDirections.size(); ++index) {
    if (copy.name.find(kDirections[index].word) != std::string::npos) return index;
  }
  return std::nullopt;
}

struct Moved {
  double bytes = 0;
  std::vector<Interval> times;
  bool sized = true;
};

using AllMoved = std::array<Moved, kDirections.size()>;

/// The direction of a span that is a copy on a stream.
std::optional<std::size_t> direction_of(const Trace& trace, std::uint32_t span) {
  const std::uint32_t activity = trace.spans.activity[span];
  if (activity_kind(trace, activity) != ActivityKind::memcpy || !on_stream(trace, span))
    return std::nullopt;
  return direction_of(trace.tasks[trace.spans.task[span]], trace.activities[activity]);
}

/// Copies that the window cuts count by their part within it.
AllMoved moved_in(const Trace& trace, const MeasuredStep& step) {
  AllMoved moved;
  for (const std::uint32_t span : step.window->spans) {
    const auto direction = direction_of(trace, span);
    const Interval whole = interval_of(trace.spans, span);
    const Interval part = intersect(whole, step.window->time);
    if (!direction || part.empty()) continue;
    const TraceActivity& copy = trace.activities[trace.spans.activity[span]];
    Moved& sum = moved[*direction];
    sum.sized = sum.sized && copy.bytes.has_value();
    sum.bytes += static_cast<double>(copy.bytes.value_or(0)) * static_cast<double>(part.length()) /
                 static_cast<double>(whole.length());
    sum.times.push_back(part);
  }
  return moved;
}

/// Copies that cover windows from outside to outside, per window.
struct Covering {
  std::vector<std::int64_t> copies;
  std::vector<std::int64_t> unsized;
  std::vector<long double> bytes_per_ns;
};

Covering covering_of(const MetricContext& context, std::size_t direction) {
  const Trace& trace = context.trace();
  const auto bytes_of = [&trace](std::uint32_t span) {
    return trace.activities[trace.spans.activity[span]].bytes;
  };
  Covering covering;
  covering.copies = sum_over_covering<std::int64_t>(context.windows(), [&](std::uint32_t span) {
    return std::int64_t{direction_of(trace, span) == direction ? 1 : 0};
  });
  covering.unsized = sum_over_covering<std::int64_t>(context.windows(), [&](std::uint32_t span) {
    return std::int64_t{direction_of(trace, span) == direction && !bytes_of(span) ? 1 : 0};
  });
  covering.bytes_per_ns =
      sum_over_covering<long double>(context.windows(), [&](std::uint32_t span) {
        if (direction_of(trace, span) != direction) return 0.0L;
        return static_cast<long double>(bytes_of(span).value_or(0)) /
               static_cast<long double>(interval_of(trace.spans, span).length());
      });
  return covering;
}

}  // namespace

std::vector<MetricValue> transfer_bandwidth_metrics(MetricContext& context) {
  std::array<std::vector<double>, kDirections.size()> rates;
  std::array<bool, kDirections.size()> sized;
  std::array<Covering, kDirections.size()> covering;
  sized.fill(true);
  for (std::size_t index = 0; index < kDirections.size(); ++index)
    covering[index] = covering_of(context, index);
  for (const MeasuredStep* step : context.observed_steps()) {
    AllMoved moved = moved_in(context.trace(), *step);
    const std::size_t at = step->window->position;
    for (std::size_t index = 0; index < kDirections.size(); ++index) {
      sized[index] = sized[index] && moved[index].sized && covering[index].unsized[at] == 0;
      const bool covered = covering[index].copies[at] > 0;
      if (covered) moved[index].times = {step->window->time};
      const double beside =
          covered ? static_cast<double>(covering[index].bytes_per_ns[at]) * step->length() : 0;
      const std::int64_t busy = IntervalSet(std::move(moved[index].times)).length();
      if (busy > 0)
        rates[index].push_back((moved[index].bytes + beside) * 1e9 / static_cast<double>(busy));
    }
  }
  std::vector<MetricValue> metrics;
  for (std::size_t index = 0; index < kDirections.size(); ++index) {
    const Direction& each = kDirections[index];
    MetricDefinition definition{std::string(each.tag) + "/bandwidth",
                                std::string(each.name) + ", bandwidth",
                                "Bytes that copies " + std::string(each.from_to) +
                                    " move, by the time in which any of them runs.",
                                "bytes / U(copies)", MetricHint::bandwidth};
    if (!sized[index]) {
      metrics.push_back(unknown_metric(std::move(definition), "copies do not say their bytes"));
    } else {
      metrics.push_back(context.over_work(std::move(definition), std::move(rates[index]),
                                          "no such copy by a device was timed"));
    }
  }
  return metrics;
}

}  // namespace quintet
