#include "viewer/live/worker_client.h"

#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "viewer/live/client_loop.h"

namespace quintet {

std::string_view name_of(WorkerState state) {
  switch (state) {
    case WorkerState::stopped:
      return "stopped";
    case WorkerState::starting:
      return "starting";
    case WorkerState::ready:
      return "ready";
    case WorkerState::running:
      return "running";
    case WorkerState::crashed:
      return "crashed";
  }
  return {};
}

std::string_view name_of(RunState state) {
  switch (state) {
    case RunState::none:
      return "none";
    case RunState::starting:
      return "starting";
    case RunState::running:
      return "running";
    case RunState::stopping:
      return "stopping";
    case RunState::finished:
      return "finished";
    case RunState::stopped:
      return "stopped";
    case RunState::refused:
      return "refused";
    case RunState::failed:
      return "failed";
    case RunState::crashed:
      return "crashed";
  }
  return {};
}

std::string WorkerExit::text() const {
  if (signal) {
    const char* what = sigdescr_np(*signal);
    return fmt::format("killed by signal {} ({})", *signal, what == nullptr ? "unknown" : what);
  }
  return code ? fmt::format("exited with status {}", *code) : "ended, nobody knows how";
}

WorkerClient::WorkerClient(WorkerClientOptions options)
    : loop_(std::make_unique<ClientLoop>(std::move(options))) {}

WorkerClient::~WorkerClient() = default;

void WorkerClient::start() {
  loop_->start();
}

void WorkerClient::stop_worker() {
  loop_->stop_worker();
}

void WorkerClient::kill_worker() {
  loop_->kill_worker();
}

std::future<Result<DevicesAnswer>> WorkerClient::ask(const DevicesRequest& request) {
  return loop_->ask(request);
}

std::future<Result<ScenariosAnswer>> WorkerClient::ask(const ScenariosRequest& request) {
  return loop_->ask(request);
}

std::future<Result<PoliciesAnswer>> WorkerClient::ask(const PoliciesRequest& request) {
  return loop_->ask(request);
}

std::future<Result<SetPolicyAnswer>> WorkerClient::ask(const SetPolicyRequest& request) {
  return loop_->ask(request);
}

std::future<Result<RunAnswer>> WorkerClient::ask(const RunRequest& request) {
  return loop_->ask(request);
}

std::future<Result<StopAnswer>> WorkerClient::ask(const StopRequest& request) {
  return loop_->ask(request);
}

std::future<Result<VerifyAnswer>> WorkerClient::ask(const VerifyRequest& request) {
  return loop_->ask(request);
}

std::future<Result<TuneAnswer>> WorkerClient::ask(const TuneRequest& request) {
  return loop_->ask(request);
}

ClientStatus WorkerClient::status() const {
  return loop_->status();
}

LiveSnapshot WorkerClient::snapshot() const {
  return loop_->snapshot();
}

std::vector<LogLine> WorkerClient::take_log() {
  return loop_->take_log();
}

}  // namespace quintet
