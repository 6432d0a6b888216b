#include <filesystem>
#include <gmock/gmock.h>

#include "tests/scenarios/cli/cli_test.h"
#include "tests/scenarios/cli/example_recording.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class HistoryCommand : public CliTest {
 protected:
  void record(const std::string& name, std::uint64_t seed) const {
    ExampleOptions options;
    options.seed = seed;
    write_example(folder_.file(name), options);
  }
};

TEST_F(HistoryCommand, AddsListsAndShowsTheTrend) {
  record("a.qtrace", 1);
  record("b.qtrace", 2);
  EXPECT_THAT(run_fine({"history", "add", "a.qtrace", "--commit", "aaaa"}),
              HasSubstr("quintet-history.sqlite: 1 added, 0 replaced, commit aaaa"));
  run_fine({"history", "add", "b.qtrace", "--commit", "bbbb"});
  EXPECT_EQ(folder_.listing(), "a.qtrace b.qtrace quintet-history.sqlite");
  const std::string list = run_fine({"history", "list", "--scenario", "fashion-lenet"});
  EXPECT_THAT(list, HasSubstr("a.qtrace"));
  EXPECT_THAT(list, HasSubstr("bbbb"));
  const Json trend = run_json({"history", "trend", "--scenario", "fashion-lenet", "--json"});
  EXPECT_EQ(trend.at("points").size(), 2U);
  EXPECT_EQ(trend.at("tag"), "step/time");
}

TEST_F(HistoryCommand, ARecordingAddedAgainIsReplaced) {
  record("a.qtrace", 1);
  run_fine({"history", "add", "a.qtrace", "--commit", "aaaa"});
  fs::copy_file(folder_.file("a.qtrace"), folder_.file("copy.qtrace"));
  EXPECT_THAT(run_fine({"history", "add", "copy.qtrace", "--commit", "bbbb"}),
              HasSubstr("0 added, 1 replaced"));
  EXPECT_EQ(run_json({"history", "list", "--json"}).at("runs").size(), 1U);
}

TEST_F(HistoryCommand, WithoutARepositoryTheCommitIsUnknown) {
  record("a.qtrace", 1);
  EXPECT_THAT(run_fine({"history", "add", "a.qtrace"}), HasSubstr("commit unknown"));
}

TEST_F(HistoryCommand, WritesAPage) {
  record("a.qtrace", 1);
  run_fine({"history", "add", ".", "--db", "team.sqlite", "--commit", "aaaa"});
  EXPECT_EQ(run_fine({"history", "trend", "--db", "team.sqlite", "--metric", "step/throughput",
                      "--html", "trend.html"}),
            "trend.html\n");
  EXPECT_THAT(read_text(folder_.file("trend.html")), HasSubstr("<svg"));
}

TEST_F(HistoryCommand, WhatIsNoHistoryOrNoMetricIsRefused) {
  record("a.qtrace", 1);
  expect_refusal({"history", "list"}, {"quintet-history.sqlite: no such file", "history add"});
  expect_refusal({"history", "add"}, {"no recording to add"});
  expect_refusal({"history", "add", "a.qtrace", "--db", "a.qtrace"}, {"is no history"});
  expect_refusal({"history", "forget"}, {"forget"});
  run_fine({"history", "add", "a.qtrace"});
  expect_refusal({"history", "trend", "--metric", "step/tim"}, {"step/tim", "step/time"});
  expect_refusal({"history", "list", "a.qtrace"}, {"takes no recordings"});
  expect_refusal({"history", "trend", "--html", "quintet-history.sqlite"},
                 {"is the history itself"});
}

}  // namespace
}  // namespace quintet
