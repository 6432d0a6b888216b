#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <map>
#include <string>

#include "profiler/trace/trace_reader.h"
#include "tests/profiler/report/perfetto_reader.h"
#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class Export : public CliTest {
 protected:
  /// Six steps of a small network, as `quintet run` records them.
  void record() const { run_fine({"run", "generated-mlp", "--steps", "6", "--out", "a.qtrace"}); }
  [[nodiscard]] Trace recorded() const { return read_trace(folder_.file("a.qtrace")).value(); }
  [[nodiscard]] std::string exported(const Words& options) const {
    Words words = {"export", "a.qtrace"};
    words.insert(words.end(), options.begin(), options.end());
    std::string name = run_fine(words);
    name.pop_back();
    return read_text(folder_.file(name));
  }
};

TEST_F(Export, PerfettoHasEverySpanOfTheRun) {
  record();
  const PerfettoDocument document = read_perfetto(exported({"--format", "perfetto"}));
  EXPECT_TRUE(fs::exists(folder_.file("a.pftrace")));
  const std::vector<PerfettoSlice> slices = slices_of(document);
  const Trace trace = recorded();
  const auto spans = std::count_if(slices.begin(), slices.end(), [](const PerfettoSlice& slice) {
    return slice.begin.category == "stream" || slice.begin.category == "host";
  });
  EXPECT_EQ(static_cast<std::size_t>(spans), trace.spans.size());
  EXPECT_EQ(document.attributes.at("quintet.scenario"), "generated-mlp");
}

TEST_F(Export, ChromeHasEverySpanOfTheRun) {
  record();
  const Json document = Json::parse(exported({"--format", "chrome"}));
  EXPECT_TRUE(fs::exists(folder_.file("a.trace.json")));
  std::map<std::string, std::size_t> categories;
  for (const Json& event : document.at("traceEvents"))
    if (event.at("ph") == "X") ++categories[event.at("cat")];
  EXPECT_EQ(categories["kernel"] + categories["gpu_memcpy"] + categories["cpu_op"],
            recorded().spans.size());
}

TEST_F(Export, ReportsAreThoseOfTheReportCommand) {
  record();
  EXPECT_EQ(exported({"--format", "csv"}), run_fine({"report", "a.qtrace", "--csv"}));
  EXPECT_EQ(exported({"--format", "json"}), run_fine({"report", "a.qtrace", "--json"}));
  run_fine({"report", "a.qtrace", "--html", "b.html"});
  EXPECT_EQ(exported({"--format", "html"}), read_text(folder_.file("b.html")));
}

TEST_F(Export, DotDrawsEveryGraphOrTheChosenOne) {
  record();
  const std::string all = exported({"--format", "dot"});
  EXPECT_THAT(all, HasSubstr("fc1/FC_FP32_FWD/Y"));
  EXPECT_THAT(all, HasSubstr("RANGE_SGD_UPDATE"));
  const std::string one = run_fine(
      {"export", "a.qtrace", "--format", "dot", "--graph", "DEEP_FWD_BWD@train", "--out", "-"});
  EXPECT_THAT(one, HasSubstr("FC_FP32_BWD"));
  EXPECT_THAT(one, testing::Not(HasSubstr("RANGE_SGD_UPDATE")));
  expect_refusal({"export", "a.qtrace", "--format", "dot", "--graph", "DEEP", "--out", "-"},
                 {"a.qtrace: has no graph 'DEEP'", "choose one of DEEP_FWD_BWD@train"});
}

TEST_F(Export, SvgIsADrawing) {
  record();
  const CommandResult result = run({"export", "a.qtrace", "--out", "a.svg"});
  if (result.status == 2) {
    EXPECT_THAT(result.err, HasSubstr("QUINTET_ENABLE_GRAPHVIZ"));
    GTEST_SKIP() << "this build has no Graphviz";
  }
  EXPECT_EQ(result.out, "a.svg\n");
  EXPECT_EQ(result.err, "");
  const std::string drawing = read_text(folder_.file("a.svg"));
  EXPECT_THAT(drawing, StartsWith("<?xml"));
  EXPECT_THAT(drawing, HasSubstr("fc1/FC_FP32_FWD/Y"));
}

TEST_F(Export, SqlIsADatabaseWithOneRowASpan) {
  record();
  EXPECT_EQ(run_fine({"export", "a.qtrace", "--format", "sql"}), "a.sqlite\n");
  EXPECT_THAT(read_text(folder_.file("a.sqlite")), StartsWith("SQLite format 3"));
}

TEST_F(Export, TheNameOfTheFileTellsTheFormat) {
  record();
  for (const char* name : {"b.pftrace", "b.perfetto-trace", "b.trace.json", "b.csv", "b.json",
                           "b.html", "b.dot", "b.gv", "b.sqlite", "b.db"}) {
    EXPECT_EQ(run_fine({"export", "a.qtrace", "--out", name}), std::string(name) + "\n");
  }
  EXPECT_EQ(Json::parse(read_text(folder_.file("b.trace.json"))).at("schemaVersion"), 1);
  EXPECT_EQ(Json::parse(read_text(folder_.file("b.json"))).at("schema"), "quintet.report");
  // What is asked for by name wins over what the file is called.
  EXPECT_THAT(exported({"--out", "b.json", "--format", "csv"}), StartsWith("tag,name,"));
}

TEST_F(Export, StepsChoosesAPartOfTheRun) {
  record();
  const Json document =
      run_json({"export", "a.qtrace", "--format", "chrome", "--steps", "2..3", "--out", "-"});
  std::size_t steps = 0;
  for (const Json& event : document.at("traceEvents")) {
    if (event.at("ph") != "X" || !event.at("args").contains("step")) continue;
    const int step = event.at("args").at("step");
    EXPECT_TRUE(step == 2 || step == 3);
    steps += std::string(event.at("name")).starts_with("ProfilerStep#") ? 1 : 0;
  }
  EXPECT_EQ(steps, 2U);
  expect_refusal({"export", "a.qtrace", "--format", "chrome", "--steps", "70..80"},
                 {"a.qtrace: has no step in 70..80", "choose from its steps 0.."});
  expect_refusal({"export", "a.qtrace", "--format", "chrome", "--steps", "3..2"}, {"write 2..3"});
  expect_refusal({"export", "a.qtrace", "--format", "sql", "--steps", "1"}, {"sql", "--steps"});
}

TEST_F(Export, StandardOutputTakesTextOnly) {
  record();
  EXPECT_THAT(run_fine({"export", "a.qtrace", "--format", "csv", "--out", "-"}),
              StartsWith("tag,name,"));
  EXPECT_EQ(folder_.listing(), "a.qtrace");
  expect_refusal({"export", "a.qtrace", "--format", "perfetto", "--out", "-"}, {"binary", "--out"});
  expect_refusal({"export", "a.qtrace", "--format", "sql", "--out", "-"}, {"binary", "--out"});
}

TEST_F(Export, NoRecordingIsEverReplaced) {
  record();
  fs::create_symlink("a.qtrace", folder_.file("link.json"));
  write("b.qtrace", "somebody's\n");
  expect_refusal({"export", "a.qtrace", "--format", "csv", "--out", "./a.qtrace"},
                 {"is the recording itself"});
  expect_refusal({"export", "a.qtrace", "--out", "link.json"}, {"is the recording itself"});
  expect_refusal({"export", "a.qtrace", "--format", "sql", "--out", "a.qtrace"},
                 {"is the recording itself"});
  expect_refusal({"export", "a.qtrace", "--format", "csv", "--out", "b.qtrace"},
                 {"b.qtrace: has the name of a recording"});
}

TEST_F(Export, WhatIsAskedForWronglyIsToldWithACure) {
  record();
  expect_refusal({"export", "a.qtrace"}, {"--format", "--out", "perfetto, chrome"});
  expect_refusal({"export", "a.qtrace", "--out", "a.xyz"}, {"a.xyz", "--format"});
  expect_refusal({"export", "a.qtrace", "--out", "-"}, {"--format"});
  expect_refusal({"export", "a.qtrace", "--format", "perfeto"},
                 {"no format 'perfeto'", "did you mean \"perfetto\"?"});
  expect_refusal({"export", "a.qtrace", "--format", "csv", "--graph", "X"}, {"csv", "--graph"});
  expect_refusal({"export", "none.qtrace", "--format", "csv"}, {"none.qtrace: no such file"});
}

TEST_F(Export, AFullDiskLeavesNoPartOfAFile) {
  record();
  for (const char* format : {"perfetto", "chrome", "csv", "html"}) {
    CommandSetup full = setup({"export", "a.qtrace", "--format", format, "--out", "b"});
    full.file_size_limit = 1000;
    expect_failure(full, 3, {"b: ", "; "});
  }
  expect_refusal({"export", "a.qtrace", "--format", "csv", "--out", "none/b.csv"},
                 {"none/b.csv: "});
}

TEST_F(Export, AReaderThatLeavesEarlyIsNoError) {
  record();
  CommandSetup piped = setup({"export", "a.qtrace", "--format", "chrome", "--out", "-"});
  piped.output = OutputKind::reader_gone;
  const CommandResult result = CommandProcess(piped).wait();
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace quintet
