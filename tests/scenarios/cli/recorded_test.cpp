#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>

#include "profiler/trace/trace_file.h"
#include "profiler/trace/trace_reader.h"
#include "tests/scenarios/cli/cli_test.h"
#include "tests/support/example_trace.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kName = "recorded/lenet-b64-renaissance-dataflow-event_sync";

/// A folder of recorded scenarios: one of a made-up trace, whose text is the same everywhere.
class Recorded : public CliTest {
 protected:
  void SetUp() override {
    setenv("QUINTET_RECORDED", kept_.path().c_str(), 1);
    setenv("LC_ALL", "C", 1);
    Trace trace = example_trace();
    trace.provenance["gpu"] = "NVIDIA H200";
    trace.provenance["untraced_step_ns"] = "1000000";
    trace.provenance["traced_step_ns"] = "1020000";
    trace.provenance["policy"] += " (step = event_sync)";
    const auto written = write_trace(trace, file_, TraceForm::gzip);
    ASSERT_TRUE(written) << to_string(written.error());
  }
  void TearDown() override {
    unsetenv("QUINTET_RECORDED");
    unsetenv("LC_ALL");
  }

  TemporaryFolder kept_;
  std::string file_ = kept_.file("lenet-b64-renaissance-dataflow-event_sync.qtrace.gz");
};

TEST_F(Recorded, ScenariosAreListed) {
  const std::string text = run_fine({"scenarios"});
  EXPECT_THAT(text, HasSubstr("Recorded on NVIDIA H200, 2026-11-29"));
  EXPECT_THAT(text, HasSubstr(std::string(kName) +
                              "  renaissance-dataflow  event_sync   1.00 ms  1.02 ms\n"));
  const Json listed = run_json({"scenarios", "--json"}).at("recorded");
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed.at(0).at("name"), kName);
  EXPECT_EQ(listed.at(0).at("device"), "NVIDIA H200");
  EXPECT_EQ(listed.at(0).at("untraced_step_ns"), 1'000'000);
  EXPECT_EQ(listed.at(0).at("traced_step_ns"), 1'020'000);
}

TEST_F(Recorded, ScenarioIsShownAsItWas) {
  const std::string text = run_fine({"run", kName});
  EXPECT_EQ(text.substr(0, text.find("\nMetrics over")),
            R"(recorded on NVIDIA H200, 2026-11-29; nothing was run here

fashion-lenet
  policy      renaissance-dataflow (step = event_sync), event_sync, dataflow, separate
  executor    host, article, x86_64, 2 processors
  gpu         NVIDIA H200
  data        Fashion-MNIST
  recorded    2026-11-29T12:00:00Z
  verdict     race-free
  last loss   0.863812
  accuracy    0.8713

Timeline of step 4, the median one, 2.53 ms
  TRANS  |=##=                                                                             |   4.2 %
  COMP_1 |=##conv1###.    #####conv2#####. .###||||###: ####conv2 dW####      :#########=  |  75.6 %
  COMP_2 |             ###.               ##     :: .##.==              :###= :##          |  18.8 %
  COMP_3 |           =#                  #.      #|##  #|###conv2 dX####=   .#=            |  31.7 %
  UPDATE |=.                                    ..                                      :##|   4.2 %
         ++---------------+---------------+---------------+---------------+---------------++
          0               0.5             1               1.5             2             2.53 ms
)");
  EXPECT_THAT(text, HasSubstr("Step time"));
  EXPECT_EQ(folder_.listing(), "");
}

TEST_F(Recorded, ScenarioIsExportedIntoTheFolderAtHand) {
  EXPECT_EQ(run_fine({"export", kName, "--format", "csv"}),
            "lenet-b64-renaissance-dataflow-event_sync.csv\n");
  EXPECT_EQ(read_text(folder_.file("lenet-b64-renaissance-dataflow-event_sync.csv")),
            run_fine({"report", kName, "--csv"}));
  EXPECT_EQ(run_fine({"export", kName, "--out", "mine.csv"}), "mine.csv\n");
  expect_refusal({"export", "recorded/none", "--format", "csv"}, {"no recorded scenario"});
}

TEST_F(Recorded, ScenarioTellsProgramsWhatARunTells) {
  const Json run = run_json({"run", kName, "--json"});
  EXPECT_EQ(run.at("schema"), "quintet.run");
  EXPECT_EQ(run.at("recorded").at("name"), kName);
  EXPECT_EQ(run.at("recorded").at("device"), "NVIDIA H200");
  EXPECT_EQ(run.at("recorded").at("date"), "2026-11-29");
  EXPECT_EQ(run.at("verdict"), "race-free");
  EXPECT_EQ(run.at("steps"), 12);
  EXPECT_EQ(run.at("evaluation_steps"), 2);
  EXPECT_EQ(run.at("losses"), run_json({"report", kName, "--json"}).at("losses"));
  EXPECT_EQ(run.at("recording"), file_);
}

TEST_F(Recorded, ScenarioCanBeCopiedPlainOrCompressed) {
  run_fine({"run", kName, "--out", "a.qtrace"});
  run_fine({"run", kName, "--out", "b.qtrace.gz", "--json"});
  EXPECT_EQ(folder_.listing(), "a.qtrace b.qtrace.gz");
  EXPECT_THAT(read_text(folder_.file("a.qtrace")), testing::StartsWith("SQLite format 3"));
  EXPECT_TRUE(read_text(folder_.file("b.qtrace.gz")) == read_text(file_));
  EXPECT_EQ(run_fine({"report", "a.qtrace"}), run_fine({"report", "b.qtrace.gz"}));
  EXPECT_EQ(run_fine({"report", "a.qtrace"}), run_fine({"report", kName}));
}

TEST_F(Recorded, ScenarioIsNeverReplacedByItsCopy) {
  const std::string before = read_text(file_);
  expect_refusal({"run", kName, "--out", file_}, {"is the recording itself"});
  EXPECT_TRUE(read_text(file_) == before);
}

TEST_F(Recorded, OptionsThatWouldChangeTheRunAreRefused) {
  const std::vector<Words> changes = {
      {"--batch", "32"},       {"--steps", "4"},       {"--epochs", "1"},    {"--precision", "amp"},
      {"--lowering", "fused"}, {"--executor", "cuda"}, {"--record", "graph"}};
  for (const Words& change : changes) {
    Words words = {"run", kName};
    words.insert(words.end(), change.begin(), change.end());
    expect_refusal(words, {change[0] + " " + change[1] + " would change it",
                           "train here: quintet run fashion-lenet " + change[0]});
  }
  for (const char* flag : {"--resident-input", "--allow-races"})
    expect_refusal({"run", kName, flag}, {std::string(flag) + " would change it"});
}

TEST_F(Recorded, OptionsThatSayWhatWasRecordedAreFine) {
  run_fine({"run", kName, "--policy", "renaissance-dataflow", "--step", "event_sync", "--batch",
            "64", "--gradients", "separate", "--executor", "host", "--lowering", "article"});
}

TEST_F(Recorded, NamesThatAreUnknownGetNearOnes) {
  expect_refusal({"run", "recorded/lenet-b64-renaissance-dataflow-event_sink"},
                 {"no recorded scenario is called", kName, "quintet scenarios"});
  expect_refusal({"report", "recorded/lenet"}, {"no recorded scenario is called", kName});
  expect_refusal({"report", kName, "--serial", "recorded/x"}, {"\"recorded/x\""});
  expect_refusal({"compare", kName, "recorded/x"}, {"\"recorded/x\""});
  fs::remove(file_);
  expect_refusal({"run", kName}, {"no recorded scenario", "QUINTET_RECORDED", kept_.path()});
}

TEST_F(Recorded, ScenarioIsNoneToStartFrom) {
  expect_refusal({"scenarios", "--show", kName}, {"quintet run " + std::string(kName)});
}

TEST_F(Recorded, OneWithoutItsStepProgramsCannotBeVerified) {
  expect_refusal({"verify", kName}, {"no step programs", "quintet run"});
}

TEST_F(Recorded, FileOfThatNameComesFirst) {
  fs::create_directory(folder_.file("recorded"));
  write("recorded/mine.toml", scenario_text("generated-mlp"));
  const Json run = run_json({"run", "recorded/mine.toml", "--steps", "2", "--json"});
  EXPECT_EQ(run.at("scenario"), "generated-mlp");
  EXPECT_FALSE(run.contains("recorded"));
}

TEST_F(Recorded, OnesThatCannotBeReadDoNotHideTheOthers) {
  const std::string whole = read_text(file_);
  fs::copy_file(file_, kept_.file("good.qtrace.gz"));
  write("cut", whole.substr(0, whole.size() / 2));
  fs::remove(file_);
  fs::rename(folder_.file("cut"), file_);
  const std::string text = run_fine({"scenarios"});
  EXPECT_THAT(text, HasSubstr("recorded/good "));
  EXPECT_THAT(text, HasSubstr(std::string(kName) + ": is cut short"));
  expect_refusal({"run", kName}, {"is cut short", "copy it again"});
  EXPECT_THAT(run_json({"scenarios", "--json"}).at("recorded").at(1).at("error"),
              HasSubstr("is cut short"));
}

TEST_F(Recorded, FolderThatIsNotThereIsAnEmptyList) {
  setenv("QUINTET_RECORDED", kept_.file("none").c_str(), 1);
  EXPECT_THAT(run_fine({"scenarios"}), Not(HasSubstr("Recorded")));
  EXPECT_EQ(run_json({"scenarios", "--json"}).at("recorded"), Json::array());
}

class Trim : public CliTest {};

TEST_F(Trim, KeepsTypicalStepsWithTheirMetrics) {
  run_fine({"run", "generated-mlp-512", "--steps", "100", "--out", "whole.qtrace"});
  const Json told =
      run_json({"trim", "whole.qtrace", "--steps", "5", "--out", "few.qtrace.gz", "--json"});
  EXPECT_EQ(told.at("timed_steps"), 5);
  EXPECT_EQ(told.at("last_step").get<int>() - told.at("first_step").get<int>(), 6);
  EXPECT_EQ(told.at("bytes"), fs::file_size(folder_.file("few.qtrace.gz")));
  EXPECT_LT(told.at("bytes"), 60'000);
  EXPECT_GT(told.at("untraced_step_ns"), 0);
  EXPECT_GT(told.at("traced_step_ns"), 0);
  const Json report = run_json({"report", "few.qtrace.gz", "--json"});
  EXPECT_EQ(report.at("state"), "complete");
  EXPECT_EQ(report.at("losses").size(), 7U);
  EXPECT_EQ(report.at("provenance").at("traced_step_ns"),
            std::to_string(told.at("traced_step_ns").get<std::int64_t>()));
  EXPECT_EQ(report.at("findings").at(0).at("name"), "trimmed");
}

TEST_F(Trim, RecordingServesAsARecordedScenario) {
  run_fine({"run", "generated-mlp", "--steps", "30", "--out", "whole.qtrace"});
  fs::create_directory(folder_.file("kept"));
  EXPECT_THAT(run_fine({"trim", "whole.qtrace", "--out", "kept/mine.qtrace.gz"}),
              HasSubstr("kept/mine.qtrace.gz holds steps "));
  setenv("QUINTET_RECORDED", folder_.file("kept").c_str(), 1);
  EXPECT_THAT(run_fine({"run", "recorded/mine"}), HasSubstr("nothing was run here"));
  unsetenv("QUINTET_RECORDED");
}

TEST_F(Trim, RefusesWhatItCannotDo) {
  run_fine({"run", "generated-mlp", "--steps", "4", "--out", "a.qtrace"});
  write("other.gz", "no recording");
  expect_refusal({"trim", "a.qtrace", "--out", "b.qtrace"}, {"at most 2 timed steps in a row"});
  expect_refusal({"trim", "a.qtrace", "--steps", "1", "--out", "./a.qtrace"},
                 {"is the recording itself"});
  expect_refusal({"trim", "a.qtrace", "--steps", "1", "--out", "other.gz"}, {"something else"});
  expect_refusal({"trim", "none.qtrace", "--out", "b.qtrace"}, {"no such file"});
  expect_refusal({"trim", "a.qtrace", "--steps", "0", "--out", "b.qtrace"}, {"--steps"});
  expect_refusal({"trim", "a.qtrace"}, {"--out"});
}

}  // namespace
}  // namespace quintet
