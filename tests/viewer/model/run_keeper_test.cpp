#include "viewer/model/run_keeper.h"

#include <gtest/gtest.h>

#include "profiler/trace/trace_file.h"
#include "tests/profiler/trace/sample_trace.h"
#include "tests/support/tiny_trace.h"
#include "tests/viewer/model/part_bench.h"

namespace quintet::viewer {
namespace {

/// A source that does what the test says.
class MadeUpSource : public RunSource {
 public:
  [[nodiscard]] std::string place() const override { return "nowhere"; }
  void start(const RunOrder& order) override { orders.push_back(order); }
  void stop() override { ++stops; }
  RunStanding standing() override { return now; }
  RunPicture picture() override { return shown; }
  std::vector<RunLine> take_lines() override { return std::exchange(lines, {}); }
  std::vector<RunDevice> devices() override { return {{"host", "two cores", true}}; }

  std::vector<RunOrder> orders;
  int stops = 0;
  RunStanding now;
  RunPicture shown;
  std::vector<RunLine> lines;
};

struct World {
  std::shared_ptr<MadeUpSource> source = std::make_shared<MadeUpSource>();
  PartBench<RunKeeper> bench{source, std::string()};

  World() { bench.workbench().chosen_scenario = "generated-mlp"; }
};

TEST(RunKeeper, RunsWhatIsChosen) {
  World world;
  world.bench.workbench().chosen_executor = "cuda";
  world.bench.workbench().chosen_policy = "serial";
  world.bench.workbench().chosen_steps = 40;
  world.bench.send(command_id::kRun);
  ASSERT_EQ(world.source->orders.size(), 1U);
  EXPECT_EQ(world.source->orders[0],
            (RunOrder{"generated-mlp", "cuda", "serial", "", std::int64_t{40}}));
  EXPECT_EQ(world.bench.workbench().bottom_tab, "run");
  EXPECT_TRUE(world.bench.part().active());
}

TEST(RunKeeper, AnEditedPolicyRunsInPlaceOfTheChosenOne) {
  World world;
  world.bench.workbench().chosen_policy = "serial";
  world.bench.workbench().policy_edited = true;
  world.bench.workbench().draft_toml = "name = \"draft\"\n";
  world.bench.send(command_id::kRun);
  EXPECT_EQ(world.source->orders[0].policy, "");
  EXPECT_EQ(world.source->orders[0].policy_toml, "name = \"draft\"\n");
}

TEST(RunKeeper, ARunGrowsBesideWhatIsOpenAndIsOpenedWhenItIsDone) {
  World world;
  world.bench.open(tiny_trace());
  world.bench.send(command_id::kRun);
  EXPECT_EQ(world.bench.part().side(), Side::b);
  world.source->now.stage = RunStage::running;
  world.source->shown = {std::make_shared<const Trace>(tiny_trace()), 1};
  world.bench.frame();
  std::vector<Command> emitted = world.bench.commands().take();
  ASSERT_EQ(emitted.size(), 1U);
  ASSERT_NE(emitted[0].get<PlaceDocument>(), nullptr);
  EXPECT_TRUE(emitted[0].get<PlaceDocument>()->document.live);
  EXPECT_EQ(emitted[0].get<PlaceDocument>()->side, Side::b);
  EXPECT_EQ(world.bench.part().points().size(), 5U);

  const TemporaryFolder folder;
  const std::string file = folder.file("run.qtrace");
  ASSERT_TRUE(write_trace(tiny_trace(), file, TraceForm::plain));
  world.source->now.stage = RunStage::finished;
  world.source->now.recording = file;
  world.bench.frame();
  emitted = world.bench.commands().take();
  ASSERT_EQ(emitted.size(), 1U);
  EXPECT_EQ(emitted[0].get<OpenFile>()->path, file);
  world.bench.frame();
  EXPECT_TRUE(world.bench.commands().empty()) << "it is concluded once";
}

TEST(RunKeeper, ACrashKeepsWhatCame) {
  World world;
  world.bench.send(command_id::kRun);
  world.source->now.stage = RunStage::running;
  world.source->shown = {std::make_shared<const Trace>(tiny_trace()), 1};
  world.bench.frame();
  for (const Command& command : world.bench.commands().take())
    apply_command(command, world.bench.workbench());
  ASSERT_NE(world.bench.workbench().document(Side::a), nullptr);
  world.source->now.stage = RunStage::crashed;
  world.source->now.error = Error{"the worker was killed by signal 9", "run again", {}, 0};
  world.bench.frame();
  const std::vector<Command> emitted = world.bench.commands().take();
  ASSERT_EQ(emitted.size(), 1U);
  EXPECT_FALSE(emitted[0].get<PlaceDocument>()->document.live);
  EXPECT_EQ(emitted[0].get<PlaceDocument>()->document.trace->steps.size(), 5U);
  EXPECT_EQ(world.bench.workbench().log.lines().front().text.rfind("Run ", 0), 0U);
  ASSERT_NE(world.bench.workbench().log.alert(), nullptr);
  world.bench.send(command_id::kRun);
  EXPECT_EQ(world.source->orders.size(), 2U) << "it can be started again";
}

void place_recording_of(World& world, const std::string& scenario) {
  Trace trace = tiny_trace();
  trace.provenance["scenario"] = scenario;
  PlaceDocument placed;
  placed.document.trace = std::make_shared<const Trace>(trace);
  world.bench.send(command_id::kPlace, placed);
}

TEST(RunKeeper, ProposesTheScenarioOfWhatIsOpenedWhereNoneIsChosen) {
  World world;
  place_recording_of(world, "generated-lenet (batch = 8)");
  EXPECT_EQ(world.bench.workbench().chosen_scenario, "generated-mlp") << "it was chosen";
  world.bench.workbench().chosen_scenario.clear();
  place_recording_of(world, "generated-lenet (batch = 8)");
  EXPECT_EQ(world.bench.workbench().chosen_scenario, "generated-lenet");
  place_recording_of(world, "generated-resnet18");
  EXPECT_EQ(world.bench.workbench().chosen_scenario, "generated-resnet18") << "it was proposed";
}

TEST(RunKeeper, RunsTheScenarioOfARecordingAsItWasRecorded) {
  World world;
  place_recording_of(world, "generated-lenet (batch = 8, precision = amp)");
  world.bench.workbench().chosen_scenario = "generated-lenet";
  const RunOrder order = order_of(world.bench.workbench());
  EXPECT_EQ(order.batch, 8);
  EXPECT_EQ(order.precision, "amp");
  EXPECT_EQ(order.lowering, "");
  world.bench.workbench().chosen_scenario = "generated-mlp";
  EXPECT_EQ(order_of(world.bench.workbench()).batch, std::nullopt) << "another one";
}

TEST(RunKeeper, OneRunAtATimeAndStopReachesIt) {
  World world;
  world.bench.send(command_id::kRun);
  world.bench.send(command_id::kRun);
  EXPECT_EQ(world.source->orders.size(), 1U);
  world.bench.send(command_id::kStopRun);
  EXPECT_EQ(world.source->stops, 1);
}

TEST(RunKeeper, WithoutAScenarioOrASourceItSaysWhy) {
  World world;
  world.bench.workbench().chosen_scenario.clear();
  world.bench.send(command_id::kRun);
  EXPECT_TRUE(world.source->orders.empty());
  EXPECT_NE(world.bench.workbench().log.alert(), nullptr);

  PartBench<RunKeeper> none(nullptr, std::string("quintet is not beside this program"));
  none.send(command_id::kRun);
  ASSERT_NE(none.workbench().log.alert(), nullptr);
  EXPECT_NE(none.workbench().log.alert()->text.find("quintet is not beside"), std::string::npos);
}

TEST(RunPoints, AreTheTrainingStepsWithTheirThroughput) {
  Trace trace = tiny_trace();
  trace.steps[1].phase = "evaluate";
  trace.steps[2].batch = 8;
  trace.steps[2].loss = 0.5;
  const std::vector<RunPoint> points = run_points(trace);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[1].step, 2);
  EXPECT_DOUBLE_EQ(points[1].samples_per_second, 8e6) << "8 samples in 1000 ns";
  EXPECT_DOUBLE_EQ(*points[1].loss, 0.5);
}

TEST(RunPoints, CountAStepThatWasLaunchedAheadFromTheEndOfTheStepBefore) {
  Trace trace = tiny_trace();
  const std::int64_t length = trace.steps[2].end_ns - trace.steps[1].end_ns;
  trace.steps[2].begin_ns = trace.steps[0].begin_ns;
  trace.steps[2].batch = 8;
  const std::vector<RunPoint> points = run_points(trace);
  EXPECT_DOUBLE_EQ(points[2].samples_per_second, 8e9 / static_cast<double>(length));
}

}  // namespace
}  // namespace quintet::viewer
