/// The categories and arguments of the events of a Chrome trace, as Kineto names them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/analysis/span_class.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// What is written of spans, less times and threads. What spans have in common is made once.
/// Borrows the trace.
class ChromeArgs {
 public:
  explicit ChromeArgs(const Trace& trace);

  /// "kernel", "gpu_memcpy", "cpu_op", ...
  [[nodiscard]] std::string_view category(std::size_t span) const;
  /// The name of what ran: the kernel, copy or call where it is known, else the task; quoted.
  const std::string& name(std::size_t span);
  /// Appends the members of `args`.
  void append(std::string& json, std::size_t span);

 private:
  [[nodiscard]] bool on_device(std::size_t span) const;
  const std::string& of_task(std::uint32_t index);
  const std::string& of_activity(std::uint32_t index);
  void append_place(std::string& json, std::size_t span);

  const Trace& trace_;
  std::vector<SpanClass> classes_;
  // Made so far:
  std::vector<std::string> task_names_, activity_names_, task_args_, activity_args_, lane_names_;
};

}  // namespace quintet
