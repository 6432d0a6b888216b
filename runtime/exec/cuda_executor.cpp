#include "runtime/exec/cuda_executor.h"

#include <algorithm>
#include <cassert>
#include <ctime>
#include <fmt/format.h>

#include "runtime/cuda/cuda_error.h"
#include "runtime/exec/event_clock.h"
#include "runtime/exec/weight_layout.h"
#include "runtime/model/nanos.h"

namespace quintet {

namespace {

constexpr std::size_t kEventCount = static_cast<std::size_t>(StepEvent::step_done) + 1;
/// Events of so many steps are told apart: more than a run can be ahead.
constexpr std::size_t kRememberedSteps = 16;

std::size_t entry_of(std::int64_t step) {
  return static_cast<std::size_t>(step) % kRememberedSteps;
}

}  // namespace

/// The events of the last few steps, on the device or on the host, and when they happened.
class CudaExecutor::StepEvents {
 public:
  explicit StepEvents(const ExecutionPlan& plan, StreamRef clock_stream) {
    for (const auto& [variant, program] : plan.programs) {
      for (const Command& command : program.commands) {
        if (command.kind == CommandKind::host_record) of(command.event.event).on_host = true;
      }
    }
    origin_.record(clock_stream);
    origin_.synchronize();
    clock_ = EventClock(monotonic_ns());
  }

  void record(StepEvent event, std::int64_t step, StreamRef stream) {
    if (step < 0) return;
    of(event).ring[entry_of(step)].record(stream);
    of(event).issued.advance_to(step);
  }
  void host_record(StepEvent event, std::int64_t step) { of(event).issued.advance_to(step); }

  void wait(StepEvent event, std::int64_t step, StreamRef stream) {
    if (step < 0) return;
    // What the host alone knows to have happened holds the issuing thread instead of the stream.
    if (of(event).on_host) return of(event).issued.wait_at_least(step);
    of(event).ring[entry_of(step)].make_wait(stream);
  }
  /// The recording may still be to come, from another thread.
  void host_wait(StepEvent event, std::int64_t step) {
    if (step < 0) return;
    Kind& kind = of(event);
    kind.issued.wait_at_least(step);
    if (kind.on_host || kind.issued.value() == HostCounter::kAlways) return;
    const TimedEvent& at = kind.ring[entry_of(step)];
    // A wait that need not wait tells nothing about the clocks.
    const bool waits = event == StepEvent::step_done && !at.happened();
    at.synchronize();
    if (!waits) return;
    const std::int64_t now = monotonic_ns();
    if (const auto device_ns = device_ns_of(kind, step)) clock_.seen(*device_ns, now);
  }
  void release() {
    for (Kind& kind : events_)
      kind.issued.advance_to(HostCounter::kAlways);
  }

  /// By the host's clock. Threads: those that wait for step_done on the host.
  std::optional<std::int64_t> time_ns(StepEvent event, std::int64_t step) {
    Kind& kind = of(event);
    if (kind.on_host || step < 0) return std::nullopt;
    const std::optional<double> device_ns = device_ns_of(kind, step);
    if (!device_ns) return std::nullopt;
    return clock_.host_ns(*device_ns);
  }

 private:
  struct Kind {
    bool on_host = false;
    HostCounter issued;  ///< the last step it was recorded for
    std::array<TimedEvent, kRememberedSteps> ring;
    std::int64_t timed_step = -1;
    double timed_ns = 0;  ///< of that step, since the origin, by the device's clock
  };
  Kind& of(StepEvent event) { return events_[static_cast<std::size_t>(event)]; }

  /// Since the origin. Differences of two neighbouring events stay exact however long the run is; a
  /// single-precision count of milliseconds since its beginning would not.
  std::optional<double> device_ns_of(Kind& kind, std::int64_t step) const {
    const TimedEvent& at = kind.ring[entry_of(step)];
    const std::int64_t issued = kind.issued.value();
    const bool known =
        issued == HostCounter::kAlways ||
        (step <= issued && issued < step + static_cast<std::int64_t>(kRememberedSteps));
    if (!known || !at.happened()) return std::nullopt;
    if (step == kind.timed_step) return kind.timed_ns;
    const bool near = kind.timed_step >= 0 && step > kind.timed_step &&
                      step < kind.timed_step + static_cast<std::int64_t>(kRememberedSteps) &&
                      issued < kind.timed_step + static_cast<std::int64_t>(kRememberedSteps);
    const double base_ns = near ? kind.timed_ns : 0;
    const TimedEvent& base = near ? kind.ring[entry_of(kind.timed_step)] : origin_;
    kind.timed_ns = base_ns + at.ms_since(base) * 1e6;
    kind.timed_step = step;
    return kind.timed_ns;
  }

  std::array<Kind, kEventCount> events_;
  TimedEvent origin_;
  EventClock clock_;  ///< the device's begins at the origin
};

CudaExecutor::CudaExecutor(const ExecutionPlan& plan, CudaTaskKernels kernels, Observer* observer,
                           ArenaMode memory)
    : plan_(plan),
      kernels_(std::move(kernels)),
      observer_(observer),
      context_(plan.lanes),
      arena_(plan, ArenaMode::one_allocation) {
  assert(kernels_.device.size() == plan_.tasks.size());
  assert(kernels_.host.size() == plan_.tasks.size());
  bind_tasks();
  warm_up();
  forget_warm_up(memory);
  capture_graphs();
  events_ = std::make_unique<StepEvents>(plan_, context_.stream(StreamKind::COMP_1));
}

CudaExecutor::~CudaExecutor() {
  try {
    context_.synchronize();  // what runs still uses what is about to go
  } catch (const CudaError& error) {
    note_failure(cudaErrorUnknown, error.what());
  }
}

void CudaExecutor::bind_tasks() {
  bound_.assign(plan_.tasks.size(), {});
  for (const Task& task : plan_.tasks) {
    const std::vector<Access>& accesses = plan_.accesses[task.id.value()];
    BoundTask& bound = bound_[task.id.value()];
    for (std::size_t slot = 0; slot < task.operands.size(); ++slot) {
      const Access& access = accesses[slot];
      bound.operands.push_back({arena_.at(task.operands[slot].target), access.bytes, access.mode});
    }
    if (task.workspace_bytes > 0) {
      const Region& workspace = plan_.memory.region(accesses.back().region);
      bound.workspace = {arena_.workspace(*workspace.stream), task.workspace_bytes};
    }
    if (CudaKernel* kernel = kernels_.device[task.id.value()].get())
      kernel->bind(TaskArgs(bound.operands, bound.workspace));
  }
}

void CudaExecutor::launch_task(TaskId task, StreamKind stream) {
  const BoundTask& bound = bound_[task.value()];
  if (observer_ != nullptr) observer_->on_enqueue(task, stream);
  kernels_.device[task.value()]->launch(TaskArgs(bound.operands, bound.workspace),
                                        context_.on(stream));
  if (observer_ != nullptr) observer_->on_enqueued(task, stream);
}

/// Loads modules and lets libraries set themselves up, which no capture allows.
void CudaExecutor::warm_up() {
  std::vector<bool> warm(plan_.tasks.size());
  for (const auto& [key, graph] : plan_.graphs) {
    for (const PlacedTask& placed : graph.tasks) {
      if (warm[placed.task.value()]) continue;
      warm[placed.task.value()] = true;
      launch_task(placed.task, placed.stream);
    }
  }
  context_.synchronize();
}

void CudaExecutor::forget_warm_up(ArenaMode memory) {
  switch (memory) {
    case ArenaMode::one_allocation:
      return arena_.clear();
    case ArenaMode::poisoned:
      arena_.clear();
      return arena_.poison(plan_.memory);
    case ArenaMode::guarded:
      // A memory checker would take what the warm-up wrote for written by the run: other memory.
      arena_ = DeviceArena(plan_, memory);
      return bind_tasks();
  }
}

void CudaExecutor::capture_graphs() {
  GraphCapture capture(plan_, context_);
  for (const auto& [key, graph] : plan_.graphs) {
    CapturedTasks captured =
        capture.capture(graph, [&](TaskId task, StreamKind stream) { launch_task(task, stream); });
    tell_captured(key, captured);
    const auto [entry, fresh] = graphs_.emplace(key, ExecutableGraph(captured.graph.ref()));
    entry->second.upload(context_.stream(graph.primary));
    captured_.emplace(key, std::move(captured));
  }
  context_.synchronize();
}

void CudaExecutor::tell_captured(const GraphKey& key, const CapturedTasks& captured) const {
  if (observer_ == nullptr) return;
  std::vector<CapturedNode> nodes;
  for (const TaskNodes& task : captured.tasks) {
    for (const cudaGraphNode_t node : task.nodes)
      nodes.push_back({task.task, task.stream, node});
  }
  observer_->on_captured(key, nodes);
}

void CudaExecutor::launch(const GraphKey& graph, StreamKind stream, std::int64_t /*step*/) {
  graphs_.at(graph).launch(context_.stream(stream));
}

void CudaExecutor::record(StepEvent event, std::int64_t step, StreamKind stream) {
  events_->record(event, step, context_.stream(stream));
}

void CudaExecutor::wait(StreamKind stream, StepEvent event, std::int64_t step) {
  events_->wait(event, step, context_.stream(stream));
}

void CudaExecutor::host_record(StepEvent event, std::int64_t step) {
  events_->host_record(event, step);
}

void CudaExecutor::host_wait(StepEvent event, std::int64_t step) {
  events_->host_wait(event, step);
}

void CudaExecutor::host_sync(StreamKind stream) {
  check(cudaStreamSynchronize(context_.stream(stream).get()),
        fmt::format("waiting for {}", name_of(stream)));
}

void CudaExecutor::run_host_task(TaskId task, HostActor actor, std::int64_t step) {
  const BoundTask& bound = bound_[task.value()];
  if (observer_ != nullptr) observer_->on_task_begin(task, step);
  const std::int64_t begin = monotonic_ns();
  kernels_.host[task.value()]->run(TaskArgs(bound.operands, bound.workspace), {step});
  if (observer_ == nullptr) return;
  const LaneId lane = lane_of(actor);
  observer_->on_task({task, step, lane, lane, begin, monotonic_ns(), -1});
}

void CudaExecutor::release_host_waits() {
  events_->release();
}

std::optional<std::int64_t> CudaExecutor::event_time_ns(StepEvent event, std::int64_t step) const {
  return events_->time_ns(event, step);
}

void CudaExecutor::upload(TensorId tensor, std::span<const std::byte> bytes) {
  const Placement& at = plan_.memory.placement(tensor);
  assert(bytes.size() == at.bytes);
  const Tensor& what = plan_.tensors[tensor];
  std::byte* const target = arena_.at(tensor);
  if (!lies_as_krsc(what)) return copy_and_wait(target, bytes.data(), bytes.size());
  const std::vector<std::byte> turned = krsc_from_hwio(bytes, what.shape, bytes_of(what.dtype));
  copy_and_wait(target, turned.data(), turned.size());
}

void CudaExecutor::download(TensorId tensor, std::span<std::byte> bytes) const {
  const Placement& at = plan_.memory.placement(tensor);
  assert(bytes.size() == at.bytes);
  const Tensor& what = plan_.tensors[tensor];
  copy_and_wait(bytes.data(), arena_.at(tensor), bytes.size());
  if (!lies_as_krsc(what)) return;
  const std::vector<std::byte> turned = hwio_from_krsc(bytes, what.shape, bytes_of(what.dtype));
  std::copy(turned.begin(), turned.end(), bytes.begin());
}

std::string CudaExecutor::implementation(TaskId task) const {
  const std::size_t index = task.value();
  return kernels_.device[index] ? kernels_.device[index]->implementation()
                                : kernels_.host[index]->implementation();
}

}  // namespace quintet
