// The Tune tab under a hand: a search is started, its policies are tried, taken and taken back.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/viewer/app/app_screen.h"
#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/model/tuning/measure_keeper.h"
#include "viewer/model/tuning/tune_keeper.h"

namespace quintet::viewer::test {
namespace {

constexpr int kWidth = 1600;
constexpr int kHeight = 950;

/// A source of runs that end at once, each faster than the one before.
class QuickSource : public RunSource {
 public:
  [[nodiscard]] std::string place() const override { return "nowhere"; }
  void start(const RunOrder& /*order*/) override { step_ns_ -= 1'000; }
  void stop() override {}
  RunStanding standing() override {
    RunStanding standing;
    standing.stage = started() ? RunStage::finished : RunStage::none;
    if (started()) standing.untraced_step_ns = step_ns_;
    return standing;
  }
  RunPicture picture() override { return {}; }
  std::vector<RunLine> take_lines() override { return {}; }
  std::vector<RunDevice> devices() override { return {{"host", "two cores", true}}; }

 private:
  static constexpr std::int64_t kFirst = 64'000;
  [[nodiscard]] bool started() const { return step_ns_ < kFirst; }
  std::int64_t step_ns_ = kFirst;
};

AppOptions options() {
  AppOptions options;
  options.files = {QUINTET_SOURCE_DIR "/scenarios/recorded/mlp-b128-serial-whole_step.qtrace.gz"};
  options.reopen = false;
  options.run_source = std::make_shared<QuickSource>();
  return options;
}

class TuneTab : public testing::Test {
 protected:
  TuneTab() {
    TuneChoice choice;
    choice.candidates = 2'000;
    world_.send(command_id::kChooseTuning, choice);
    world_.press({Key::u, true});
    world_.settle();
  }
  const TuneKeeper& tune() { return *world_.app().parts().find<TuneKeeper>(); }
  const MappingKeeper& mapping() { return *world_.app().parts().find<MappingKeeper>(); }
  const MeasureKeeper& measure() { return *world_.app().parts().find<MeasureKeeper>(); }
  void point_at(float x, float y) {
    world_.screen().move_mouse(x, y);
    world_.settle();
  }
  /// Points over the tab until a candidate other than the one that is taken is tried; false: nowhere.
  bool find_candidate(float left, float right) {
    const float top = kHeight - world_.workbench().layout.bottom_height;
    for (y_ = top + 60; y_ < kHeight - 40; y_ += 12) {
      for (x_ = left; x_ < right; x_ += 12) {
        world_.screen().move_mouse(x_, y_);
        world_.screen().frame(world_.app(), 3);
        if (mapping().tried()) return true;
      }
    }
    return false;
  }

  AppScreen world_{options(), {kWidth, kHeight, 1}};
  float x_ = 0;
  float y_ = 0;
};

TEST_F(TuneTab, ShowsWhatWasFoundWithoutComplaint) {
  ASSERT_NE(tune().tuning(), nullptr);
  EXPECT_EQ(world_.workbench().bottom_tab, "tune");
  EXPECT_EQ(world_.complaint(), "");
  EXPECT_GT(world_.screen().counts().triangles, 2'000U);
}

TEST_F(TuneTab, AClickInThePlotTakesThePolicyAsOneEdit) {
  ASSERT_TRUE(find_candidate(300, 720)) << "no point of the plot is under the pointer";
  const std::string tried = mapping().tried()->name;
  world_.click(x_, y_);
  world_.settle();
  EXPECT_EQ(mapping().draft().done(), 1U);
  EXPECT_EQ(mapping().draft().undo_name(), tried);
  ASSERT_TRUE(tune().taken().has_value());
  world_.press({Key::z, true});
  world_.settle();
  EXPECT_TRUE(mapping().draft().unchanged());
}

TEST_F(TuneTab, ARowOfTheTableTriesItsPolicyAndThePointerGoingDropsIt) {
  ASSERT_TRUE(find_candidate(820, 860)) << "no row of the table is under the pointer";
  EXPECT_EQ(mapping().draft().done(), 0U);
  point_at(kWidth / 2.0F, 200);
  EXPECT_FALSE(mapping().tried().has_value());
}

TEST_F(TuneTab, TheBestAreMeasuredAndTheWinnerIsMarkedAndTaken) {
  world_.send(command_id::kMeasureTuned);
  for (int frame = 0; frame < 4 && measure().active(); ++frame)
    world_.settle();
  EXPECT_FALSE(measure().active());
  EXPECT_EQ(measure().measurements().size(), to_measure(*tune().tuning(), 3).size());
  ASSERT_TRUE(measure().winner().has_value());
  EXPECT_EQ(*measure().winner(), measure().measurements().back().candidate);
  world_.send(command_id::kApplyTuned, static_cast<std::int64_t>(*measure().winner()));
  EXPECT_EQ(tune().taken(), measure().winner());
  EXPECT_EQ(world_.complaint(), "");
}

}  // namespace
}  // namespace quintet::viewer::test
