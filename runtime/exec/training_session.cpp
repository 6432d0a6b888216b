#include "runtime/exec/training_session.h"

#include <cassert>
#include <fmt/format.h>

#include "runtime/network/training_plan.h"
#include "runtime/policy/plan_builder.h"

namespace quintet {

namespace {

/// What training leaves behind: weights, their copies, optimizer state, running statistics.
bool is_learned(const Tensor& tensor) {
  switch (tensor.role) {
    case TensorRole::weight:
    case TensorRole::weight_copy:
    case TensorRole::optimizer_state:
      return true;
    case TensorRole::statistics:
      return tensor.region == RegionKind::BN_RUNNING_STATS;
    case TensorRole::scalar:
    case TensorRole::input:
    case TensorRole::label:
    case TensorRole::activation:
    case TensorRole::saved:
    case TensorRole::activation_gradient:
    case TensorRole::weight_gradient:
    case TensorRole::table:
    case TensorRole::result:
      return false;
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<TrainingSession>> TrainingSession::prepare(
    TrainingSpec spec, std::shared_ptr<const DatasetPair> data, const StreamPolicy& policy,
    std::shared_ptr<Backend> backend) {
  const FeatureSharing sharing = backend->sharing();
  if (sharing == FeatureSharing::none && policy.gradients == GradientMode::in_place) {
    return fail("policy " + policy.name +
                    " lays gradients over activations, and this backend keeps "
                    "every tensor on bytes of its own",
                "set gradients = \"separate\"", policy.file);
  }
  std::unique_ptr<TrainingSession> session(
      new TrainingSession(std::move(spec), std::move(data), std::move(backend)));
  Result<PlanInput> input = plan_input_of(session->spec_);
  if (!input) return tl::unexpected(input.error());
  input->sharing = sharing;
  for (Task& task : input->tasks) {
    if (runs_on_host(task.graph)) continue;
    const Result<std::uint64_t> bytes = session->backend_->workspace_bytes(task, input->tensors);
    if (!bytes) return tl::unexpected(bytes.error());
    task.workspace_bytes = *bytes;
  }
  Result<ExecutionPlan> plan = build_plan(std::move(*input), policy);
  if (!plan) return tl::unexpected(plan.error());
  session->plan_ = std::move(*plan);
  session->schedule_ = make_schedule(session->spec_.length, session->plan_.shapes);
  return session;
}

StepIo TrainingSession::make_io() const {
  return {*data_, schedule_, spec_.learning_rates, spec_.seed};
}

TrainingResult TrainingSession::run(Observer* observer, const StepCallback& finished) {
  StepIo io = make_io();
  if (observer != nullptr) observer->on_plan(plan_);
  const auto executor = make_executor(io, observer);
  const ResultOf results = [&](std::int64_t step, StepRun& run) {
    run.loss = io.result(step).loss;
    run.correct = io.result(step).correct;
    run.learning_rate = io.learning_rate(step);
  };
  const std::int64_t steps = StepRunner(*executor, observer).run(schedule_, results, finished);
  return result(io, *executor, steps);
}

std::vector<std::byte> TrainingSession::weights(const Executor& executor) const {
  std::vector<std::byte> all;
  for (const TensorId tensor : learned_tensors(plan_)) {
    const std::size_t at = all.size();
    all.resize(at + plan_.tensors[tensor].bytes());
    executor.download(tensor, std::span(all).subspan(at));
  }
  return all;
}

TrainingResult TrainingSession::result(const StepIo& io, const Executor& executor,
                                       std::int64_t finished_steps) const {
  TrainingResult result;
  result.steps = finished_steps;
  double loss = 0;
  std::int64_t correct = 0;
  std::int64_t tested = 0;
  for (std::int64_t step = 0; step < finished_steps; ++step) {
    const ScheduledStep& scheduled = schedule_[static_cast<std::size_t>(step)];
    if (scheduled.variant.phase == StepPhase::train) {
      result.losses.push_back(io.result(step).loss);
      continue;
    }
    loss += io.result(step).loss * static_cast<double>(scheduled.batch);
    correct += io.result(step).correct;
    tested += scheduled.batch;
  }
  if (tested > 0 && tested == spec_.length.test_samples) {
    result.test_loss = loss / static_cast<double>(tested);
    result.test_accuracy = static_cast<double>(correct) / static_cast<double>(tested);
  }
  result.weights_hash = hash_of_weights(weights(executor));
  return result;
}

std::vector<TensorId> learned_tensors(const ExecutionPlan& plan) {
  std::vector<TensorId> learned;
  for (const Tensor& tensor : plan.tensors.all()) {
    if (is_learned(tensor)) learned.push_back(tensor.id);
  }
  return learned;
}

std::string hash_of_weights(std::span<const std::byte> weights) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const std::byte byte : weights) {
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001B3ULL;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace quintet
