#include <chrono>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <thread>

#include "tests/profiler/import/import_fixture.h"
#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

class Interrupt : public CliTest {
 protected:
  Interrupt() {
    write("long.toml", with_line(scenario_text("generated-mlp"), "epochs", "epochs = 20000"));
  }

  /// Sends `signals` that long after the recording is there.
  [[nodiscard]] CommandResult interrupted_run(std::chrono::milliseconds delay,
                                              const std::vector<int>& signals,
                                              const Words& more = {}) const {
    Words words = {"run", "long.toml", "--out", "a.qtrace"};
    words.insert(words.end(), more.begin(), more.end());
    std::filesystem::remove(folder_.file("a.qtrace"));  // of a run before: its file tells nothing
    CommandProcess process(setup(words));
    EXPECT_TRUE(wait_for_file("a.qtrace", process));
    std::this_thread::sleep_for(delay);
    for (const int signal : signals)
      process.send(signal);
    return process.wait();
  }
};

TEST_F(Interrupt, EndsTheRunWithResultsAndAWholeRecording) {
  for (const int delay : {0, 50, 300, 700}) {
    const CommandResult result =
        interrupted_run(std::chrono::milliseconds(delay), {SIGINT}, {"--json"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.err, "");
    const Json run = Json::parse(result.out);
    EXPECT_EQ(run.at("interrupted"), true);
    ASSERT_EQ(run.at("findings").size(), 1U);
    EXPECT_EQ(run.at("findings").at(0).at("name"), "interrupted");
    EXPECT_GE(run.at("steps"), 1);
    const Json report = run_json({"report", "a.qtrace", "--json"});
    EXPECT_EQ(report.at("state"), "complete");
    EXPECT_EQ(report.at("losses"), run.at("losses"));
    EXPECT_EQ(report.at("findings"), run.at("findings"));
    EXPECT_EQ(folder_.listing(), "a.qtrace long.toml");
  }
}

TEST_F(Interrupt, TextSaysThatItStoppedEarly) {
  const CommandResult result = interrupted_run(std::chrono::milliseconds(200), {SIGTERM});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, testing::HasSubstr(", stopped early\n"));
  EXPECT_THAT(result.out, testing::HasSubstr("(interrupted)"));
}

TEST_F(Interrupt, ManySignalsAtOnceAreOne) {
  const CommandResult result =
      interrupted_run(std::chrono::milliseconds(200), {SIGINT, SIGTERM, SIGINT, SIGTERM});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(run_json({"report", "a.qtrace", "--json"}).at("state"), "complete");
}

TEST_F(Interrupt, EndsAnImportWithoutAFile) {
  const std::string arrow = R"({"ph": "f", "id": 9, "pid": 0, "tid": 7, "ts": 5, "name": "ac2g"},)";
  std::string text;
  while (text.size() < 4'000'000)
    text += arrow;
  // Many gzip members are one long text: seconds of reading in a small file.
  const std::string member = gzip(text);
  std::string packed = gzip("[");
  for (int i = 0; i < 1000; ++i)
    packed += member;
  write("long.json.gz", packed);
  std::filesystem::remove(folder_.file("long.toml"));
  CommandProcess process(setup({"import", "long.json.gz"}));
  EXPECT_TRUE(wait_for_file("long.qtrace.new", process));
  process.send(SIGINT);
  const CommandResult result = process.wait();
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, testing::HasSubstr("cancelled"));
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(folder_.listing(), "long.json.gz");
}

}  // namespace
}  // namespace quintet
