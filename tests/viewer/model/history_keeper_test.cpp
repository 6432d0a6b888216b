#include "viewer/model/history_keeper.h"

#include <gtest/gtest.h>

#include "tests/profiler/trace/sample_trace.h"
#include "tests/support/tiny_trace.h"
#include "tests/viewer/model/part_bench.h"

namespace quintet::viewer {
namespace {

TEST(HistoryKeeper, ReadsNothingBeforeItsTabShows) {
  PartBench<HistoryKeeper> bench;
  bench.frame();
  EXPECT_TRUE(bench.part().error().message.empty());
}

TEST(HistoryKeeper, AddsWhatIsShownAndShowsIt) {
  const TemporaryFolder folder;
  const std::string file = folder.file("history.sqlite");
  PartBench<HistoryKeeper> bench;
  bench.open(tiny_trace());
  bench.send(command_id::kHistoryOpen, file);
  EXPECT_FALSE(bench.part().error().message.empty()) << "there is none yet";
  EXPECT_TRUE(bench.send(command_id::kHistoryAdd));
  for (const Command& command : bench.commands().take())
    bench.send(command.id, command.argument);
  EXPECT_TRUE(bench.part().error().message.empty()) << to_string(bench.part().error());
  ASSERT_EQ(bench.part().shown().runs.size(), 1U);
  EXPECT_EQ(bench.part().shown().tag, kHistoryTag);
  EXPECT_EQ(bench.part().shown().trend.points.size(), 1U);
  bench.send(command_id::kHistoryMetric, std::string("no/such/metric"));
  EXPECT_EQ(bench.part().shown().tag, kHistoryTag);
}

}  // namespace
}  // namespace quintet::viewer
