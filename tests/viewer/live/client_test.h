/// What tests of a client share: one that is waited for, and a worker to choose.
#pragma once

#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <thread>

#include "viewer/live/worker_client.h"

namespace quintet {

class ClientTest : public testing::Test {
 protected:
  static constexpr std::chrono::seconds kPatience{60};

  /// True once `condition` holds; false if it does not in time.
  template <class Condition>
  static bool wait_until(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  static bool wait_for_state(const WorkerClient& client, RunState state) {
    return wait_until([&] { return client.status().run == state; });
  }
  /// Asks for a run and waits for the answer.
  static Result<RunAnswer> begin_run(WorkerClient& client, const std::string& scenario) {
    RunRequest request;
    request.plan.scenario = scenario;
    return client.ask(request).get();
  }
  /// Runs until `state`; the trace that is seen then.
  static Trace run_to(WorkerClient& client, const std::string& scenario, RunState state) {
    EXPECT_TRUE(begin_run(client, scenario));
    EXPECT_TRUE(wait_for_state(client, state)) << name_of(client.status().run);
    const RecordingState ended =
        state == RunState::crashed ? RecordingState::abandoned : RecordingState::complete;
    EXPECT_TRUE(wait_until([&] {
      const LiveSnapshot snapshot = client.snapshot();
      return snapshot.trace && snapshot.trace->state == ended;
    }));
    return *client.snapshot().trace;
  }
  /// Everything that was logged until a line with `text` came.
  static bool wait_for_line(WorkerClient& client, const std::string& text) {
    std::string all;
    return wait_until([&] {
      for (const LogLine& line : client.take_log())
        all += line.text + "\n";
      return all.find(text) != std::string::npos;
    });
  }
};

/// Of the finding of that name; 0 = there is none.
std::int64_t count_of(const Trace& trace, const std::string& finding);

}  // namespace quintet
