#include "runtime/exec/step_runner.h"

#include <pthread.h>
#include <thread>

#include "runtime/model/nanos.h"

namespace quintet {

namespace {

const StepProgram& program_at(const ExecutionPlan& plan, const StepVariant& variant) {
  return plan.programs.at(variant);
}

}  // namespace

const StepProgram* StepRunner::program_of(std::int64_t step) const {
  if (step >= static_cast<std::int64_t>(schedule_->size())) return nullptr;
  if (step == -1) {
    const StepVariant first = schedule_->front().variant;
    return &program_at(executor_.plan(), {StepPhase::prologue, first.slot, kAnyShape, first.shape});
  }
  if (step < -1) return nullptr;
  return &program_at(executor_.plan(), (*schedule_)[static_cast<std::size_t>(step)].variant);
}

bool StepRunner::is_recorded(StepEvent event, std::int64_t step) const {
  // An event of a step is recorded by the step's own program or, for its batch, by the one before.
  for (const std::int64_t recorder : {step, step - 1}) {
    const StepProgram* program = program_of(recorder);
    if (program == nullptr) continue;
    for (const Command& command : program->commands) {
      const bool records =
          command.kind == CommandKind::record || command.kind == CommandKind::host_record;
      if (records && command.event.event == event && recorder + command.event.steps == step) {
        return true;
      }
    }
  }
  return false;
}

StepVariant StepRunner::epilogue_variant(std::int64_t steps) const {
  return {StepPhase::epilogue, steps % 2 == 0 ? BufferSlot::A : BufferSlot::B, kAnyShape,
          kAnyShape};
}

std::int64_t StepRunner::run(const RunSchedule& schedule, const ResultOf& results,
                             const StepCallback& finished) {
  if (schedule.empty()) return 0;
  schedule_ = &schedule;
  results_ = &results;
  finished_callback_ = &finished;
  begin_ns_.assign(schedule.size(), 0);
  finished_ = 0;
  stop_asked_ = false;
  loader_stops_ = false;
  loader_failure_ = nullptr;
  std::thread loader([&] { run_loader(schedule); });
  std::exception_ptr failure;
  try {
    run_program(*program_of(-1), -1, HostActor::MAIN);
    std::int64_t step = 0;
    for (; step < static_cast<std::int64_t>(schedule.size()) && !stop_asked_; ++step) {
      if (observer_ != nullptr) observer_->on_step_begin(step);
      begin_ns_[static_cast<std::size_t>(step)] = monotonic_ns();
      run_program(*program_of(step), step, HostActor::MAIN);
    }
    run_program(program_at(executor_.plan(), epilogue_variant(step)), step, HostActor::MAIN);
  } catch (...) {
    failure = std::current_exception();
  }
  loader_stops_ = true;
  executor_.release_host_waits();
  loader.join();
  if (observer_ != nullptr) observer_->on_end();
  if (failure) std::rethrow_exception(failure);
  if (loader_failure_) std::rethrow_exception(loader_failure_);
  return finished_;
}

void StepRunner::run_loader(const RunSchedule& schedule) {
  pthread_setname_np(pthread_self(), "LOADER");
  try {
    for (std::int64_t step = -1; step < static_cast<std::int64_t>(schedule.size()); ++step) {
      run_program(*program_of(step), step, HostActor::LOADER);
      if (loader_stops_) return;
    }
  } catch (...) {
    // MAIN waits for batches that will not come: let it pass, it sees the failure at its next
    // synchronisation.
    loader_failure_ = std::current_exception();
    executor_.release_host_waits();
  }
}

void StepRunner::run_program(const StepProgram& program, std::int64_t step, HostActor actor) {
  for (const Command& command : program.commands) {
    if (command.actor != actor) continue;
    if (actor == HostActor::LOADER && loader_stops_) return;
    run_command(command, step);
  }
}

void StepRunner::run_command(const Command& command, std::int64_t step) {
  const std::int64_t event_step = step + command.event.steps;
  const std::int64_t begin = monotonic_ns();
  switch (command.kind) {
    case CommandKind::launch:
      if (observer_ != nullptr)
        observer_->on_launch_begin(command.graph, command.stream, step + command.steps);
      executor_.launch(command.graph, command.stream, step + command.steps);
      if (observer_ != nullptr) {
        observer_->on_launch({command.graph, command.stream, step, begin, monotonic_ns()});
      }
      return;
    case CommandKind::record:
      return executor_.record(command.event.event, event_step, command.stream);
    case CommandKind::wait:
      if (is_recorded(command.event.event, event_step)) {
        executor_.wait(command.stream, command.event.event, event_step);
      }
      return;
    case CommandKind::host_record:
      return executor_.host_record(command.event.event, event_step);
    case CommandKind::host_wait:
      if (!is_recorded(command.event.event, event_step)) return;
      if (observer_ != nullptr) observer_->on_host_wait_begin(command.actor, command.kind, step);
      executor_.host_wait(command.event.event, event_step);
      break;
    case CommandKind::host_sync:
      if (observer_ != nullptr) observer_->on_host_wait_begin(command.actor, command.kind, step);
      executor_.host_sync(command.stream);
      break;
    case CommandKind::host_task: {
      const std::int64_t served = step + command.steps;
      if (served < 0) return;
      for (const TaskId task : executor_.plan().host_tasks.at(command.graph)) {
        executor_.run_host_task(task, command.actor, served);
      }
      const bool results = command.graph.graph == GraphId::HOST_RESULTS_A ||
                           command.graph.graph == GraphId::HOST_RESULTS_B;
      if (results) finish_step(served);
      return;
    }
  }
  if (observer_ != nullptr) {
    observer_->on_host_wait({command.actor, step, command.kind, command.stream, command.event.event,
                             begin, monotonic_ns()});
  }
}

void StepRunner::finish_step(std::int64_t step) {
  const ScheduledStep& scheduled = (*schedule_)[static_cast<std::size_t>(step)];
  StepRun run;
  run.step = step;
  run.variant = scheduled.variant;
  run.batch = scheduled.batch;
  run.begin_ns = begin_ns_[static_cast<std::size_t>(step)];
  run.end_ns = executor_.event_time_ns(StepEvent::step_done, step).value_or(monotonic_ns());
  (*results_)(step, run);
  ++finished_;
  if (observer_ != nullptr) observer_->on_step(run);
  if (*finished_callback_ && !(*finished_callback_)(run)) stop_asked_ = true;
}

}  // namespace quintet
