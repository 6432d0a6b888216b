#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>

#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Report : public CliTest {
 protected:
  void record(const std::string& policy, const std::string& name) const {
    run_fine({"run", "generated-mlp", "--policy", policy, "--steps", "12", "--out", name});
  }
};

TEST_F(Report, TextShowsProvenanceTimelineAndMetrics) {
  record("renaissance", "a.qtrace");
  const std::string text = run_fine({"report", "a.qtrace"});
  for (const char* words : {"generated-mlp", "generated-images", "race-free", "Timeline of step ",
                            "Step time", "COMP_2", "fc1/FC_FP32_FWD/Y"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
}

TEST_F(Report, CsvBeginsWithTheMetrics) {
  record("renaissance", "a.qtrace");
  const std::string csv = run_fine({"report", "a.qtrace", "--csv"});
  EXPECT_EQ(csv.rfind("tag,name,state,value,", 0), 0U);
  EXPECT_THAT(csv, HasSubstr("\nstep/time,Step time,known,"));
}

TEST_F(Report, HtmlIsOneFileAndItsNameIsPrinted) {
  record("renaissance", "a.qtrace");
  EXPECT_EQ(run_fine({"report", "a.qtrace", "--html", "a.html"}), "a.html\n");
  EXPECT_EQ(folder_.listing(), "a.html a.qtrace");
  const std::string page = read_text(folder_.file("a.html"));
  EXPECT_THAT(page.substr(0, 20), testing::StartsWith("<!"));
  EXPECT_THAT(page, HasSubstr("generated-mlp"));
  EXPECT_THAT(page, testing::Not(HasSubstr(" src=\"http")));
}

TEST_F(Report, HtmlAndJsonInOneCall) {
  record("renaissance", "a.qtrace");
  EXPECT_EQ(run_json({"report", "a.qtrace", "--json", "--html", "a.html"}).at("state"), "complete");
  EXPECT_TRUE(fs::exists(folder_.file("a.html")));
}

TEST_F(Report, HtmlThroughALinkReplacesWhatTheLinkPointsTo) {
  record("renaissance", "a.qtrace");
  fs::create_directory(folder_.file("site"));
  write("site/page.html", "old");
  fs::create_symlink("site/page.html", folder_.file("link.html"));
  run_fine({"report", "a.qtrace", "--html", "link.html", "--force"});
  EXPECT_TRUE(fs::is_symlink(folder_.file("link.html")));
  EXPECT_THAT(read_text(folder_.file("site/page.html")), HasSubstr("generated-mlp"));
}

TEST_F(Report, WithASerialRecordingTellsTheTrueGain) {
  record("renaissance", "a.qtrace");
  record("serial", "b.qtrace");
  const Json report = run_json({"report", "a.qtrace", "--serial", "b.qtrace", "--json"});
  const Json& metrics = report.at("metrics");
  const auto gain = std::find_if(metrics.begin(), metrics.end(), [](const Json& metric) {
    return metric.at("tag") == "gain/true";
  });
  ASSERT_NE(gain, metrics.end());
  EXPECT_EQ(gain->at("state"), "known");
  EXPECT_GT(gain->at("value"), 0.0);
}

TEST_F(Report, ASerialRecordingThatIsNoneIsRefused) {
  record("renaissance", "a.qtrace");
  expect_refusal({"report", "a.qtrace", "--serial", "a.qtrace"},
                 {"not serial", "quintet compare takes any two"});
}

TEST_F(Report, LeavesTheRecordingAsItWas) {
  record("renaissance", "a.qtrace");
  const std::string before = read_text(folder_.file("a.qtrace"));
  run_fine({"report", "a.qtrace", "--json"});
  EXPECT_EQ(read_text(folder_.file("a.qtrace")), before);
  EXPECT_EQ(folder_.listing(), "a.qtrace");
}

TEST_F(Report, FilesThatAreNoRecordingsAreNamed) {
  write("empty.qtrace", "");
  write("text.qtrace", "these are no bytes of a recording\n");
  expect_refusal({"report", "none.qtrace"}, {"none.qtrace: no such file", "; "});
  expect_refusal({"report", "none/none.qtrace"}, {"none/none.qtrace: no such file"});
  expect_refusal({"report", "empty.qtrace"}, {"empty.qtrace: is empty", "; "});
  expect_refusal({"report", "text.qtrace"}, {"text.qtrace: is no recording", "; "});
  expect_refusal({"report", "."}, {".: is a folder"});
  expect_refusal({"report", "/dev/null"}, {"/dev/null: is no regular file"});
}

TEST_F(Report, TruncatedRecordingsAreRefusedWhereverTheyEnd) {
  record("renaissance", "a.qtrace");
  const std::string whole = read_text(folder_.file("a.qtrace"));
  for (const double part : {0.001, 0.1, 0.5, 0.9, 0.999}) {
    const auto size = static_cast<std::size_t>(part * static_cast<double>(whole.size()));
    write("cut.qtrace", whole.substr(0, size));
    expect_refusal({"report", "cut.qtrace"}, {"cut.qtrace: ", "; "});
  }
}

TEST_F(Report, TheSecondRecordingIsCheckedToo) {
  record("renaissance", "a.qtrace");
  expect_refusal({"report", "a.qtrace", "--serial", "none.qtrace"}, {"none.qtrace: no such file"});
}

TEST_F(Report, HtmlThatCannotBeWrittenLeavesNothing) {
  record("renaissance", "a.qtrace");
  fs::create_directory(folder_.file("pages"));
  expect_refusal({"report", "a.qtrace", "--html", "none/a.html"}, {"none/a.html: ", "; "});
  expect_refusal({"report", "a.qtrace", "--html", "pages"}, {"pages: is a folder"});
  CommandSetup full = setup({"report", "a.qtrace", "--html", "a.html"});
  full.file_size_limit = 1000;
  expect_failure(full, 3, {"a.html: ", "; "});
}

TEST_F(Report, HtmlNeverReplacesADeviceOrTheRecording) {
  record("renaissance", "a.qtrace");
  fs::create_symlink("/dev/null", folder_.file("device.html"));
  expect_refusal({"report", "a.qtrace", "--html", "device.html"}, {"is no regular file"});
  EXPECT_TRUE(fs::is_symlink(folder_.file("device.html")));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  expect_refusal({"report", "a.qtrace", "--html", "./a.qtrace"}, {"is the recording itself"});
}

TEST_F(Report, AReaderThatLeavesEarlyIsNoError) {
  record("renaissance", "a.qtrace");
  CommandSetup piped = setup({"report", "a.qtrace", "--json"});
  piped.output = OutputKind::reader_gone;
  const CommandResult result = CommandProcess(piped).wait();
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace quintet
