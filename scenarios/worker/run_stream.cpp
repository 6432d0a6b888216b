#include "scenarios/worker/run_stream.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "runtime/model/nanos.h"

namespace quintet {

namespace {

constexpr std::int64_t kRunProgressNs = 100'000'000;

template <class Message>
RpcNotification notification_of(const Message& message) {
  return {std::string(Message::kMethod), message.to_json()};
}

/// Where a viewer on the same machine finds it, whatever folder that works in.
std::string absolute(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path, error);
  return error ? path : whole.lexically_normal().string();
}

std::optional<std::int64_t> traced_step(const std::vector<MetricValue>& metrics) {
  const MetricValue* time = find_metric(metrics, "step/time");
  if (time == nullptr || !time->known()) return std::nullopt;
  return static_cast<std::int64_t>(time->value + 0.5);
}

}  // namespace

void RunStream::on_phase(RunPhase phase, std::int64_t steps) {
  progress_.run = run_;
  progress_.phase = phase;
  progress_.steps = steps;
  tell_progress();
}

void RunStream::on_recording(const std::string& path) {
  recording_ = absolute(path);
}

void RunStream::on_step(const StepRun& run) {
  progress_.step = run.step + 1;
  progress_.evaluating = run.variant.phase == StepPhase::evaluate;
  if (run.loss && !progress_.evaluating) progress_.loss = run.loss;
  if (monotonic_ns() - told_ns_ >= kRunProgressNs) tell_progress();
}

void RunStream::tell_progress() {
  told_ns_ = monotonic_ns();
  // The next one says more: none needs to wait for a slow link.
  link_.send_if_room(notification_of(progress_));
}

void RunStream::on_plan(const Trace& plan) {
  plan_sent_ = trace_.send_plan(plan, recording_);
  if (plan_sent_ || link_.broken()) return;
  link_.send(notification_of(
      LogMessage{Severity::data_loss,
                 "the task graph is too large to be sent: follow the recording instead"}));
}

void RunStream::on_batch(TraceBatch batch) {
  if (plan_sent_) trace_.send_batch(std::move(batch));
}

void RunStream::tell_end(const RunOutcome& outcome) {
  ended_by_signal_ = outcome.interrupted && !stop_asked();
  if (outcome.ran) link_.send(notification_of(MetricsMessage{run_, outcome.metrics}));
  DoneMessage done;
  done.run = run_;
  done.ran = outcome.ran;
  done.interrupted = outcome.interrupted;
  done.races = outcome.races;
  done.recording = outcome.ran ? absolute(outcome.recording) : std::string();
  done.recording_error = outcome.recording_error;
  done.steps = outcome.result.steps;
  done.weights_hash = outcome.result.weights_hash;
  done.test_accuracy = outcome.result.test_accuracy;
  done.untraced_step_ns = outcome.untraced_step_ns;
  done.traced_step_ns = traced_step(outcome.metrics);
  done.findings = outcome.trace.findings;
  done.provenance = outcome.trace.provenance;
  done.unsent_spans = trace_.unsent_spans();
  done.unsent_rows = trace_.unsent_rows();
  link_.send(notification_of(done));
}

void RunStream::tell_error(const Error& error) {
  link_.send(notification_of(RunErrorMessage{run_, error}));
}

}  // namespace quintet
