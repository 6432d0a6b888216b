#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "profiler/trace/span_order.h"
#include "tests/profiler/trace/sample_trace.h"
#include "tests/viewer/live/client_test.h"

namespace quintet {
namespace {

WorkerClientOptions scripted() {
  WorkerClientOptions options;
  options.launch.program = QUINTET_SCRIPTED_WORKER;
  return options;
}

class ScriptedClient : public ClientTest {
 protected:
  ScriptedClient() : client_(scripted()) {}
  WorkerClient client_;
};

/// What a client must hold after so many steps and an end.
Trace expected_trace(std::int64_t steps) {
  Trace trace = sample_trace(steps);
  trace.provenance["weights_hash"] = "0123456789abcdef";
  return trace;
}

TEST_F(ScriptedClient, HoldsTheWholeTraceOfARun) {
  const Trace trace = run_to(client_, "steps 50", RunState::finished);
  EXPECT_EQ(describe(trace), describe(expected_trace(50)));
  const ClientStatus status = client_.status();
  EXPECT_EQ(status.worker, WorkerState::ready);
  EXPECT_EQ(status.recording, "/there/run.qtrace");
  EXPECT_EQ(status.done.value().steps, 50);
  EXPECT_EQ(status.hello.value().program, "scripted");
  EXPECT_EQ(status.counts.frames.rejected(), 0);
  EXPECT_EQ(status.counts.bad_messages, 0);
}

TEST_F(ScriptedClient, RunsOneAfterTheOther) {
  for (const int steps : {5, 3, 8}) {
    const Trace trace = run_to(client_, "steps " + std::to_string(steps), RunState::finished);
    EXPECT_EQ(trace.steps.size(), static_cast<std::size_t>(steps));
  }
}

TEST_F(ScriptedClient, RequestsAreAnsweredWhileNothingRuns) {
  const Result<DevicesAnswer> devices = client_.ask(DevicesRequest{}).get();
  ASSERT_TRUE(devices) << to_string(devices.error());
  EXPECT_EQ(devices->missing.at(0).reason, "scripted");
}

TEST_F(ScriptedClient, ARefusalComesBackWithItsCure) {
  const Result<ScenariosAnswer> refused = client_.ask(ScenariosRequest{}).get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(to_string(refused.error()), "unknown method; ask another");
}

TEST_F(ScriptedClient, StopsARunInOrder) {
  ASSERT_TRUE(begin_run(client_, "forever"));
  ASSERT_TRUE(wait_until([&] {
    const LiveSnapshot now = client_.snapshot();
    return now.trace && now.trace->steps.size() > 10;
  }));
  EXPECT_EQ(client_.status().worker, WorkerState::running);
  ASSERT_TRUE(client_.ask(StopRequest{}).get());
  EXPECT_TRUE(wait_for_state(client_, RunState::stopped));
  EXPECT_EQ(client_.status().worker, WorkerState::ready);
}

TEST_F(ScriptedClient, ASecondRunWhileOneGoesOnIsRefusedAndHarmsNothing) {
  ASSERT_TRUE(begin_run(client_, "forever"));
  ASSERT_TRUE(wait_for_state(client_, RunState::running));
  EXPECT_FALSE(begin_run(client_, "steps 3"));
  EXPECT_EQ(client_.status().run, RunState::running);
  ASSERT_TRUE(client_.ask(StopRequest{}).get());
  EXPECT_TRUE(wait_for_state(client_, RunState::stopped));
}

TEST_F(ScriptedClient, ACrashKeepsWhatHadArrivedAndTheNextRunStartsAnew) {
  const Trace trace = run_to(client_, "crash 20", RunState::crashed);
  EXPECT_EQ(trace.steps.size(), 20U);
  EXPECT_EQ(trace.spans.size(), sample_trace(20).spans.size());
  EXPECT_EQ(count_of(trace, "worker_crashed"), 1);
  const ClientStatus status = client_.status();
  EXPECT_EQ(status.worker, WorkerState::crashed);
  EXPECT_EQ(status.exit.value().code, 3);
  EXPECT_EQ(status.exit->last_lines, (std::vector<std::string>{"first line", "about to crash"}));
  EXPECT_EQ(status.run_error.value().message, "the worker exited with status 3: about to crash");
  EXPECT_EQ(run_to(client_, "steps 4", RunState::finished).steps.size(), 4U);
}

TEST_F(ScriptedClient, AKilledWorkerIsToldBySignal) {
  ASSERT_TRUE(begin_run(client_, "forever"));
  ASSERT_TRUE(wait_until([&] { return client_.status().hello.has_value(); }));
  kill(static_cast<pid_t>(client_.status().hello->pid), SIGKILL);
  EXPECT_TRUE(wait_for_state(client_, RunState::crashed));
  EXPECT_EQ(client_.status().exit.value().text(), "killed by signal 9 (Killed)");
}

TEST_F(ScriptedClient, AFrameThatIsTornIsCounted) {
  run_to(client_, "torn 5", RunState::crashed);
  EXPECT_EQ(client_.status().counts.frames.torn, 1);
  EXPECT_EQ(client_.status().exit.value().code, 0);
}

TEST_F(ScriptedClient, StrayBytesOnItsOutputCostNothing) {
  const Trace trace = run_to(client_, "stray 10", RunState::finished);
  EXPECT_EQ(describe(trace), describe(expected_trace(10)));
  EXPECT_EQ(client_.status().counts.frames.stray_bytes, 10 * 11);
}

TEST_F(ScriptedClient, MessagesThatDidNotArriveAreAFinding) {
  const Trace trace = run_to(client_, "gap 3", RunState::finished);
  EXPECT_EQ(count_of(trace, "missing_batches"), 38);
  EXPECT_EQ(trace.steps.size(), 3U);
}

TEST_F(ScriptedClient, SpansThatPointNowhereAreAFinding) {
  const Trace trace = run_to(client_, "senseless 3", RunState::finished);
  EXPECT_EQ(count_of(trace, "damaged_spans"), 6);
  EXPECT_EQ(count_of(trace, "damaged_rows"), 1);
}

TEST_F(ScriptedClient, ARunThatIsRefusedForItsRacesSaysWhich) {
  ASSERT_TRUE(begin_run(client_, "races"));
  EXPECT_TRUE(wait_for_state(client_, RunState::refused));
  EXPECT_EQ(client_.status().done.value().races, std::vector<std::string>{"one race"});
  EXPECT_EQ(client_.snapshot().trace, nullptr);
}

TEST_F(ScriptedClient, AnswersThatNeverComeFailWhenTheWorkerIsEnded) {
  RunRequest request;
  request.plan.scenario = "mute";
  auto answer = client_.ask(request);
  ASSERT_TRUE(wait_until([&] { return client_.status().hello.has_value(); }));
  client_.kill_worker();
  const Result<RunAnswer> run = answer.get();
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("killed by signal 9"), std::string::npos);
  EXPECT_TRUE(wait_until([&] { return client_.status().worker == WorkerState::stopped; }));
}

TEST_F(ScriptedClient, AWorkerThatClosesItsOutputHasGone) {
  run_to(client_, "close 3", RunState::crashed);
  EXPECT_EQ(client_.status().exit.value().signal, SIGKILL);
}

TEST_F(ScriptedClient, AWorkerOfAnotherProtocolIsSentAway) {
  const TemporaryFolder folder;
  WorkerClientOptions options;
  options.launch.program = folder.file("future");
  std::filesystem::create_symlink(QUINTET_SCRIPTED_WORKER, options.launch.program);
  WorkerClient client(options);
  client.start();
  EXPECT_TRUE(wait_for_line(client, "speaks protocol 2, this viewer 1"));
  EXPECT_TRUE(wait_until([&] { return client.status().worker == WorkerState::crashed; }));
}

TEST_F(ScriptedClient, IsDestroyedInTimeWhateverTheWorkerDoes) {
  for (const char* script : {"forever", "stubborn", "deaf"}) {
    WorkerClientOptions options = scripted();
    options.closing_time = std::chrono::milliseconds(300);
    pid_t pid = 0;
    const auto begin = std::chrono::steady_clock::now();
    {
      WorkerClient client(options);
      ASSERT_TRUE(begin_run(client, script));
      ASSERT_TRUE(wait_until([&] { return client.status().hello.has_value(); }));
      pid = static_cast<pid_t>(client.status().hello->pid);
    }
    EXPECT_EQ(kill(pid, 0), -1) << script << ": reaped";
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kPatience);
  }
}

TEST_F(ScriptedClient, AProgramThatIsNotThereIsAnErrorWithACure) {
  WorkerClientOptions options;
  options.launch.program = "/no/such/quintet";
  WorkerClient client(options);
  const Result<RunAnswer> run = begin_run(client, "steps 1");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, "cannot start /no/such/quintet: No such file or directory");
  EXPECT_EQ(client.status().run, RunState::failed);
}

TEST_F(ScriptedClient, AProgramThatIsNoWorkerIsACrashWithItsLastWords) {
  WorkerClientOptions options;
  options.launch.program = "/bin/ls";  // of a file "worker", which is not there
  WorkerClient client(options);
  const Result<RunAnswer> run = begin_run(client, "steps 1");
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("exited with status 2: "), std::string::npos)
      << run.error().message;
}

TEST(WorkerClient, SurvivesAWorkerThatNoLongerReads) {
  const TemporaryFolder folder;
  const std::string path = folder.file("deaf");
  std::ofstream(path) << "#!/bin/sh\nexec 0<&-\necho deaf >&2\nsleep 0.2\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  WorkerClientOptions options;
  options.launch.program = path;
  WorkerClient client(options);
  auto first = client.ask(DevicesRequest{});
  const auto heard = [&] {
    const std::vector<LogLine> log = client.take_log();
    return std::any_of(log.begin(), log.end(),
                       [](const auto& line) { return line.text == "deaf"; });
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!heard() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  // Written to a pipe that nobody reads: once that ended the whole process.
  EXPECT_FALSE(client.ask(DevicesRequest{}).get());
  EXPECT_FALSE(first.get());
  EXPECT_EQ(client.status().worker, WorkerState::crashed);
}

TEST_F(ScriptedClient, SnapshotsAreWholeWhileTheTraceGrows) {
  std::atomic<bool> done = false;
  std::atomic<int> seen = 0;
  std::thread viewer([&] {
    std::uint64_t generation = 0;
    std::size_t steps = 0;
    while (!done) {
      const LiveSnapshot now = client_.snapshot();
      EXPECT_GE(now.generation, generation);
      if (now.trace && now.generation != generation) {
        EXPECT_TRUE(spans_sorted(now.trace->spans));
        EXPECT_EQ(now.trace->spans.size(), now.trace->spans.channel.size());
        EXPECT_GE(now.trace->steps.size(), steps);
        steps = now.trace->steps.size();
        ++seen;
      }
      generation = now.generation;
    }
  });
  const Trace trace = run_to(client_, "blast 1000000", RunState::finished);
  done = true;
  viewer.join();
  EXPECT_GT(seen, 1);
  EXPECT_GE(trace.spans.size() + static_cast<std::size_t>(count_of(trace, "unsent_spans")),
            1'000'000U);
}

TEST_F(ScriptedClient, TellsOfEveryChange) {
  std::atomic<int> changes = 0;
  WorkerClientOptions options = scripted();
  options.changed = [&] { ++changes; };
  {
    WorkerClient client(options);
    run_to(client, "steps 5", RunState::finished);
  }
  EXPECT_GT(changes, 0);
}

TEST(WorkerLaunchCommand, RunsHereWithoutAShell) {
  WorkerLaunch launch;
  launch.program = "/opt/quintet; rm -rf x";
  EXPECT_EQ(command_of(launch).value(),
            (std::vector<std::string>{"/opt/quintet; rm -rf x", "worker"}));
}

TEST(WorkerLaunchCommand, QuotesForTheShellOfTheOtherMachine) {
  WorkerLaunch launch;
  launch.host = "me@gpu";
  launch.program = "/opt/it's here/quintet";
  launch.folder = "runs $HOME";
  EXPECT_EQ(command_of(launch).value().back(),
            "cd -- 'runs $HOME' && exec '/opt/it'\\''s here/quintet' worker");
}

TEST(WorkerLaunchCommand, RefusesAHostThatIsAnOption) {
  WorkerLaunch launch;
  launch.host = "-oProxyCommand=evil";
  EXPECT_FALSE(command_of(launch));
}

}  // namespace
}  // namespace quintet
