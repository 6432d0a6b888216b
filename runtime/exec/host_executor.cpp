#include "runtime/exec/host_executor.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <ctime>

#include "runtime/exec/host_graph.h"
#include "runtime/host/race_annotation.h"
#include "runtime/model/nanos.h"

namespace quintet {

namespace {

constexpr std::size_t kEventCount = static_cast<std::size_t>(StepEvent::step_done) + 1;
constexpr std::size_t kRememberedSteps = 16;

std::int64_t thread_cpu_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

/// A step event: the last step it happened for, and when, for the last few steps.
struct HostExecutor::Event {
  /// Enqueued on a stream: marks the event as happened for a step.
  struct Record final : HostWork {
    void run(std::int64_t /*number*/, std::int64_t step) noexcept override { event->happen(step); }
    Event* event = nullptr;
  };
  /// Enqueued on a stream: blocks it until the event has happened for a step.
  struct Wait final : HostWork {
    void run(std::int64_t /*number*/, std::int64_t step) noexcept override {
      event->last_step.wait_at_least(step);
    }
    Event* event = nullptr;
  };

  Event() {
    record.event = this;
    wait.event = this;
  }
  void happen(std::int64_t step) {
    if (step >= 0) {
      const auto entry = static_cast<std::size_t>(step) % kRememberedSteps;
      times_ns[entry].store(monotonic_ns(), std::memory_order_relaxed);
    }
    last_step.advance_to(step);
  }

  HostCounter last_step;
  std::array<std::atomic<std::int64_t>, kRememberedSteps> times_ns{};
  Record record;
  Wait wait;
};

HostExecutor::HostExecutor(const ExecutionPlan& plan,
                           std::vector<std::unique_ptr<HostKernel>> kernels, Observer* observer,
                           TaskHook before_task)
    : plan_(plan),
      kernels_(std::move(kernels)),
      observer_(observer),
      before_task_(std::move(before_task)),
      arena_(plan.memory) {
  assert(kernels_.size() == plan_.tasks.size());
  bind_tasks();
  for (std::size_t index = 0; index < kEventCount; ++index) {
    events_.push_back(std::make_unique<Event>());
  }
  for (const StreamKind kind : kStreamKinds) {
    streams_[index_of(kind)] = std::make_unique<HostStream>(kind);
  }
  for (const auto& [key, graph] : plan_.graphs) {
    graphs_.emplace(key, std::make_unique<HostGraph>(graph, *this));
  }
}

HostExecutor::~HostExecutor() = default;

void HostExecutor::bind_tasks() {
  bound_.resize(plan_.tasks.size());
  for (std::size_t index = 0; index < plan_.tasks.size(); ++index) {
    const Task& task = plan_.tasks[index];
    const std::vector<Access>& accesses = plan_.accesses[index];
    BoundTask& bound = bound_[index];
    for (std::size_t slot = 0; slot < task.operands.size(); ++slot) {
      const Access& access = accesses[slot];
      bound.operands.push_back({arena_.at(access), access.bytes, access.mode});
    }
    if (task.workspace_bytes > 0) {
      bound.workspace = {arena_.at(accesses.back()), task.workspace_bytes};
    }
  }
}

void HostExecutor::run_task(TaskId task, LaneId lane, LaneId executor_lane,
                            std::int64_t step) noexcept {
  if (failed_.load(std::memory_order_acquire)) return;
  try {
    const BoundTask& bound = bound_[task.value()];
    if (before_task_) before_task_(plan_.task(task), step);
    if (observer_ != nullptr) observer_->on_task_begin(task, step);
    const std::int64_t cpu = thread_cpu_ns();
    const std::int64_t begin = monotonic_ns();
    for (const BoundOperand& operand : bound.operands) {
      announce_access(operand.data, operand.bytes, operand.mode);
    }
    announce_access(bound.workspace.data(), bound.workspace.size(), AccessMode::scratch);
    kernels_[task.value()]->run(TaskArgs(bound.operands, bound.workspace), {step});
    const std::int64_t end = monotonic_ns();
    if (observer_ != nullptr) {
      observer_->on_task({task, step, lane, executor_lane, begin, end, thread_cpu_ns() - cpu});
    }
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
    failed_.store(true, std::memory_order_release);
  }
}

void HostExecutor::rethrow_failure() {
  if (!failed_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(failure_mutex_);
  std::rethrow_exception(failure_);
}

void HostExecutor::launch(const GraphKey& graph, StreamKind stream, std::int64_t step) {
  graphs_.at(graph)->launch(stream, step, streams_);
}

void HostExecutor::record(StepEvent event, std::int64_t step, StreamKind kind) {
  stream(kind).enqueue(events_[static_cast<std::size_t>(event)]->record, 0, step);
}

void HostExecutor::wait(StreamKind kind, StepEvent event, std::int64_t step) {
  stream(kind).enqueue(events_[static_cast<std::size_t>(event)]->wait, 0, step);
}

void HostExecutor::host_record(StepEvent event, std::int64_t step) {
  events_[static_cast<std::size_t>(event)]->happen(step);
}

void HostExecutor::host_wait(StepEvent event, std::int64_t step) {
  events_[static_cast<std::size_t>(event)]->last_step.wait_at_least(step);
  rethrow_failure();
}

void HostExecutor::host_sync(StreamKind kind) {
  stream(kind).synchronize();
  rethrow_failure();
}

void HostExecutor::run_host_task(TaskId task, HostActor actor, std::int64_t step) {
  run_task(task, lane_of(actor), lane_of(actor), step);
  rethrow_failure();
}

void HostExecutor::release_host_waits() {
  for (const auto& event : events_)
    event->last_step.advance_to(HostCounter::kAlways);
}

std::optional<std::int64_t> HostExecutor::event_time_ns(StepEvent event, std::int64_t step) const {
  const Event& known = *events_[static_cast<std::size_t>(event)];
  const std::int64_t last = known.last_step.value();
  if (step < 0 || step > last || step + static_cast<std::int64_t>(kRememberedSteps) <= last) {
    return std::nullopt;
  }
  return known.times_ns[static_cast<std::size_t>(step) % kRememberedSteps].load(
      std::memory_order_relaxed);
}

void HostExecutor::upload(TensorId tensor, std::span<const std::byte> bytes) {
  const Placement& at = plan_.memory.placement(tensor);
  assert(bytes.size() == at.bytes);
  std::memcpy(arena_.region(at.region).data() + at.offset, bytes.data(), bytes.size());
}

void HostExecutor::download(TensorId tensor, std::span<std::byte> bytes) const {
  const Placement& at = plan_.memory.placement(tensor);
  assert(bytes.size() == at.bytes);
  std::memcpy(bytes.data(), arena_.region(at.region).data() + at.offset, bytes.size());
}

void HostExecutor::run_inline(TaskId task, std::int64_t step) {
  run_task(task, LaneId{}, LaneId{}, step);
  rethrow_failure();
}

std::string HostExecutor::implementation(TaskId task) const {
  return kernels_[task.value()]->implementation();
}

}  // namespace quintet
