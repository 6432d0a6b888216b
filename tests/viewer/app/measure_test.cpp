// What tuning finds is measured by a real worker on this machine: recorded here, tuned, run, taken.
#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <thread>

#include "tests/profiler/trace/sample_trace.h"
#include "tests/viewer/app/app_screen.h"
#include "viewer/app/worker_run_source.h"
#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/model/tuning/measure_keeper.h"
#include "viewer/model/tuning/tune_keeper.h"

namespace quintet::viewer {
namespace {

class MeasuredHere : public testing::Test {
 protected:
  MeasuredHere() {
    WorkerLaunch launch;
    launch.program = QUINTET_COMMAND;
    launch.folder = folder_.path();
    source_ = std::make_shared<WorkerRunSource>(launch, [] {});
  }

  /// The recording of a short run.
  std::string record() {
    RunOrder order;
    order.scenario = "generated-mlp";
    order.executor = "host";
    order.policy = "serial";
    order.steps = 24;
    source_->start(order);
    RunStanding standing;
    for (int wait = 0; wait < 60'000; ++wait) {
      standing = source_->standing();
      if (standing.stage == RunStage::finished) return standing.recording;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << name_of(standing.stage);
    return {};
  }

  TemporaryFolder folder_;
  std::shared_ptr<WorkerRunSource> source_;
};

TEST_F(MeasuredHere, TheBestOfASearchAreRunAndTheWinnerIsTaken) {
  AppOptions options;
  options.files = {record()};
  options.reopen = false;
  options.run_source = source_;
  AppScreen world(options, {1280, 800, 1});
  TuneChoice choice;
  choice.candidates = 600;
  choice.measured = 2;
  world.send(command_id::kChooseTuning, choice);
  world.send(command_id::kTune);
  const auto& tune = *world.app().parts().find<TuneKeeper>();
  const auto& measure = *world.app().parts().find<MeasureKeeper>();
  ASSERT_NE(tune.tuning(), nullptr)
      << (tune.refusal() ? to_string(*tune.refusal()) : world.complaint());
  world.send(command_id::kMeasureTuned);
  for (int wait = 0; wait < 60'000 && measure.active(); ++wait) {
    world.screen().frame(world.app());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(world.complaint(), "");
  EXPECT_GE(measure.measurements().size(), 3U) << "as recorded, and the best two";
  for (const Measurement& each : measure.measurements()) {
    EXPECT_GT(each.step_ns.value_or(0), 0);
    EXPECT_TRUE(std::filesystem::exists(each.recording)) << each.recording;
  }
  ASSERT_TRUE(measure.winner().has_value());
  world.send(command_id::kApplyTuned, static_cast<std::int64_t>(*measure.winner()));
  EXPECT_EQ(tune.taken(), measure.winner());
}

}  // namespace
}  // namespace quintet::viewer
