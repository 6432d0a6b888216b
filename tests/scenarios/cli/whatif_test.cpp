// Predictions by the built command: of shipped recordings, of a run made here, and calibrated.
#include <filesystem>
#include <fstream>

#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

constexpr const char* kSerial = "recorded/mlp-b128-serial-whole_step";

class WhatIfTest : public CliTest {};

TEST_F(WhatIfTest, PredictsARecordedScenarioUnderAnotherPolicy) {
  const Json told = run_json(
      {"whatif", kSerial, "--policy", "renaissance-dataflow", "--step", "whole_step", "--json"});
  EXPECT_EQ(told["schema"], "quintet.whatif");
  EXPECT_EQ(told["predicted"], true);
  EXPECT_EQ(told["verdict"], "race-free");
  EXPECT_LT(told["step_ns"], told["recorded_step_ns"]);
  EXPECT_FALSE(told["moved"].empty());
  EXPECT_GT(told["expected_error"], 0);
}

TEST_F(WhatIfTest, SaysThatNothingWasRun) {
  const std::string text = run_fine({"whatif", kSerial, "--gradients", "separate"});
  EXPECT_EQ(text.rfind("predicted, nothing was run", 0), 0U) << text;
  const std::string by_run =
      run_fine({"run", kSerial, "--policy", "renaissance-dataflow", "--step", "whole_step"});
  EXPECT_EQ(by_run.rfind("predicted, nothing was run", 0), 0U) << by_run;
}

TEST_F(WhatIfTest, WritesARecordingThatOtherCommandsTakeAndThatSaysWhatItIs) {
  run_fine({"whatif", kSerial, "--policy", "renaissance-dataflow", "--step", "whole_step", "--out",
            "predicted.qtrace"});
  const std::string report = run_fine({"report", "predicted.qtrace"});
  EXPECT_NE(report.find("nothing of this ran"), std::string::npos) << report;
  run_fine({"compare", kSerial, "predicted.qtrace"});
}

TEST_F(WhatIfTest, RefusesWhatItCannotPredict) {
  expect_refusal({"whatif", "nowhere.qtrace"}, {"nowhere.qtrace"});
  expect_refusal({"whatif", kSerial, "--policy", "renaisance"}, {"renaissance"});
  write("text.qtrace", "no recording");
  expect_refusal({"whatif", "text.qtrace"}, {"text.qtrace"});
}

TEST_F(WhatIfTest, TakesARunWhoseTestImagesFillNoBatch) {
  run_json({"run", "generated-mlp", "--batch", "200", "--resident-input", "--steps", "96", "--out",
            "large.qtrace", "--json"});
  const Json told = run_json({"whatif", "large.qtrace", "--policy", "serial", "--json"});
  EXPECT_GT(told["step_ns"], 0);
}

TEST_F(WhatIfTest, RunHereAndCalibratedIsPredictedWithConstantsOfThisMachine) {
  const Json calibrated = run_json({"calibrate", "generated-mlp", "--steps", "96", "--batch", "16",
                                    "--seconds", "5", "--out", "mlp.qtrace", "--json"});
  EXPECT_EQ(calibrated["schema"], "quintet.calibrate");
  EXPECT_GE(calibrated["runs"].size(), 3U);
  const Json told =
      run_json({"whatif", "mlp.qtrace", "--policy", "renaissance-dataflow", "--json"});
  EXPECT_EQ(std::string(told["constants"]).rfind("calibrated ", 0), 0U) << told["constants"];
  EXPECT_GT(told["step_ns"], 0);
}

TEST_F(WhatIfTest, CalibratesFromRecordingsAndRunsNothing) {
  expect_refusal({"calibrate"}, {"--recordings"});
  expect_refusal({"calibrate", "generated-mlp", "--recordings", kSerial}, {"in its place"});
  expect_refusal({"calibrate", "--recordings", "nowhere.qtrace"}, {"nowhere.qtrace"});
  std::filesystem::copy_file(QUINTET_SOURCE_DIR
                             "/scenarios/recorded/mlp-b128-serial-event_sync.qtrace.gz",
                             folder_.file("kept.qtrace.gz"));
  const Json told =
      run_json({"calibrate", "--json", "--recordings", kSerial, "--recordings",
                "recorded/mlp-b128-renaissance-dataflow-whole_step", "--into", "kept.qtrace.gz"});
  EXPECT_EQ(told["runs"].size(), 1U);
  EXPECT_EQ(told["recordings"], Json::array({"kept.qtrace.gz"}));
  const Json predicted = run_json({"whatif", "kept.qtrace.gz", "--policy", "heft", "--json"});
  EXPECT_NE(std::string(predicted["constants"]).find("1 recorded runs of 1 scenarios"),
            std::string::npos)
      << predicted["constants"];
}

}  // namespace
}  // namespace quintet
