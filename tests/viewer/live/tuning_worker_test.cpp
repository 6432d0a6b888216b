// The real command searches for better mappings: it tells how far it is, stops, measures, refuses.
#include <csignal>

#include "tests/viewer/live/worker_fixture.h"

namespace quintet {
namespace {

/// Searches over a recording that came with the tree.
class TuningWorker : public Worker {
 protected:
  [[nodiscard]] static TuneRequest request() {
    TuneRequest request;
    request.plan.scenario =
        QUINTET_SOURCE_DIR "/scenarios/recorded/mlp-b128-serial-whole_step.qtrace.gz";
    request.candidates = 1'500;
    return request;
  }
  /// One that only a stop ends.
  [[nodiscard]] static TuneRequest endless() {
    TuneRequest request = TuningWorker::request();
    request.candidates.reset();
    request.seconds = 36'000;
    return request;
  }
};

TEST_F(TuningWorker, TellsHowFarItIsAndAnswersWithTheFront) {
  WorkerClient client(options());
  const auto found = client.ask(request()).get();
  ASSERT_TRUE(found) << to_string(found.error());
  ASSERT_FALSE(found->front.empty());
  EXPECT_FALSE(found->stopped);
  EXPECT_TRUE(found->searched);
  EXPECT_TRUE(found->front.front().race_free);
  EXPECT_FALSE(found->front.front().toml.empty());
  for (const TunedPolicy& known : found->known)
    EXPECT_LE(found->front.front().step_ns, known.step_ns) << known.name;
  EXPECT_GT(found->bound.path_ns, 0);
  EXPECT_EQ(found->recorded_step_ns, 63'648);
  EXPECT_GE(found->candidates, 1'500);
  const ClientStatus status = client.status();
  ASSERT_TRUE(status.tuning.has_value());
  EXPECT_GT(status.tuning->candidates, 0);
  EXPECT_TRUE(status.tuning->best_ns.has_value());
  EXPECT_EQ(status.counts.other_messages, 0);
  const auto again = client.ask(request()).get();
  ASSERT_TRUE(again);
  ASSERT_EQ(again->front.size(), found->front.size());
  for (std::size_t at = 0; at < found->front.size(); ++at)
    EXPECT_EQ(again->front[at].step_ns, found->front[at].step_ns);
}

TEST_F(TuningWorker, IsStoppedWithTheBestSoFar) {
  WorkerClient client(options());
  auto answer = client.ask(endless());
  ASSERT_TRUE(wait_until([&] {
    const auto tuning = client.status().tuning;
    return tuning && tuning->candidates > 0;
  }));
  EXPECT_TRUE(client.ask(StopRequest{}).get().value().stopping);
  const auto found = answer.get();
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_TRUE(found->stopped);
  EXPECT_FALSE(found->front.empty());
  EXPECT_FALSE(client.ask(StopRequest{}).get().value().stopping) << "nothing goes on any more";
}

TEST_F(TuningWorker, DoesOneThingAtATime) {
  WorkerClient client(options());
  auto searching = client.ask(endless());
  ASSERT_TRUE(wait_until([&] { return client.status().tuning.has_value(); }));
  const auto run = client.ask(Worker::request(3)).get();
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("goes on"), std::string::npos);
  const auto other = client.ask(request()).get();
  ASSERT_FALSE(other);
  ASSERT_TRUE(client.ask(StopRequest{}).get());
  EXPECT_TRUE(searching.get());
  finish(client, Worker::request(3), RunState::finished);
}

TEST_F(TuningWorker, EndsInOrderWhenItsClientGoesAndOnSigterm) {
  {
    WorkerClient client(options());
    auto searching = client.ask(endless());
    ASSERT_TRUE(wait_until([&] { return client.status().tuning.has_value(); }));
  }
  WorkerClient client(options());
  auto searching = client.ask(endless());
  ASSERT_TRUE(wait_until([&] { return client.status().tuning.has_value(); }));
  kill(static_cast<pid_t>(client.status().hello.value().pid), SIGTERM);
  ASSERT_TRUE(wait_until([&] { return client.status().exit.has_value(); }));
  EXPECT_EQ(client.status().exit->code, 0);
  EXPECT_TRUE(searching.get()) << "the best so far is told before the end";
}

TEST_F(TuningWorker, EndsOnSigtermWhateverItIsAt) {
  for (const std::string phase : {"recording", "measuring"}) {
    WorkerClient client(options());
    TuneRequest request;
    request.plan.scenario = "generated-mlp";
    request.plan.epochs = phase == "recording" ? 20'000 : 12;
    request.candidates = 100;
    request.measure = 100;
    auto tuning = client.ask(request);
    ASSERT_TRUE(wait_until([&] {
      const auto now = client.status().tuning;
      return now && now->what.starts_with(phase);
    })) << phase;
    kill(static_cast<pid_t>(client.status().hello.value().pid), SIGTERM);
    ASSERT_TRUE(wait_until([&] { return client.status().exit.has_value(); })) << phase;
    EXPECT_EQ(client.status().exit->code, 0) << phase;
    const auto found = tuning.get();
    EXPECT_EQ(found.has_value(), phase == "measuring") << phase;
    EXPECT_TRUE(!found || found->stopped) << phase;
  }
}

TEST_F(TuningWorker, RecordsAScenarioAndMeasuresTheBest) {
  WorkerClient client(options());
  TuneRequest request;
  request.plan.scenario = "generated-mlp";
  request.plan.epochs = 12;
  request.candidates = 600;
  request.measure = 2;
  const auto found = client.ask(request).get();
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_EQ(found->recording, "generated-mlp-tune.qtrace");
  ASSERT_EQ(found->measured.size(), 4U) << "two, serial and renaissance";
  EXPECT_GT(found->measured[0].measured_step_ns.value(), 0);
  EXPECT_LE(*found->measured[0].measured_step_ns, found->measured[1].measured_step_ns.value());
  EXPECT_FALSE(found->measured[0].toml.empty());
}

TEST_F(TuningWorker, RefusesWhatItCannotSearch) {
  WorkerClient client(options());
  TuneRequest named = request();
  named.plan.policy = "serial";
  const auto policy = client.ask(named).get();
  ASSERT_FALSE(policy);
  EXPECT_NE(policy.error().cure.find("leave out policy"), std::string::npos);
  TuneRequest nothing = request();
  nothing.plan.scenario = "recorded/nothing";
  EXPECT_FALSE(client.ask(nothing).get());
  TuneRequest small = request();
  small.most_memory_mib = 1;
  const auto limit = client.ask(small).get();
  ASSERT_FALSE(limit);
  EXPECT_NE(limit.error().message.find("limit of memory"), std::string::npos);
}

}  // namespace
}  // namespace quintet
