/// The categories and arguments of the events of a Chrome trace, as Kineto names them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/analysis/span_class.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// One thing that a trace holds: a span, or an activity whose times nobody knows.
struct ChromeWork {
  std::uint32_t task = 0;
  std::uint32_t activity = kWholeTask;
  std::uint16_t lane = 0;           ///< the policy's
  std::uint16_t executor_lane = 0;  ///< where it ran
  std::uint32_t correlation = 0;
  std::int32_t step = -1;
  std::uint16_t channel = kUnknownChannel;
  std::int64_t cpu_ns = -1;
  std::int64_t duration_ns = 0;  ///< 0 = unknown, or none
};

ChromeWork work_of_span(const Trace& trace, std::size_t span);
ChromeWork work_of_untimed(const TraceUntimed& untimed);

/// What is written of spans, less times and threads. What spans have in common is made once.
/// Borrows the trace.
class ChromeArgs {
 public:
  explicit ChromeArgs(const Trace& trace);

  /// "kernel", "gpu_memcpy", "cpu_op", ...
  [[nodiscard]] std::string_view category(const ChromeWork& work) const;
  /// True for a range that was started and ended by an id, and so may overlap others of its thread.
  [[nodiscard]] bool is_started_range(const ChromeWork& work) const;
  /// The name of what ran: the kernel, copy or call where it is known, else the task; quoted.
  const std::string& name(const ChromeWork& work);
  /// Appends the members of `args`.
  void append(std::string& json, const ChromeWork& work);

 private:
  [[nodiscard]] bool on_device(const ChromeWork& work) const;
  const std::string& of_task(std::uint32_t index);
  const std::string& of_activity(std::uint32_t index);
  void append_place(std::string& json, const ChromeWork& work);

  const Trace& trace_;
  std::vector<SpanClass> classes_;
  std::vector<std::int64_t> numbers_;  ///< of lanes: the stream's, where one is known
  bool imported_ = false;
  std::vector<bool> syncs_;  ///< lanes of waits for a device
  // Made so far:
  std::vector<std::string> task_names_, activity_names_, task_args_, activity_args_, lane_names_;
};

}  // namespace quintet
