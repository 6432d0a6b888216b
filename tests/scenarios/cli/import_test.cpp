#include <cstdint>
#include <gmock/gmock.h>
#include <map>
#include <string>

#include "profiler/trace/trace_reader.h"
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

TEST_F(Import, ReadsWhatExportWrites) {
  run_fine({"import", real_trace(), "--out", "a.qtrace"});
  run_fine({"export", "a.qtrace", "--format", "chrome", "--out", "a.json"});
  const Json again = run_json({"import", "a.json", "--out", "b.qtrace", "--json"});
  std::map<std::string, std::int64_t> drawn;
  for (const Json& category : again.at("files").at(0).at("categories"))
    drawn[category.at("name")] = category.at("drawn");
  EXPECT_EQ(drawn["kernel"], 516);
  EXPECT_EQ(drawn["gpu_memcpy"], 4);
  EXPECT_EQ(drawn["gpu_memset"], 138);
  EXPECT_EQ(drawn["cuda_runtime"], 1648);
  const auto device_work = [this](const std::string& recording) {
    Json rows = Json::array();
    const Result<Trace> trace = read_trace(folder_.file(recording));
    EXPECT_TRUE(trace);
    for (std::size_t span = 0; span < trace->spans.size(); ++span) {
      const SpanColumns& spans = trace->spans;
      if (trace->lanes[spans.lane[span]].kind != LaneKind::stream) continue;
      rows.push_back({spans.begin_ns[span], spans.end_ns[span], spans.correlation[span],
                      trace->lanes[spans.lane[span]].name,
                      trace->activities[spans.activity[span]].name});
    }
    return rows;
  };
  EXPECT_EQ(device_work("b.qtrace"), device_work("a.qtrace"));
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
  EXPECT_EQ(file.at("trailing_bytes"), 0);
  EXPECT_EQ(file.at("first_damage").at("event"), 1);
  EXPECT_GT(file.at("first_damage").at("byte"), 0);
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
