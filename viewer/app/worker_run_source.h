/// Runs by a worker: `quintet worker`, a process beside this one.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/live/worker_client.h"
#include "viewer/model/run_source.h"

namespace quintet::viewer {

/// Owns the client. The worker starts with the first request and is started again after a crash.
class WorkerRunSource : public RunSource {
 public:
  /// `wake` is called on a thread of the client whenever something has changed.
  WorkerRunSource(WorkerLaunch launch, std::function<void()> wake);

  [[nodiscard]] std::string place() const override;
  void start(const RunOrder& order) override;
  void stop() override;
  [[nodiscard]] RunStanding standing() override;
  [[nodiscard]] RunPicture picture() override;
  std::vector<RunLine> take_lines() override;
  [[nodiscard]] std::vector<RunDevice> devices() override;

 private:
  WorkerLaunch launch_;
  WorkerClient client_;
  std::optional<std::future<Result<RunAnswer>>> asked_run_;
  std::optional<Error> refusal_;  ///< of the newest request
  std::optional<std::future<Result<DevicesAnswer>>> asked_devices_;
  std::vector<RunDevice> devices_;
};

/// "generated-mlp-serial-20261130-081500.qtrace": of its own, so that no run takes another's place.
std::string recording_name(const RunOrder& order);

}  // namespace quintet::viewer
