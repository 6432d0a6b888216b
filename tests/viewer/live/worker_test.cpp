// The real command as a worker: what it streams is what it records, whatever happens to it.
#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <poll.h>
#include <random>
#include <set>
#include <unistd.h>

#include "profiler/wire/batch_message.h"
#include "tests/viewer/live/worker_fixture.h"
#include "viewer/live/worker_process.h"

namespace quintet {
namespace {

TEST_F(Worker, StreamsExactlyWhatItRecords) {
  WorkerClient client(options());
  finish(client, request(150), RunState::finished);
  const ClientStatus status = client.status();
  EXPECT_EQ(status.counts.unsent_spans, 0);
  EXPECT_EQ(status.counts.missing_batches, 0);
  EXPECT_EQ(status.counts.bad_messages, 0);
  EXPECT_EQ(status.counts.frames.stray_bytes, 0);
  EXPECT_EQ(status.recording, folder_.file("a.qtrace"));
  Trace streamed = *client.snapshot().trace;
  Trace recorded = recording();
  streamed.provenance.erase("traced_step_ns");  // computed from the recording when it is read
  recorded.provenance.erase("traced_step_ns");
  EXPECT_EQ(describe(streamed), describe(recorded));
  EXPECT_EQ(status.done.value().weights_hash, recorded.provenance.at("weights_hash"));
  EXPECT_FALSE(status.metrics.empty());
  EXPECT_TRUE(status.done->untraced_step_ns.has_value());
}

TEST_F(Worker, RunsOneAfterTheOther) {
  WorkerClient client(options());
  finish(client, request(5), RunState::finished);
  const std::string first = client.status().done.value().weights_hash;
  finish(client, request(5), RunState::finished);
  EXPECT_EQ(client.status().done.value().weights_hash, first);
  EXPECT_EQ(client.status().done->run, 2);
}

TEST_F(Worker, TellsWhatItsMachineHas) {
  WorkerClient client(options());
  const auto devices = client.ask(DevicesRequest{}).get();
  ASSERT_TRUE(devices);
  EXPECT_EQ(devices->devices.at(0).executor, "host");
  const auto scenarios = client.ask(ScenariosRequest{}).get();
  ASSERT_TRUE(scenarios);
  EXPECT_GT(scenarios->scenarios.size(), 5U);
  const auto policies = client.ask(PoliciesRequest{}).get();
  ASSERT_TRUE(policies);
  EXPECT_EQ(policies->policies.at(0).name, "serial");
}

TEST_F(Worker, ProvesAndRunsThePolicyThatWasSet) {
  WorkerClient client(options());
  const auto policies = client.ask(PoliciesRequest{}).get();
  ASSERT_TRUE(policies);
  std::string toml = policies->policies.at(0).toml;
  toml.replace(toml.find("serial"), 6, "my-own");
  ASSERT_EQ(client.ask(SetPolicyRequest{toml}).get().value().name, "my-own");
  VerifyRequest verify;
  verify.plan.scenario = "generated-mlp";
  const auto proof = client.ask(verify).get();
  ASSERT_TRUE(proof) << to_string(proof.error());
  EXPECT_EQ(proof->policy, "my-own");
  EXPECT_TRUE(proof->race_free());
  finish(client, request(2), RunState::finished);
  EXPECT_EQ(client.snapshot().trace->provenance.at("policy"), "my-own");
}

TEST_F(Worker, APolicyThatIsWrongNamesItsLine) {
  WorkerClient client(options());
  const auto answer = client.ask(SetPolicyRequest{"name = \"x\"\nsync = \"dataflo\"\n"}).get();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().line, 2);
  EXPECT_FALSE(answer.error().cure.empty());
}

TEST_F(Worker, StopsAfterTheStepThatItIsIn) {
  WorkerClient client(options());
  ASSERT_TRUE(client.ask(request(kForever)).get());
  ASSERT_TRUE(wait_for_steps(client, 20));
  EXPECT_TRUE(client.ask(StopRequest{}).get().value().stopping);
  ASSERT_TRUE(wait_for_state(client, RunState::stopped));
  EXPECT_EQ(recording().state, RecordingState::complete);
  EXPECT_EQ(count_of(recording(), "interrupted"), 1);
  EXPECT_EQ(client.status().worker, WorkerState::ready);
}

TEST_F(Worker, LivesOnAfterARequestThatCannotBe) {
  WorkerClient client(options());
  RunRequest unknown = request(3);
  unknown.plan.scenario = "generated-mpl";
  ASSERT_TRUE(client.ask(unknown).get());
  ASSERT_TRUE(wait_for_state(client, RunState::failed));
  EXPECT_NE(client.status().run_error.value().cure.find("generated-mlp"), std::string::npos);
  RunRequest word = request(3);
  word.plan.sync = "datafow";
  EXPECT_FALSE(client.ask(word).get());
  RunRequest device = request(3);
  device.plan.executor = "abacus";
  ASSERT_TRUE(client.ask(device).get());
  ASSERT_TRUE(wait_for_state(client, RunState::failed));
  finish(client, request(3), RunState::finished);
}

TEST_F(Worker, CompletesTheRecordingWhenItsClientGoes) {
  {
    WorkerClient client(options());
    ASSERT_TRUE(client.ask(request(kForever)).get());
    ASSERT_TRUE(wait_for_steps(client, 10));
  }
  EXPECT_EQ(recording().state, RecordingState::complete);
  EXPECT_EQ(folder_.listing(), "a.qtrace");
}

TEST_F(Worker, EndsInOrderOnSigterm) {
  WorkerClient client(options());
  ASSERT_TRUE(client.ask(request(kForever)).get());
  ASSERT_TRUE(wait_for_steps(client, 10));
  kill(static_cast<pid_t>(client.status().hello.value().pid), SIGTERM);
  ASSERT_TRUE(wait_for_state(client, RunState::stopped));
  EXPECT_EQ(recording().state, RecordingState::complete);
  ASSERT_TRUE(wait_until([&] { return client.status().exit.has_value(); }));
  EXPECT_EQ(client.status().exit->code, 0);
}

TEST_F(Worker, RunsOnAnotherMachineWhateverItsLoginShellPrints) {
  WorkerClientOptions remote = options();
  remote.launch.host = "other";
  remote.launch.ssh = {false_ssh()};
  WorkerClient client(remote);
  finish(client, request(20), RunState::finished);
  EXPECT_EQ(client.snapshot().trace->steps.size(), recording().steps.size());
  EXPECT_GE(recording().steps.size(), 20U);
  EXPECT_GT(client.status().counts.frames.stray_bytes, 0);
}

/// Every step that the client has is in the recording, and whole.
void expect_within(const Trace& streamed, const Trace& recorded) {
  ASSERT_LE(streamed.steps.size(), recorded.steps.size());
  std::map<std::int32_t, std::size_t> spans;
  for (const std::int32_t step : recorded.spans.step)
    ++spans[step];
  for (std::size_t i = 0; i < streamed.steps.size(); ++i) {
    EXPECT_EQ(streamed.steps[i].step, recorded.steps[i].step);
    EXPECT_EQ(streamed.steps[i].end_ns, recorded.steps[i].end_ns);
    EXPECT_EQ(streamed.steps[i].loss, recorded.steps[i].loss);
  }
  std::map<std::int32_t, std::size_t> seen;
  for (const std::int32_t step : streamed.spans.step)
    ++seen[step];
  for (const auto& [step, count] : seen)
    EXPECT_LE(count, spans[step]);
}

TEST_F(Worker, KilledAtAnyMomentLosesNoStepAndIsStartedAgain) {
  constexpr int kKills = 50;
  std::mt19937 random(20'261'130);
  std::uniform_int_distribution<int> moment(0, 250'000);
  WorkerClient client(options());
  int with_steps = 0;
  for (int kill_number = 0; kill_number < kKills; ++kill_number) {
    SCOPED_TRACE(kill_number);
    std::filesystem::remove(folder_.file("a.qtrace"));
    ASSERT_TRUE(client.ask(request(kForever)).get());
    if (kill_number % 2 == 1) {
      ASSERT_TRUE(wait_for_steps(client, 1));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(moment(random)));
    kill(static_cast<pid_t>(client.status().hello.value().pid), SIGKILL);
    ASSERT_TRUE(wait_for_state(client, RunState::crashed));
    EXPECT_EQ(client.status().exit.value().signal, SIGKILL);
    const LiveSnapshot left = client.snapshot();
    if (!left.trace) continue;
    ASSERT_TRUE(
        wait_until([&] { return client.snapshot().trace->state == RecordingState::abandoned; }));
    const Trace recorded = recording();
    EXPECT_EQ(recorded.state, RecordingState::abandoned);
    expect_within(*client.snapshot().trace, recorded);
    if (!client.snapshot().trace->steps.empty()) ++with_steps;
  }
  EXPECT_GE(with_steps, kKills / 2);
  finish(client, request(5), RunState::finished);
}

/// A worker without a client: what its frames say is read by hand, as slowly as a test wants.
class RawWorker {
 public:
  RawWorker(const std::string& folder, const std::vector<std::string>& more)
      : process_(start(folder, more)) {}

  void send(RpcMessage message) {
    const std::vector<std::byte> frame = frame_of(encode(std::move(message)));
    ASSERT_EQ(write(process_.input(), frame.data(), frame.size()),
              static_cast<ssize_t>(frame.size()));
  }
  /// Notifications that came since; waits a little where there are none.
  std::vector<RpcNotification> read_some() {
    std::vector<RpcNotification> notes;
    pollfd wait{process_.output(), POLLIN, 0};
    if (poll(&wait, 1, 100) <= 0) return notes;
    std::array<std::byte, 65'536> block{};
    const ssize_t got = read(process_.output(), block.data(), block.size());
    if (got <= 0) return notes;
    decoder_.take(std::span(block).first(static_cast<std::size_t>(got)), [&](auto payload) {
      const RpcMessage message = decode(payload).value();
      if (const auto* note = std::get_if<RpcNotification>(&message)) notes.push_back(*note);
    });
    return notes;
  }
  bool wait_for(const std::string& method) {
    for (int i = 0; i < 600; ++i) {
      for (const RpcNotification& note : read_some())
        if (note.method == method) return true;
    }
    return false;
  }
  WorkerProcess& process() { return process_; }

 private:
  static WorkerProcess start(const std::string& folder, const std::vector<std::string>& more) {
    std::vector<std::string> command = {QUINTET_COMMAND, "worker"};
    command.insert(command.end(), more.begin(), more.end());
    auto process = WorkerProcess::start(command, folder);
    if (!process) throw std::runtime_error(to_string(process.error()));
    return std::move(*process);
  }
  WorkerProcess process_;
  FrameDecoder decoder_;
};

TEST_F(Worker, ASlowLinkCostsSpansThatAreCountedAndNoStep) {
  RawWorker worker(folder_.path(), {"--queue", "1"});
  worker.send(RpcRequest{1, "run", request(3'000).to_json()});
  ASSERT_TRUE(worker.wait_for("task_graph"));
  std::this_thread::sleep_for(std::chrono::seconds(3));  // nobody reads meanwhile
  std::set<std::int64_t> steps;
  std::int64_t spans = 0;
  std::optional<DoneMessage> done;
  while (!done) {
    for (const RpcNotification& note : worker.read_some()) {
      if (note.method == "steps") {
        const StepsMessage message = StepsMessage::from_json(note.params).value();
        for (const TraceStep& step : message.steps)
          steps.insert(step.step);
      } else if (note.method == "spans") {
        const TraceBatch batch = SpansMessage::from_json(note.params).value().batch;
        spans += static_cast<std::int64_t>(batch.spans.size() + batch.untimed.size());
      } else if (note.method == "done") {
        done = DoneMessage::from_json(note.params).value();
      }
    }
  }
  const Trace recorded = recording();
  EXPECT_EQ(recorded.state, RecordingState::complete);
  EXPECT_GT(done->unsent_spans, 0);
  EXPECT_EQ(steps.size(), recorded.steps.size());
  EXPECT_EQ(spans + done->unsent_spans, static_cast<std::int64_t>(recorded.spans.size()));
}

TEST_F(Worker, ACutPipeEndsTheRunAndCompletesTheRecording) {
  RawWorker worker(folder_.path(), {});
  worker.send(RpcRequest{1, "run", request(kForever).to_json()});
  ASSERT_TRUE(worker.wait_for("steps"));
  worker.process().close_output();
  ASSERT_TRUE(wait_until([&] { return worker.process().poll_end().has_value(); }));
  EXPECT_EQ(worker.process().poll_end()->code, 0);
  EXPECT_EQ(recording().state, RecordingState::complete);
}

TEST_F(Worker, HostileBytesOnItsInputDoItNoHarm) {
  RawWorker worker(folder_.path(), {});
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::byte> bytes(random() % 300);
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random());
    if (round % 2 == 0) bytes = frame_of(bytes);
    ASSERT_EQ(write(worker.process().input(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
  }
  worker.send(RpcRequest{1, "run", request(2).to_json()});
  EXPECT_TRUE(worker.wait_for("done"));
}

TEST_F(Worker, InputWithoutAnyRequestIsAnErrorAndAnEmptyOneIsNot) {
  const auto status_on = [&](const std::string& bytes) {
    RawWorker worker(folder_.path(), {});
    EXPECT_EQ(write(worker.process().input(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
    worker.process().close_input();
    EXPECT_TRUE(wait_until([&] { return worker.process().poll_end().has_value(); }));
    return worker.process().poll_end()->code;
  };
  EXPECT_EQ(status_on(""), 0);
  EXPECT_EQ(status_on("GET / HTTP/1.1\r\n\r\n"), 2);
  const std::vector<std::byte> frame = frame_of(std::vector<std::byte>(5));
  std::string framed(frame.size(), ' ');
  std::memcpy(framed.data(), frame.data(), frame.size());
  EXPECT_EQ(status_on(framed), 2) << "a frame that holds no message";
}

}  // namespace
}  // namespace quintet
