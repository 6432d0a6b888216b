/// The debug annotations of the slices of a Perfetto trace: what was run, where, and how.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/report/perfetto_packets.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// Appends annotations to track events. What spans have in common is made once. What is unknown is
/// left out. Borrows the trace and the packets.
class PerfettoNotes {
 public:
  PerfettoNotes(const Trace& trace, PerfettoPackets& packets);

  /// All that is known of a span: its task, its activity, its step, its lanes.
  void add_span(std::string& event, std::size_t span);
  /// What tells the second slice of a span, the one on the lane where it ran, from others.
  void add_span_copy(std::string& event, std::size_t span);
  void add_step(std::string& event, const TraceStep& step);
  void add_host_wait(std::string& event, const TraceHostWait& wait);
  void add_launch(std::string& event, const TraceLaunch& launch);

 private:
  void add_text(std::string& event, std::string_view name, std::string_view text);
  void add_signed(std::string& event, std::uint64_t name, std::int64_t value) const;
  void add_unsigned(std::string& event, std::uint64_t name, std::uint64_t value) const;
  void add_double(std::string& event, std::uint64_t name, double value) const;
  const std::string& of_task(std::uint32_t index);
  const std::string& of_activity(std::uint32_t index);
  const std::string& of_lane(std::vector<std::string>& cache, std::string_view name,
                             std::uint16_t lane);

  const Trace& trace_;
  PerfettoPackets& packets_;
  std::uint64_t step_, correlation_, channel_, cpu_ns_;                          ///< ids of names
  std::vector<std::string> tasks_, activities_, policy_lanes_, executor_lanes_;  ///< made so far
};

}  // namespace quintet
