// Policies that were found are run one after the other, and their times stand beside the predicted.
#include "viewer/model/tuning/measure_keeper.h"

#include <gtest/gtest.h>
#include <set>

#include "tests/viewer/model/tuning/tuned_world.h"

namespace quintet::viewer::test {
namespace {

/// A source that does what the test says.
class MadeUpSource : public RunSource {
 public:
  [[nodiscard]] std::string place() const override { return "nowhere"; }
  void start(const RunOrder& order) override {
    orders.push_back(order);
    now = {};
    now.stage = RunStage::starting;
  }
  void stop() override {
    ++stops;
    now.stage = RunStage::stopped;
  }
  RunStanding standing() override { return now; }
  RunPicture picture() override { return {}; }
  std::vector<RunLine> take_lines() override { return {}; }
  std::vector<RunDevice> devices() override { return {}; }

  std::vector<RunOrder> orders;
  int stops = 0;
  RunStanding now;
};

class Measuring : public testing::Test {
 protected:
  Measuring() {
    auto made = std::make_unique<MeasureKeeper>(source_, std::string());
    keeper_ = made.get();
    world_.bench().parts().add(std::move(made));
    world_.bench().workbench().tuning.measured = 2;
    world_.open();
    world_.tune();
  }
  void send(std::string_view id) { world_.bench().send(id); }
  /// The run that goes on ends with that time.
  void finish(std::int64_t step_ns) {
    source_->now.untraced_step_ns = step_ns;
    source_->now.stage = RunStage::finished;
    source_->now.recording = "run.qtrace";
    world_.bench().frame();
  }

  std::shared_ptr<MadeUpSource> source_ = std::make_shared<MadeUpSource>();
  TunedWorld world_;
  MeasureKeeper* keeper_ = nullptr;
};

TEST_F(Measuring, RunsTheRecordedPolicyAndTheBestOneAfterTheOtherAndNamesTheWinner) {
  send(command_id::kMeasureTuned);
  ASSERT_EQ(source_->orders.size(), 1U);
  EXPECT_TRUE(keeper_->active());
  const RunOrder& order = source_->orders.front();
  EXPECT_EQ(order.scenario, "generated-mlp-512");
  EXPECT_EQ(order.executor, "cuda");
  EXPECT_EQ(order.precision, "amp");
  EXPECT_EQ(order.lowering, "fused");
  EXPECT_TRUE(order.resident_input);
  EXPECT_FALSE(order.batch.has_value());
  EXPECT_GE(order.steps.value_or(0), 96) << "a shorter run is not timed without the recorder";
  EXPECT_GE(order.epochs.value_or(0), 96) << "however few steps an epoch has";
  const std::vector<std::size_t> places = to_measure(world_.tuning(), 2);
  ASSERT_EQ(keeper_->measurements().size(), places.size());
  EXPECT_EQ(keeper_->measurements().front().candidate, world_.tuning().recorded);
  source_->now.stage = RunStage::running;
  source_->now.untraced_step_ns = 64'000;
  world_.bench().frame();
  EXPECT_EQ(source_->orders.size(), 1U) << "it still runs";
  EXPECT_EQ(keeper_->measurements().front().step_ns, 64'000);
  finish(64'000);
  finish(41'000);
  for (std::size_t rest = 2; rest < places.size(); ++rest)
    finish(43'000);
  EXPECT_FALSE(keeper_->active());
  ASSERT_EQ(source_->orders.size(), places.size());
  for (std::size_t at = 0; at < places.size(); ++at) {
    const Measurement& each = keeper_->measurements()[at];
    EXPECT_EQ(each.stage, MeasureStage::measured);
    EXPECT_EQ(each.recording, "run.qtrace");
    EXPECT_EQ(source_->orders[at].policy_toml,
              save_policy(world_.tuning().candidates[each.candidate].rated.policy));
  }
  EXPECT_NE(source_->orders[1].label, source_->orders[2].label) << "each has its own recording";
  ASSERT_TRUE(keeper_->winner().has_value());
  EXPECT_EQ(*keeper_->winner(), keeper_->measurements()[1].candidate);
  EXPECT_EQ(keeper_->of(*keeper_->winner())->step_ns, 41'000);
}

TEST_F(Measuring, StopEndsItAndKeepsWhatWasMeasured) {
  send(command_id::kMeasureTuned);
  finish(64'000);
  source_->now.untraced_step_ns = 1;
  send(command_id::kStopRun);
  world_.bench().frame();
  EXPECT_EQ(source_->stops, 1);
  EXPECT_FALSE(keeper_->active());
  ASSERT_EQ(keeper_->measurements().size(), 2U) << "what had not begun is gone";
  EXPECT_EQ(keeper_->measurements()[0].step_ns, 64'000);
  EXPECT_EQ(keeper_->measurements()[1].stage, MeasureStage::failed);
  EXPECT_FALSE(keeper_->measurements()[1].step_ns.has_value()) << "a timing broken off is none";
}

TEST_F(Measuring, ARefusedPolicyIsPassedOverAndADeviceThatIsNotThereEndsIt) {
  send(command_id::kMeasureTuned);
  source_->now.stage = RunStage::refused;
  source_->now.races = {"a writes what b reads"};
  world_.bench().frame();
  EXPECT_EQ(source_->orders.size(), 2U);
  EXPECT_NE(keeper_->measurements()[0].error->message.find("a writes"), std::string::npos);
  source_->now.stage = RunStage::failed;
  source_->now.error = Error{"there is no GPU", "", "", 0};
  world_.bench().frame();
  EXPECT_EQ(source_->orders.size(), 2U);
  EXPECT_FALSE(keeper_->active());
  EXPECT_FALSE(keeper_->winner().has_value());
  EXPECT_NE(world_.bench().workbench().log.alert(), nullptr);
}

TEST_F(Measuring, GoesWithItsTuning) {
  send(command_id::kMeasureTuned);
  world_.open("mlp-b128-renaissance-whole_step");
  EXPECT_EQ(source_->stops, 1);
  EXPECT_FALSE(keeper_->active());
  EXPECT_TRUE(keeper_->measurements().empty());
}

TEST_F(Measuring, WaitsForNoOtherRun) {
  source_->now.stage = RunStage::running;
  send(command_id::kMeasureTuned);
  EXPECT_TRUE(source_->orders.empty());
  EXPECT_NE(world_.bench().workbench().log.alert(), nullptr);
}

TEST_F(Measuring, TakesTheRecordedTheFastestAndTheYardsticksEachOnce) {
  const Tuning& tuning = world_.tuning();
  const std::vector<std::size_t> places = to_measure(tuning, 2);
  ASSERT_GE(places.size(), 3U);
  EXPECT_EQ(places[0], tuning.recorded);
  EXPECT_EQ(places[1], 0U) << "the best that was found";
  EXPECT_NE(tuning.candidates[places[2]].rated.origin, PolicyOrigin::search);
  std::set<std::string> texts;
  bool renaissance = false;
  for (const std::size_t place : places) {
    StreamPolicy policy = tuning.candidates[place].rated.policy;
    renaissance = renaissance || policy.name == "renaissance";
    policy.name = "any";
    policy.description.clear();
    EXPECT_TRUE(texts.insert(save_policy(policy)).second) << "it would run twice";
  }
  EXPECT_TRUE(renaissance);
}

TEST(OrderOfRecording, NamesWhatCannotBeRunAgain) {
  Document document;
  document.trace = std::make_shared<const Trace>(Trace{});
  EXPECT_FALSE(order_of_recording(document));
  Trace trace;
  trace.provenance["scenario"] = "my-own (batch = 8)";
  document.trace = std::make_shared<const Trace>(trace);
  const auto unknown = order_of_recording(document);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("my-own"), std::string::npos);
  trace.provenance["scenario"] = "generated-resnet50 (batch = 8, resident_input = true)";
  document.trace = std::make_shared<const Trace>(trace);
  const auto order = order_of_recording(document);
  ASSERT_TRUE(order) << to_string(order.error());
  EXPECT_EQ(order->batch, 8);
  EXPECT_TRUE(order->resident_input);
  EXPECT_EQ(order->precision, "");
}

}  // namespace
}  // namespace quintet::viewer::test
