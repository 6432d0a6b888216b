#include <filesystem>
#include <gmock/gmock.h>
#include <string>

#include "tests/profiler/import/import_fixture.h"
#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

using testing::HasSubstr;

class Import : public CliTest {
 protected:
  /// A trace that PyTorch wrote.
  static std::string real_trace() {
    return std::string(QUINTET_SOURCE_DIR) +
           "/tests/profiler/import/data/kineto_resnet18_eager_h2d.json.gz";
  }
};

TEST_F(Import, TurnsAKinetoTraceIntoARecordingOfItsName) {
  const std::string text = run_fine({"import", real_trace()});
  EXPECT_THAT(text, HasSubstr("7635 events, 4871 drawn"));
  EXPECT_THAT(text, HasSubstr("recording kineto_resnet18_eager_h2d.qtrace\n"));
  EXPECT_EQ(folder_.listing(), "kineto_resnet18_eager_h2d.qtrace");
}

TEST_F(Import, MakesRecordingsThatCanBeReportedInEveryForm) {
  run_fine({"import", real_trace(), "--out", "a.qtrace"});
  EXPECT_THAT(run_fine({"report", "a.qtrace"}), HasSubstr("GPU 0 stream 7"));
  const Json report = run_json({"report", "a.qtrace", "--json"});
  EXPECT_EQ(report.at("state"), "complete");
  EXPECT_EQ(report.at("provenance").at("executor"), "imported");
  EXPECT_NE(run_fine({"report", "a.qtrace", "--csv"}), "");
  run_fine({"report", "a.qtrace", "--html", "a.html"});
  run_fine({"compare", "a.qtrace", "a.qtrace"});
}

TEST_F(Import, TellsProgramsWhatWasRead) {
  write("two.json", document({kernel_event("k", "10", "1"), kernel_event("b\"ad", "20", "1")}));
  const Json json = run_json({"import", "two.json", "--json"});
  EXPECT_EQ(json.at("schema"), "quintet.import");
  EXPECT_EQ(json.at("recording"), "two.qtrace");
  EXPECT_EQ(json.at("spans"), 1);
  const Json& file = json.at("files").at(0);
  EXPECT_EQ(file.at("format"), "chrome_json");
  EXPECT_EQ(file.at("skipped_events"), 1);
  EXPECT_EQ(file.at("truncated_at"), nullptr);
  EXPECT_EQ(file.at("categories").at(0).at("name"), "kernel");
}

TEST_F(Import, PutsTheFilesOfTwoRanksIntoOneRecording) {
  write("rank0.json", document({kernel_event("k", "10", "1")}));
  write("rank1.json", document({kernel_event("k", "10", "1")}));
  const Json json = run_json({"import", "rank0.json", "rank1.json", "--json"});
  EXPECT_EQ(json.at("recording"), "rank0.qtrace");
  EXPECT_EQ(json.at("lanes"), 2);
  run_fine({"report", "rank0.qtrace"});
}

TEST_F(Import, ReportsATraceWithoutAnyActivity) {
  write("empty.json", document({}));
  run_fine({"import", "empty.json"});
  run_fine({"report", "empty.qtrace"});
}

TEST_F(Import, FailsWhereLaunchesWereSeenAndNoWorkOfADevice) {
  write("a.json", document({call_event("cudaLaunchKernel", "1", "1", 1)}));
  const CommandResult result = run({"import", "a.json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("error: no_device_work"));
}

TEST_F(Import, RefusesWhatIsNoTraceAndLeavesNothing) {
  write("page.html", "<html></html>");
  expect_refusal({"import", "page.html"}, {"page.html: ", "no format", "Chrome Trace Event JSON"});
  write("other.json", "{\"a\": 1}");
  expect_refusal({"import", "other.json"}, {"other.json: ", "no trace events"});
  expect_refusal({"import", "absent.json"}, {"absent.json: ", "No such file"});
  expect_refusal({"import", "."}, {"is a folder"});
  expect_refusal(Words{"import"}, {"file", "quintet import --help"});
}

TEST_F(Import, NeverReplacesAFileThatIsNoRecording) {
  write("a.json", document({kernel_event("k", "10", "1")}));
  write("notes.txt", "mine\n");
  expect_refusal({"import", "a.json", "--out", "notes.txt"}, {"notes.txt: exists"});
  expect_refusal({"import", "a.json", "--out", "a.json"}, {"a.json: exists"});
  expect_refusal({"import", "a.json", "--out", "none/a.qtrace"}, {"mkdir -p none"});
}

}  // namespace
}  // namespace quintet
