/// The real command as a worker, in a folder of its own. QUINTET_TEST_EXECUTOR=cuda lets its runs train on a GPU.
#pragma once

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <sys/stat.h>

#include "profiler/trace/trace_reader.h"
#include "tests/profiler/trace/sample_trace.h"
#include "tests/viewer/live/client_test.h"

namespace quintet {

/// More steps than any test waits for; the whole schedule is made first.
inline constexpr std::int64_t kForever = 300'000;

class Worker : public ClientTest {
 protected:
  [[nodiscard]] WorkerClientOptions options() const {
    WorkerClientOptions options;
    options.launch.program = QUINTET_COMMAND;
    options.launch.folder = folder_.path();
    options.closing_time = kPatience;
    return options;
  }
  [[nodiscard]] static RunRequest request(std::int64_t steps) {
    RunRequest request;
    request.plan.scenario = "generated-mlp";
    request.plan.epochs = 20'000;
    request.plan.steps = steps;
    request.out = "a.qtrace";
    if (const char* executor = std::getenv("QUINTET_TEST_EXECUTOR")) {
      request.plan.executor = executor;
    }
    return request;
  }
  [[nodiscard]] Trace recording() const {
    const Result<Trace> trace = read_trace(folder_.file("a.qtrace"));
    if (!trace) throw std::runtime_error(to_string(trace.error()));
    return *trace;
  }
  static bool wait_for_steps(const WorkerClient& client, std::size_t steps) {
    return wait_until([&] {
      const LiveSnapshot now = client.snapshot();
      return now.trace && now.trace->steps.size() >= steps;
    });
  }
  /// Runs to `state` and to the end of the trace.
  static void finish(WorkerClient& client, const RunRequest& request, RunState state) {
    ASSERT_TRUE(client.ask(request).get());
    ASSERT_TRUE(wait_for_state(client, state))
        << (client.status().run_error ? to_string(*client.status().run_error) : "no error");
    ASSERT_TRUE(wait_until([&] {
      const LiveSnapshot now = client.snapshot();
      return now.trace && now.trace->state != RecordingState::growing;
    }));
  }
  /// A script that stands for ssh: says what a login shell may say, then runs the last argument in a shell.
  [[nodiscard]] std::string false_ssh() const {
    const std::string path = folder_.file("ssh");
    std::ofstream(path) << "#!/bin/sh\necho Welcome to the other machine\n"
                           "for word; do last=$word; done\nexec sh -c \"$last\"\n";
    chmod(path.c_str(), 0700);
    return path;
  }

  TemporaryFolder folder_;
};

}  // namespace quintet
