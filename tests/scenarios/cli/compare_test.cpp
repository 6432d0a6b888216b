#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>

#include "tests/scenarios/cli/cli_test.h"
#include "tests/scenarios/cli/example_recording.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Compare : public CliTest {
 protected:
  void record(const std::string& name, bool serial, std::uint64_t seed) const {
    ExampleOptions options;
    options.serial = serial;
    options.seed = seed;
    write_example(folder_.file(name), options);
  }
  void record_both() const {
    record("serial.qtrace", true, 1);
    record("five.qtrace", false, 2);
  }
};

TEST_F(Compare, TellsStepTimeTimelinesAndWhatMoved) {
  record_both();
  const std::string text = run_fine({"compare", "serial.qtrace", "five.qtrace"});
  for (const char* words : {"B is faster", "on one scale", "Moved to another stream",
                            "Critical path", "spread between processes unknown", "Method"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
}

TEST_F(Compare, RecordingsOfRealRunsUnderTwoLoweringsAreAlignedByWhatTasksCover) {
  run_fine({"run", "generated-mlp", "--steps", "12", "--out", "article.qtrace"});
  run_fine(
      {"run", "generated-mlp", "--steps", "12", "--lowering", "fused", "--out", "fused.qtrace"});
  const Json json = run_json({"compare", "article.qtrace", "fused.qtrace", "--json"});
  const Json& caveats = json.at("caveats");
  EXPECT_TRUE(std::any_of(caveats.begin(), caveats.end(), [](const Json& caveat) {
    return caveat.at("name") == "other_lowering";
  }));
  EXPECT_TRUE(json.at("only_b").empty());
  bool fused = false;
  for (const Json& task : json.at("tasks"))
    fused = fused || task.at("tasks_a").size() > task.at("tasks_b").size();
  EXPECT_TRUE(fused);
}

TEST_F(Compare, FoldersAreSidesOfSeveralProcesses) {
  for (const char* side : {"before", "after"})
    fs::create_directory(folder_.file(side));
  std::uint64_t seed = 0;
  for (const char* name :
       {"before/1.qtrace", "before/2.qtrace", "after/1.qtrace", "after/2.qtrace"})
    record(name, false, ++seed);
  write("after/notes.txt", "no recording");
  const Json json = run_json({"compare", "before", "after", "--json"});
  EXPECT_EQ(json.at("a").at("recordings").size(), 2U);
  EXPECT_EQ(json.at("b").at("recordings").size(), 2U);
  EXPECT_EQ(json.at("between_processes_known"), true);
}

TEST_F(Compare, TheSameSeedGivesTheSameIntervals) {
  record_both();
  const Words words = {"compare", "serial.qtrace", "five.qtrace", "--json", "--seed",
                       "9",       "--resamples",   "300"};
  EXPECT_EQ(run_fine(words), run_fine(words));
}

TEST_F(Compare, HtmlIsOneFileAndItsNameIsPrinted) {
  record_both();
  EXPECT_EQ(run_fine({"compare", "serial.qtrace", "five.qtrace", "--html", "c.html"}), "c.html\n");
  const std::string page = read_text(folder_.file("c.html"));
  EXPECT_THAT(page, HasSubstr("fashion-lenet"));
  EXPECT_THAT(page, Not(HasSubstr(" src=\"http")));
  EXPECT_EQ(folder_.listing(), "c.html five.qtrace serial.qtrace");
}

TEST_F(Compare, WhatCannotBeReadOrReplacedIsRefused) {
  record_both();
  fs::create_directory(folder_.file("empty"));
  expect_refusal({"compare", "serial.qtrace", "none.qtrace"}, {"none.qtrace: no such file"});
  expect_refusal({"compare", "serial.qtrace", "empty"}, {"empty: holds no recording"});
  expect_refusal({"compare", "serial.qtrace"}, {"b is required"});
  expect_refusal({"compare", "serial.qtrace", "five.qtrace", "--html", "./five.qtrace"},
                 {"is one of the recordings"});
  expect_refusal({"compare", "serial.qtrace", "five.qtrace", "--resamples", "3"}, {"--resamples"});
}

}  // namespace
}  // namespace quintet
