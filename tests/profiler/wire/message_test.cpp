#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "profiler/wire/notifications.h"
#include "profiler/wire/requests.h"
#include "profiler/wire/tune_messages.h"

namespace quintet {
namespace {

/// Through CBOR, as over a link.
WireJson through_cbor(const WireJson& json) {
  return WireJson::from_cbor(WireJson::to_cbor(json));
}

template <class Message>
Message sent(const Message& message) {
  const Result<Message> read = Message::from_json(through_cbor(message.to_json()));
  if (!read) throw std::runtime_error(read.error().message);
  return *read;
}

/// What comes back says the same as what was sent.
template <class Message>
void expect_round_trip(const Message& message) {
  EXPECT_EQ(sent(message).to_json(), message.to_json());
}

/// Every field of the wrong type, missing, or null is refused by name or has a meaning; nothing crashes.
template <class Message>
void expect_robust(const Message& message) {
  const WireJson whole = message.to_json();
  for (const auto& [key, value] : whole.items()) {
    WireJson missing = whole;
    missing.erase(key);
    Message::from_json(missing);
    for (const WireJson& wrong :
         std::initializer_list<WireJson>{nullptr,
                                         -1,
                                         1.5,
                                         std::numeric_limits<std::uint64_t>::max(),
                                         true,
                                         "text",
                                         WireJson::array({1, "x", nullptr}),
                                         {{"x", 1}},
                                         WireJson::binary({1, 2, 3})}) {
      WireJson changed = whole;
      changed[key] = wrong;
      const Result<Message> read = Message::from_json(changed);
      if (!read) {
        EXPECT_NE(read.error().message.find(key), std::string::npos) << read.error().message;
      }
    }
  }
  for (const WireJson& wrong : std::initializer_list<WireJson>{1, "x", nullptr, WireJson::array()})
    EXPECT_FALSE(Message::from_json(wrong));
}

RunRequest full_run() {
  RunRequest request;
  request.plan.scenario = "fashion-lenet";
  request.plan.policy_toml = "name = \"mine\"\n";
  request.plan.sync = "dataflow";
  request.plan.gradients = "separate";
  request.plan.step = "whole_step";
  request.plan.precision = "amp";
  request.plan.lowering = "fused";
  request.plan.batch = 32;
  request.plan.epochs = 2;
  request.plan.steps = 100;
  request.plan.resident_input = true;
  request.plan.executor = "cuda";
  request.plan.plans = "/tmp/plans";
  request.plan.plan_search = "first";
  request.record = "node";
  request.delays = {"conv1=20"};
  request.out = "a.qtrace";
  request.allow_races = true;
  return request;
}

TuneRequest full_tune() {
  TuneRequest request;
  request.plan = full_run().plan;
  request.candidates = 20'000;
  request.seconds = 2.5;
  request.seed = 7;
  request.most_memory_mib = 4'096;
  request.measure = 3;
  return request;
}

TuneAnswer full_tuned() {
  TuneAnswer answer;
  answer.recording = "a-tune.qtrace";
  answer.recorded_under = "serial";
  answer.recorded_step_ns = 6'010'000;
  answer.error_share = 0.008;
  const TunedPolicy found{"tuned",   "search", "whole_step", "separate", 5'700'000,
                          1U << 30U, true,     "name = 1\n", {}};
  answer.front = {found};
  answer.known = {found, found};
  answer.measured = {found};
  answer.measured[0].measured_step_ns = 5'690'000;
  answer.bound = {5'400'000, 5'300'000, 5'000'000, 90'000};
  answer.candidates = 20'400;
  answer.rejected = 2;
  answer.first_rejected = "mine: the proof finds races";
  answer.unrated = 1;
  answer.searched = true;
  answer.stopped = true;
  answer.seconds = 2.25;
  return answer;
}

MetricsMessage full_metrics() {
  const MetricDefinition definition{"step/time", "Step time", "What a step takes.", "end - end",
                                    MetricHint::duration};
  return {3,
          {known_over_steps(definition, {1.5, 2.5, 3.5}, ""), absent_metric(definition, "no steps"),
           unknown_metric(definition, "not recorded")}};
}

DoneMessage full_done() {
  DoneMessage done;
  done.run = 4;
  done.ran = true;
  done.interrupted = true;
  done.races = {"race one"};
  done.recording = "a.qtrace";
  done.recording_error = Error{"disk full", "free some", "a.qtrace", 0};
  done.steps = 12;
  done.weights_hash = "0123456789abcdef";
  done.test_accuracy = 0.5;
  done.untraced_step_ns = 100;
  done.traced_step_ns = 101;
  done.findings = {{Severity::data_loss, "dropped_spans", "x", 3}};
  done.provenance = {{"gpu", "none"}};
  done.unsent_spans = 9;
  done.unsent_rows = 2;
  return done;
}

TEST(Message, EveryRequestComesBackWhole) {
  EXPECT_EQ(sent(full_run()), full_run());
  RunRequest least;
  least.plan.scenario = "x";
  EXPECT_EQ(sent(least), least);
  expect_round_trip(SetPolicyRequest{"name = 1\n"});
  expect_round_trip(VerifyRequest{full_run().plan});
  expect_round_trip(DevicesRequest{});
  expect_round_trip(ScenariosRequest{});
  expect_round_trip(PoliciesRequest{});
  expect_round_trip(StopRequest{});
  expect_round_trip(full_tune());
  TuneRequest least_tune;
  least_tune.plan.scenario = "x";
  expect_round_trip(least_tune);
}

TEST(Message, EveryAnswerComesBackWhole) {
  expect_round_trip(DevicesAnswer{{{"host", "a CPU", 1ULL << 63, 2, 0, "", {"oneDNN 2.6.3"}},
                                   {"cuda", "a GPU", 80, 0, 132, "9.0", {}}},
                                  {{"cuda", "no driver"}}});
  expect_round_trip(ScenariosAnswer{{{"a", "b", "c", "d", 1, 2, "e"}}});
  expect_round_trip(PoliciesAnswer{{{"a", "b", "c"}}});
  expect_round_trip(SetPolicyAnswer{"mine"});
  expect_round_trip(RunAnswer{5});
  expect_round_trip(StopAnswer{true});
  expect_round_trip(VerifyAnswer{"s", "p", {{"a", "b", "t", "c"}}, {"e"}, 1, 2, 3, 4, 5, 6});
  expect_round_trip(full_tuned());
  expect_round_trip(TuneAnswer{});
}

TEST(Message, EveryNotificationComesBackWhole) {
  expect_round_trip(HelloMessage{1, "quintet", "0.1.0", "here", 77});
  expect_round_trip(ProgressMessage{1, RunPhase::training, 5, 10, 0.25, true, 1234});
  expect_round_trip(ProgressMessage{1, RunPhase::preparing, 0, 0, {}, false, {}});
  expect_round_trip(full_metrics());
  expect_round_trip(LogMessage{Severity::notice, "line"});
  expect_round_trip(RunErrorMessage{2, {"message", "cure", "file", 3}});
  expect_round_trip(full_done());
  expect_round_trip(TuningMessage{"separate", 500, 5.7e6, 1.5});
  expect_round_trip(TuningMessage{"known policies", 0, {}, 0});
}

TEST(Message, WrongFieldsAreRefusedByName) {
  expect_robust(full_run());
  expect_robust(SetPolicyRequest{"x"});
  expect_robust(VerifyRequest{full_run().plan});
  expect_robust(DevicesAnswer{{{"host", "a CPU", 1, 2, 0, "", {}}}, {}});
  expect_robust(ScenariosAnswer{{{"a", "b", "c", "d", 1, 2, "e"}}});
  expect_robust(PoliciesAnswer{{{"a", "b", "c"}}});
  expect_robust(VerifyAnswer{"s", "p", {{"a", "b", "t", "c"}}, {"e"}, 1, 2, 3, 4, 5, 6});
  expect_robust(HelloMessage{1, "quintet", "0.1.0", "here", 77});
  expect_robust(ProgressMessage{1, RunPhase::training, 5, 10, 0.25, true, 1234});
  expect_robust(full_metrics());
  expect_robust(LogMessage{Severity::notice, "line"});
  expect_robust(RunErrorMessage{2, {"message", "cure", "file", 3}});
  expect_robust(full_done());
  expect_robust(full_tune());
  expect_robust(full_tuned());
  expect_robust(TuningMessage{"separate", 500, 5.7e6, 1.5});
}

TEST(Message, SaysWhichFieldIsWrongAndHow) {
  WireJson json = full_run().to_json();
  json["batch"] = 0;
  const Result<RunRequest> run = RunRequest::from_json(json);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, "run.batch is 0, not from 1 to 9223372036854775807");
}

TEST(Message, KeysThatAreNotKnownArePassedOver) {
  WireJson json = full_run().to_json();
  json["invented_later"] = 1;
  ASSERT_TRUE(RunRequest::from_json(json));
}

TEST(Message, ALossThatIsNoNumberIsNotKnown) {
  const ProgressMessage message{1, RunPhase::training, 5, 10, std::nan(""), false, {}};
  EXPECT_FALSE(sent(message).loss.has_value());
}

TEST(Message, APolicyIsGivenByNameOrByText) {
  WireJson json = full_run().to_json();
  json["policy"] = "serial";
  EXPECT_FALSE(RunRequest::from_json(json));
}

}  // namespace
}  // namespace quintet
