#include <filesystem>
#include <gmock/gmock.h>

#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

class Run : public CliTest {};

TEST_F(Run, JsonHoldsWhatAProgramNeedsAndNothingElse) {
  const Json run = run_json({"run", "generated-lenet", "--steps", "4", "--json"});
  EXPECT_EQ(run.at("scenario"), "generated-lenet");
  EXPECT_EQ(run.at("policy"), "renaissance");
  EXPECT_EQ(run.at("executor"), "host");
  EXPECT_EQ(run.at("lowering"), "article");
  EXPECT_EQ(run.at("verdict"), "race-free");
  EXPECT_EQ(run.at("steps"), 4);
  EXPECT_EQ(run.at("evaluation_steps"), 5);  // 128 = 4 * 30 + 8
  EXPECT_EQ(run.at("losses").size(), 4U);
  EXPECT_THAT(run.at("weights_hash").get<std::string>(), testing::MatchesRegex("[0-9a-f]{16}"));
  EXPECT_GE(run.at("test_accuracy"), 0.0);
  EXPECT_LE(run.at("test_accuracy"), 1.0);
  EXPECT_EQ(run.at("interrupted"), false);
  EXPECT_EQ(run.at("findings"), Json::array());
  EXPECT_EQ(run.at("recording"), "generated-lenet-renaissance.qtrace");
  EXPECT_EQ(folder_.listing(), "generated-lenet-renaissance.qtrace");
}

TEST_F(Run, JsonHasStepTimesInNanoseconds) {
  const Json run = run_json({"run", "generated-mlp", "--steps", "20", "--json"});
  const Json& time = run.at("step_time_ns");
  EXPECT_GT(time.at("p05").get<std::int64_t>(), 0);
  EXPECT_LE(time.at("p05"), time.at("median"));
  EXPECT_LE(time.at("median"), time.at("p95"));
}

TEST_F(Run, EveryMetricIsKnownOrSaysWhyNot) {
  const Json run = run_json({"run", "generated-mlp", "--steps", "4", "--json"});
  EXPECT_GE(run.at("metrics").size(), 10U);
  for (const Json& metric : run.at("metrics")) {
    const std::string tag = metric.at("tag");
    EXPECT_TRUE(metric.at("unit").is_string()) << tag;
    const std::string state = metric.at("state");
    EXPECT_EQ(metric.at("value").is_number(), state == "known") << tag;
    EXPECT_EQ(metric.contains("reason"), state != "known") << tag << state;
  }
}

TEST_F(Run, ReportOfTheRecordingGivesTheSameLosses) {
  const Json run =
      run_json({"run", "generated-lenet", "--steps", "11", "--json", "--out", "a.qtrace"});
  const Json report = run_json({"report", "a.qtrace", "--json"});
  EXPECT_EQ(report.at("state"), "complete");
  EXPECT_EQ(report.at("losses"), run.at("losses"));
  EXPECT_EQ(report.at("test_accuracy"), run.at("test_accuracy"));
  EXPECT_EQ(report.at("provenance").at("weights_hash"), run.at("weights_hash"));
  EXPECT_EQ(report.at("step_time_ns"), run.at("step_time_ns"));
}

TEST_F(Run, EveryPolicyGivesTheSameLossesAndWeights) {
  const Json serial =
      run_json({"run", "generated-lenet", "--steps", "10", "--policy", "serial", "--json"});
  for (const char* policy : {"renaissance", "renaissance-as-published", "renaissance-dataflow"}) {
    const Json run =
        run_json({"run", "generated-lenet", "--steps", "10", "--policy", policy, "--json"});
    EXPECT_EQ(run.at("policy"), policy);
    EXPECT_EQ(run.at("losses"), serial.at("losses")) << policy;
    EXPECT_EQ(run.at("weights_hash"), serial.at("weights_hash")) << policy;
    EXPECT_EQ(run.at("test_loss"), serial.at("test_loss")) << policy;
  }
}

TEST_F(Run, TheFusedLoweringGivesTheSameLossesAndWeightsAndIsRecordedAsSuch) {
  write("fused.toml",
        with_line(scenario_text("generated-lenet"), "lowering", "lowering = \"fused\""));
  const Json article = run_json({"run", "generated-lenet", "--steps", "10", "--json"});
  const Json fused =
      run_json({"run", "fused.toml", "--steps", "10", "--json", "--out", "fused.qtrace"});
  EXPECT_EQ(fused.at("lowering"), "fused");
  EXPECT_EQ(fused.at("verdict"), "race-free");
  EXPECT_EQ(fused.at("losses"), article.at("losses"));
  EXPECT_EQ(fused.at("test_loss"), article.at("test_loss"));
  EXPECT_EQ(fused.at("weights_hash"), article.at("weights_hash"));
  const Json report = run_json({"report", "fused.qtrace", "--json"});
  EXPECT_EQ(report.at("provenance").at("lowering"), "fused");
}

TEST_F(Run, EveryStepModeGivesTheSameLossesAndWeights) {
  const Json first = run_json({"run", "generated-lenet", "--steps", "10", "--json"});
  for (const char* mode : {"host_sync", "event_sync", "whole_step"}) {
    const Json run =
        run_json({"run", "generated-lenet", "--steps", "10", "--step", mode, "--json"});
    EXPECT_EQ(run.at("policy"), std::string("renaissance (step = ") + mode + ")");
    EXPECT_EQ(run.at("losses"), first.at("losses")) << mode;
    EXPECT_EQ(run.at("weights_hash"), first.at("weights_hash")) << mode;
  }
}

TEST_F(Run, LossesThatAreNoNumbersAreNullAndAFinding) {
  write("wild.toml", with_line(scenario_text("generated-mlp"), "peak", "peak = 1000.0"));
  const Json run = run_json({"run", "wild.toml", "--json"});
  EXPECT_TRUE(run.at("losses").front().is_number());
  EXPECT_TRUE(run.at("losses").back().is_null());
  ASSERT_EQ(run.at("findings").size(), 1U);
  EXPECT_EQ(run.at("findings").at(0).at("name"), "non_finite_loss");
  EXPECT_EQ(run_json({"report", run.at("recording"), "--json"}).at("losses"), run.at("losses"));
}

TEST_F(Run, TextTellsLossAccuracyTimelineAndRecording) {
  const std::string text = run_fine({"run", "generated-mlp", "--steps", "12"});
  for (const char* words :
       {"generated-mlp under renaissance: 12 training steps, loss ", "test accuracy ",
        "Timeline of step ", "COMP_1", "UPDATE", "recording generated-mlp-renaissance.qtrace\n"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << text;
  }
}

TEST_F(Run, APlantedDelayHoldsUpItsLayerAloneAndIsToldInTheRecording) {
  const Json run =
      run_json({"run", "generated-mlp", "--steps", "12", "--delay", "fc1=700", "--json"});
  ASSERT_EQ(run.at("findings").size(), 1U);
  EXPECT_EQ(run.at("findings").at(0).at("name"), "planted_delay");
  const Json report = run_json({"report", run.at("recording"), "--json"});
  int delayed = 0;
  for (const Json& task : report.at("tasks")) {
    if (task.at("layer") != "fc1" || task.at("time_ns").is_null()) continue;
    EXPECT_GE(task.at("time_ns").at("median").get<double>(), 700e3) << task.at("name");
    ++delayed;
  }
  EXPECT_GE(delayed, 3);
}

TEST_F(Run, ADelayOfNoLayerOrOfNoTimeIsRefused) {
  expect_refusal({"run", "generated-mlp", "--delay", "fc9=5"}, {"no layer 'fc9'", "fc1"});
  for (const char* wrong : {"fc1", "fc1=", "=5", "fc1=x", "fc1=-5", "fc1=0", "fc1=5us", "fc1=inf"})
    expect_refusal({"run", "generated-mlp", "--delay", wrong}, {wrong, "LAYER=MICROSECONDS"});
}

TEST_F(Run, TheShortestRunIsReportedToo) {
  EXPECT_NE(run_fine({"run", "generated-mlp", "--steps", "1"}).find(": 1 training steps"),
            std::string::npos);
  const Json report = run_json({"report", "generated-mlp-renaissance.qtrace", "--json"});
  EXPECT_EQ(report.at("losses").size(), 1U);
}

TEST_F(Run, ReplacesItsOwnRecordingOfLastTime) {
  run_fine({"run", "generated-mlp", "--steps", "2", "--out", "a.qtrace"});
  run_fine({"run", "generated-mlp", "--steps", "3", "--out", "a.qtrace"});
  EXPECT_EQ(run_json({"report", "a.qtrace", "--json"}).at("losses").size(), 3U);
  EXPECT_EQ(folder_.listing(), "a.qtrace");
}

TEST_F(Run, PathsMayHoldBlanksAndAnyLetters) {
  const std::string folder = "Ein Ordner \xe2\x80\x93 \xe4\xba\x94";
  std::filesystem::create_directory(folder_.file(folder));
  const std::string scenario = folder + "/m\xc3\xa4hne 'x'.toml";
  const std::string recording = folder + "/l\xc3\xa4uft \"1\".qtrace";
  const std::string page = folder + "/s\xc3\xa9ite #1?.html";
  write(scenario, scenario_text("generated-mlp"));
  const Json run = run_json({"run", scenario, "--steps", "3", "--json", "--out", recording});
  EXPECT_EQ(run.at("recording"), recording);
  EXPECT_EQ(run_fine({"report", recording, "--html", page}), page + "\n");
  EXPECT_TRUE(std::filesystem::exists(folder_.file(page)));
  EXPECT_EQ(run_json({"report", recording, "--json"}).at("losses"), run.at("losses"));
}

TEST_F(Run, APathThatIsNoUtf8StillGivesValidJson) {
  const std::string recording = "\xff\xfe.qtrace";
  const Json run = run_json({"run", "generated-mlp", "--steps", "2", "--json", "--out", recording});
  EXPECT_EQ(run.at("losses").size(), 2U);
  EXPECT_EQ(run_json({"report", recording, "--json"}).at("losses"), run.at("losses"));
}

TEST_F(Run, SizesThatNoMachineHasAreRefusedBeforeTheRun) {
  write("huge.toml",
        with_line(scenario_text("generated-mlp"), "hidden",
                  "hidden = [65536, 65536, 65536, 65536, 65536, 65536, 65536, 65536, 65536]"));
  expect_refusal({"run", "huge.toml"}, {"huge.toml: needs ", " GiB", "smaller batch or network"});
  run_fine({"verify", "huge.toml"});
}

}  // namespace
}  // namespace quintet
