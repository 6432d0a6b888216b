/// What can run the step programs of a plan: the host executor here, a GPU one beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/model/execution_plan.h"

namespace quintet {

/// Owns the memory and the captured graphs of one plan. Threads: stream calls (launch, record,
/// wait, host_sync, upload, download) come from MAIN alone; host_record, host_wait and
/// run_host_task also from LOADER. A task that failed makes every later host_wait and host_sync
/// throw its exception.
class Executor {
 public:
  virtual ~Executor() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual const ExecutionPlan& plan() const = 0;

  virtual void launch(const GraphKey& graph, StreamKind stream, std::int64_t step) = 0;
  virtual void record(StepEvent event, std::int64_t step, StreamKind stream) = 0;
  virtual void wait(StreamKind stream, StepEvent event, std::int64_t step) = 0;
  virtual void host_record(StepEvent event, std::int64_t step) = 0;
  virtual void host_wait(StepEvent event, std::int64_t step) = 0;
  virtual void host_sync(StreamKind stream) = 0;
  virtual void run_host_task(TaskId task, HostActor actor, std::int64_t step) = 0;
  /// Lets every host_wait pass from now on; the run is over.
  virtual void release_host_waits() = 0;

  /// When a recorded event happened (monotonic_ns), for the last few steps; nothing = not yet or
  /// forgotten.
  [[nodiscard]] virtual std::optional<std::int64_t> event_time_ns(StepEvent event,
                                                                  std::int64_t step) const = 0;

  /// The kernel's own name of its implementation.
  [[nodiscard]] virtual std::string implementation(TaskId task) const = 0;

  /// Copies into or out of a tensor's bytes, laid out as the plan has it; only while nothing runs.
  virtual void upload(TensorId tensor, std::span<const std::byte> bytes) = 0;
  virtual void download(TensorId tensor, std::span<std::byte> bytes) const = 0;
};

}  // namespace quintet
