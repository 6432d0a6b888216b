// `quintet tune` and `quintet advise`: what they find is a policy file that the other commands take.

#include <gmock/gmock.h>
#include <map>

#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

const std::string kRecorded = "recorded/mlp-b128-renaissance-event_sync";

struct Tune : CliTest {};

TEST_F(Tune, FindsAPolicyThatIsProvedPredictedAndNoWorseThanTheKnownOnes) {
  const Json found =
      run_json({"tune", kRecorded, "--candidates", "1500", "--out", "tuned.toml", "--json"});
  EXPECT_EQ(found.at("schema"), "quintet.tune");
  EXPECT_TRUE(found.at("best").at("race_free").get<bool>());
  for (const Json& known : found.at("known"))
    EXPECT_LE(found.at("best").at("step_ns"), known.at("step_ns")) << known;
  EXPECT_GT(found.at("lower_bound").at("ns"), 0);
  EXPECT_EQ(read_text(folder_.file("tuned.toml")), found.at("policy_toml").get<std::string>());
  const Json predicted = run_json({"whatif", kRecorded, "--policy", "tuned.toml", "--json"});
  EXPECT_NEAR(predicted.at("step_ns").get<double>(), found.at("best").at("step_ns").get<double>(),
              1);
  EXPECT_EQ(run_json({"verify", kRecorded, "--policy", "tuned.toml", "--json"}).at("verdict"),
            "race-free");
}

TEST_F(Tune, GivesTheSameAnswerForTheSameSeedAndBudget) {
  const Words words = {"tune", kRecorded, "--candidates", "800", "--seed", "5", "--json"};
  EXPECT_EQ(run_json(words), run_json(words));
}

TEST_F(Tune, RefusesAFolderThatIsMissingBeforeItSearches) {
  expect_refusal({"tune", kRecorded, "--seconds", "600", "--out", "missing/tuned.toml"},
                 {"missing/tuned.toml", "there is no folder missing"});
}

TEST_F(Tune, RefusesToMeasureWithoutTheDeviceBeforeItSearches) {
  if (run_json({"devices", "--json"}).at("missing").empty())
    GTEST_SKIP() << "this machine has a GPU";
  expect_refusal({"tune", kRecorded, "--seconds", "600", "--measure", "2"},
                 {"leave out --measure"});
}

TEST_F(Tune, SaysWhatItKnowsAndHowFarItIsFromTheBound) {
  const std::string text = run_fine({"tune", kRecorded, "--candidates", "600"});
  EXPECT_THAT(text, testing::HasSubstr("lower bound"));
  EXPECT_THAT(text, testing::HasSubstr("ooo-wgrad"));
  EXPECT_THAT(text, testing::HasSubstr("mappings tried"));
}

TEST_F(Tune, RecordsAndMeasuresAScenarioThatNoRecordingStandsFor) {
  const Json found = run_json({"tune", "generated-mlp", "--epochs", "12", "--candidates", "600",
                               "--measure", "2", "--json"});
  EXPECT_EQ(found.at("recording"), "generated-mlp-tune.qtrace");
  ASSERT_EQ(found.at("measured").size(), 4U) << "two, serial and renaissance";
  EXPECT_LE(found.at("measured").at(0).at("measured_step_ns"),
            found.at("measured").at(1).at("measured_step_ns"));
  EXPECT_EQ(found.at("best").at("policy"), found.at("measured").at(0).at("policy"));
  std::map<int, int> measured_runs;
  for (const Json& each : found.at("measured"))
    ++measured_runs[each.at("measured_runs").get<int>()];
  EXPECT_EQ(measured_runs[1] + measured_runs[2], 4);
  EXPECT_NE(measured_runs[2], 1) << "one alone has nothing to be told apart from";
}

TEST_F(Tune, MeasuresWhatWasRecordedForAFewStepsOnly) {
  run_fine({"run", "generated-mlp", "--policy", "serial", "--step", "whole_step", "--steps", "10",
            "--out", "short.qtrace"});
  const Json found =
      run_json({"tune", "short.qtrace", "--candidates", "600", "--measure", "1", "--json"});
  EXPECT_EQ(found.at("measured").size(), 3U) << "one, serial and renaissance";
}

TEST_F(Tune, RefusesALimitThatNothingKeepsTo) {
  expect_refusal({"tune", kRecorded, "--candidates", "600", "--memory-limit", "1"},
                 {"limit of memory"});
  expect_refusal({"tune", "recorded/nothing"}, {"recorded/nothing"});
}

TEST_F(Tune, RefusesNumbersThatMeanNothing) {
  const std::string most = "9223372036854775807";
  const std::string beyond = "99999999999999999999";
  for (const auto& [option, value] : {std::pair{"--candidates", std::string("-5")},
                                      {"--candidates", beyond},
                                      {"--memory-limit", "0"},
                                      {"--memory-limit", most},
                                      {"--memory-limit", "18014398509481984"},
                                      {"--seed", "-1"},
                                      {"--measure", "101"}}) {
    expect_refusal({"tune", kRecorded, option, value}, {option, value, "whole number"});
  }
  for (const char* seconds : {"nan", "inf", "0", "-1", "1e999", "soon"})
    expect_refusal({"tune", kRecorded, "--seconds", seconds}, {"--seconds", seconds, "above 0"});
}

TEST_F(Tune, DoesNotPassOverWhatARecordingCannotChange) {
  expect_refusal({"tune", kRecorded, "--batch", "64"}, {"a recording has a batch"});
  expect_refusal({"tune", kRecorded, "--resident-input"}, {"a recording has a batch"});
  expect_refusal({"tune", kRecorded, "--steps", "64"}, {"steps of its own"});
}

struct Calibrate : CliTest {};

TEST_F(Calibrate, LooksAtTheOtherRecordingsBeforeItMeasures) {
  expect_refusal({"calibrate", "generated-mlp", "--into", "nothing.qtrace"}, {"nothing.qtrace"});
  expect_refusal({"calibrate", "--into", "nothing.qtrace", "generated-mlp"}, {"nothing.qtrace"});
  expect_refusal({"calibrate", "generated-mlp", "--seconds", "nan"}, {"--seconds", "above 0"});
}

struct Advise : CliTest {};

TEST_F(Advise, RanksChangesWithGainPriceAndVerdict) {
  const Json told = run_json({"advise", kRecorded, "--out", "better.toml", "--json"});
  EXPECT_EQ(told.at("schema"), "quintet.advise");
  ASSERT_FALSE(told.at("advice").empty());
  double last = told.at("advice").at(0).at("gain_ns");
  for (const Json& advice : told.at("advice")) {
    EXPECT_LE(advice.at("gain_ns").get<double>(), last);
    last = advice.at("gain_ns");
    EXPECT_FALSE(advice.at("why").get<std::string>().empty());
  }
  run_fine({"verify", kRecorded, "--policy", "better.toml"});
}

TEST_F(Advise, ShowsAsManyAsItIsAskedFor) {
  const std::string text = run_fine({"advise", kRecorded, "--most", "1"});
  EXPECT_THAT(text, testing::HasSubstr(" 1. "));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr(" 2. ")));
  EXPECT_THAT(text, testing::HasSubstr("changes tried"));
  expect_refusal({"advise", "nothing.qtrace"}, {"nothing.qtrace"});
}

}  // namespace
}  // namespace quintet
