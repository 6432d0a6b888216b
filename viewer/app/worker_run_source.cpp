#include "viewer/app/worker_run_source.h"

#include <chrono>
#include <ctime>
#include <filesystem>

namespace quintet::viewer {

namespace {

template <class T>
bool ready(const std::future<T>& future) {
  return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

RunStage stage_of(RunState state) {
  switch (state) {
    case RunState::none:
      return RunStage::none;
    case RunState::starting:
      return RunStage::starting;
    case RunState::running:
      return RunStage::running;
    case RunState::stopping:
      return RunStage::stopping;
    case RunState::finished:
      return RunStage::finished;
    case RunState::stopped:
      return RunStage::stopped;
    case RunState::refused:
      return RunStage::refused;
    case RunState::failed:
      return RunStage::failed;
    case RunState::crashed:
      return RunStage::crashed;
  }
  return RunStage::none;
}

LogLevel level_of(Severity severity) {
  switch (severity) {
    case Severity::info:
    case Severity::notice:
      return LogLevel::note;
    case Severity::data_loss:
      return LogLevel::warning;
    case Severity::error:
      return LogLevel::error;
  }
  return LogLevel::note;
}

WorkerClientOptions client_options(const WorkerLaunch& launch, std::function<void()> wake) {
  WorkerClientOptions options;
  options.launch = launch;
  options.changed = std::move(wake);
  return options;
}

/// What goes wrong with a worker itself, as people read it.
Error crash_error(const ClientStatus& status) {
  Error error{"the worker ended by itself", "look at the log, then run again", {}, 0};
  if (!status.exit) return error;
  error.message = "the worker " + status.exit->text();
  for (const std::string& line : status.exit->last_lines)
    error.message += "; " + line;
  return error;
}

}  // namespace

std::string recording_name(const RunOrder& order) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char stamp[32];
  const std::size_t length = std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
  std::string name = std::filesystem::path(order.scenario).stem().string();
  if (!order.label.empty()) {
    name += "-" + order.label;
  } else if (!order.policy_toml.empty()) {
    name += "-edited";
  } else if (!order.policy.empty()) {
    name += "-" + std::filesystem::path(order.policy).stem().string();
  }
  return name + "-" + std::string(stamp, length) + ".qtrace";
}

WorkerRunSource::WorkerRunSource(WorkerLaunch launch, std::function<void()> wake)
    : launch_(std::move(launch)), client_(client_options(launch_, std::move(wake))) {}

std::string WorkerRunSource::place() const {
  return launch_.host.empty() ? "this machine" : launch_.host;
}

void WorkerRunSource::start(const RunOrder& order) {
  RunRequest request;
  request.plan.scenario = order.scenario;
  if (!order.executor.empty()) request.plan.executor = order.executor;
  request.plan.policy = order.policy;
  request.plan.policy_toml = order.policy_toml;
  request.plan.steps = order.steps;
  request.plan.epochs = order.epochs;
  request.plan.batch = order.batch;
  request.plan.precision = order.precision;
  request.plan.lowering = order.lowering;
  request.plan.resident_input = order.resident_input;
  request.out = recording_name(order);
  refusal_.reset();
  asked_run_ = client_.ask(request);
}

void WorkerRunSource::stop() {
  // Its answer says nothing that the status does not.
  static_cast<void>(client_.ask(StopRequest{}));
}

RunStanding WorkerRunSource::standing() {
  RunStanding standing;
  if (asked_run_ && ready(*asked_run_)) {
    const Result<RunAnswer> answer = asked_run_->get();
    asked_run_.reset();
    if (!answer) refusal_ = answer.error();
  }
  if (asked_run_) {
    // Until the worker has answered, its status is that of the run before.
    standing.stage = RunStage::starting;
    return standing;
  }
  const ClientStatus status = client_.status();
  standing.stage = stage_of(status.run);
  if (refusal_) {
    standing.stage = RunStage::failed;
    standing.error = refusal_;
  }
  if (status.progress && standing.stage != RunStage::failed) {
    standing.phase = name_of(status.progress->phase);
    standing.step = status.progress->step;
    standing.steps = status.progress->steps;
    standing.loss = status.progress->loss;
    standing.untraced_step_ns = status.progress->untraced_step_ns;
  }
  if (status.done) {
    standing.step = status.done->steps;
    standing.test_accuracy = status.done->test_accuracy;
    standing.races = status.done->races;
    standing.phase.clear();
  }
  if (status.run_error) standing.error = status.run_error;
  if (standing.stage == RunStage::crashed) standing.error = crash_error(status);
  // A path on another machine names no file here.
  if (launch_.host.empty()) standing.recording = status.recording;
  return standing;
}

RunPicture WorkerRunSource::picture() {
  const LiveSnapshot snapshot = client_.snapshot();
  return {snapshot.trace, snapshot.generation, snapshot.history};
}

std::vector<RunLine> WorkerRunSource::take_lines() {
  std::vector<RunLine> lines;
  for (const auto& line : client_.take_log())
    lines.push_back({level_of(line.severity), line.text});
  return lines;
}

std::vector<RunDevice> WorkerRunSource::devices() {
  if (!devices_.empty()) return devices_;
  if (!asked_devices_) {
    asked_devices_ = client_.ask(DevicesRequest{});
    return {};
  }
  if (!asked_devices_->valid() || !ready(*asked_devices_)) return {};
  const Result<DevicesAnswer> answer = asked_devices_->get();
  if (!answer) return {};
  for (const WorkerDevice& device : answer->devices)
    devices_.push_back({device.executor, device.name, true});
  for (const MissingExecutor& missing : answer->missing)
    devices_.push_back({missing.executor, missing.reason, false});
  return devices_;
}

}  // namespace quintet::viewer
