// The part of the workbench that tunes: started, stopped, dropped, and its result taken.
#include "viewer/model/tuning/tune_keeper.h"

#include <gtest/gtest.h>
#include <thread>

#include "tests/viewer/model/tuning/tuned_world.h"

namespace quintet::viewer::test {
namespace {

TEST(TuneKeeper, TunesWhatIsOpenAndShowsItsTab) {
  TunedWorld world;
  world.open();
  EXPECT_EQ(world.keeper().tuning(), nullptr);
  world.tune();
  EXPECT_FALSE(world.keeper().running());
  ASSERT_NE(world.keeper().tuning(), nullptr);
  EXPECT_EQ(world.bench().workbench().bottom_tab, "tune");
  EXPECT_GT(world.tuning().tried, 1'000U);
  EXPECT_EQ(world.keeper().taken(), world.tuning().recorded) << "nothing was edited yet";
}

TEST(TuneKeeper, TakingACandidateIsOneNamedEditThatUndoes) {
  TunedWorld world;
  world.open();
  world.tune();
  const TuneCandidate& best = world.tuning().candidates.front();
  const StreamPolicy before = world.mapping().draft().policy();
  world.bench().send(command_id::kApplyTuned);
  world.settle();
  const PolicyDraft& draft = world.mapping().draft();
  ASSERT_EQ(draft.done(), 1U);
  EXPECT_EQ(draft.undo_name(), best.edit.name);
  EXPECT_EQ(draft.undo_name().rfind("tuned: ", 0), 0U) << draft.undo_name();
  EXPECT_EQ(draft.policy(), best.rated.policy);
  EXPECT_EQ(world.keeper().taken(), 0U);
  // Proof and prediction of an edit are those of the search.
  ASSERT_NE(world.mapping().verdict(), nullptr);
  EXPECT_EQ(world.mapping().verdict()->kind, VerdictKind::race_free);
  ASSERT_TRUE(world.mapping().verdict()->forecast.has_value());
  EXPECT_NEAR(world.mapping().verdict()->forecast->step_ns, best.rated.step_ns, 1);
  EXPECT_EQ(world.mapping().verdict()->device_bytes, best.rated.memory_bytes);
  world.bench().send(command_id::kUndo);
  world.settle();
  EXPECT_EQ(draft.policy(), before);
  EXPECT_EQ(world.keeper().taken(), world.tuning().recorded);
}

TEST(TuneKeeper, ACandidateCanBeTriedBeforeItIsTaken) {
  TunedWorld world;
  world.open();
  world.tune();
  const TuneCandidate& best = world.tuning().candidates.front();
  world.bench().send(command_id::kTryTuned, std::int64_t{0});
  world.settle();
  EXPECT_EQ(world.keeper().tried(), 0U);
  ASSERT_NE(world.mapping().tried_verdict(), nullptr);
  EXPECT_NEAR(world.mapping().tried_verdict()->forecast->step_ns, best.rated.step_ns, 1);
  EXPECT_EQ(world.mapping().draft().done(), 0U);
  world.bench().workbench().bottom_tab = "tasks";
  world.settle();
  EXPECT_FALSE(world.keeper().tried().has_value()) << "its tab is hidden";
  EXPECT_FALSE(world.mapping().tried().has_value());
}

TEST(TuneKeeper, SaysWhyNothingCanBeTunedOrTaken) {
  TunedWorld world;
  world.bench().send(command_id::kTune);
  EXPECT_FALSE(world.keeper().running());
  EXPECT_NE(world.bench().workbench().log.alert(), nullptr);
  world.bench().open(Trace{}, Side::a, "import.json");
  world.tune();
  ASSERT_TRUE(world.keeper().refusal().has_value());
  EXPECT_FALSE(world.keeper().refusal()->message.empty());
  EXPECT_TRUE(world.bench().send(command_id::kApplyTuned)) << "taken, and answered in the log";
  EXPECT_TRUE(world.bench().send(command_id::kStopTuning));
}

/// A search that has no end, as a viewer has it: between two frames.
class EndlessSearch : public testing::Test {
 protected:
  EndlessSearch() {
    auto made = std::make_unique<MappingKeeper>("");
    parts_.add(std::move(made));
    workbench_.tuning.candidates = 0;
    open();
    prepare();
    background_.finish();
    prepare();
    send(command_id::kTune);
    wait_until([this] { return keeper_.standing().candidates > 500; });
  }

  void open() {
    PlaceDocument placed;
    placed.document.trace = std::make_shared<const Trace>(recorded("mlp-b128-serial-whole_step"));
    placed.document.file = "run.qtrace.gz";
    apply_command({command_id::kPlace, placed}, workbench_);
  }
  void prepare() {
    background_.collect();
    PartContext context{workbench_, background_, commands_, parts_};
    parts_.prepare(context);
    keeper_.prepare(context);
  }
  void send(std::string_view id) {
    PartContext context{workbench_, background_, commands_, parts_};
    keeper_.handle({id, {}}, context);
  }
  template <class Condition>
  void wait_until(Condition condition) {
    for (int tries = 0; tries < 60'000 && !condition(); ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      prepare();
    }
    EXPECT_TRUE(condition());
  }

  Workbench workbench_;
  CommandQueue commands_;
  Parts parts_;
  TuneKeeper keeper_;
  Background background_;
};

TEST_F(EndlessSearch, IsStoppedWithTheBestSoFar) {
  ASSERT_FALSE(keeper_.standing().best.empty());
  const double best = keeper_.standing().best.back().best_ns;
  send(command_id::kStopTuning);
  EXPECT_TRUE(keeper_.stopping());
  wait_until([this] { return !keeper_.running(); });
  ASSERT_NE(keeper_.tuning(), nullptr);
  EXPECT_TRUE(keeper_.tuning()->stopped);
  EXPECT_LE(keeper_.tuning()->candidates.front().rated.step_ns, best * (1 + 1e-9));
}

TEST_F(EndlessSearch, IsDroppedWithItsRecording) {
  open();
  prepare();
  EXPECT_FALSE(keeper_.running());
  background_.finish();
  prepare();
  EXPECT_EQ(keeper_.tuning(), nullptr);
  EXPECT_EQ(keeper_.standing().candidates, 0U);
}

TEST_F(EndlessSearch, CancelledAsAJobLeavesNothingBehind) {
  background_.cancel(std::string(kTuneJob));
  prepare();
  EXPECT_FALSE(keeper_.running());
  background_.finish();
  prepare();
  EXPECT_EQ(keeper_.tuning(), nullptr);
}

TEST_F(EndlessSearch, IsOneAtATime) {
  send(command_id::kTune);
  EXPECT_TRUE(keeper_.running());
  EXPECT_NE(workbench_.log.alert(), nullptr);
  send(command_id::kStopTuning);
  wait_until([this] { return !keeper_.running(); });
}

}  // namespace
}  // namespace quintet::viewer::test
