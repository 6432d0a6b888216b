// Which files can be of one run, and which times can be right.

#include "profiler/import/file_clocks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/profiler/import/import_fixture.h"

namespace quintet {
namespace {

using ::testing::HasSubstr;

constexpr const char* kBase = R"("baseTimeNanoseconds": 1790857026000000000,)";

std::string rank_header(int rank) {
  return fmt::format(R"({} "distributedInfo": {{"rank": {}}},)", kBase, rank);
}

class FileClocksTest : public ImportTest {
 protected:
  Result<Imported> import_both(const std::string& a, const std::string& b,
                               const std::string& name_a = "a.json",
                               const std::string& name_b = "b.json") {
    const std::vector<std::string> paths = {write(a, name_a), write(b, name_b)};
    return import_trace(paths);
  }
  void expect_refused(const Result<Imported>& imported, const std::string& why,
                      const std::string& file = "b.json") {
    ASSERT_FALSE(imported);
    EXPECT_THAT(imported.error().message, HasSubstr(why));
    EXPECT_THAT(imported.error().file, HasSubstr(file));
    EXPECT_FALSE(imported.error().cure.empty());
  }
};

TEST_F(FileClocksTest, RefusesAFileWithoutABaseTimeBesideOneWithIt) {
  const std::string with = document({kernel_event("k", "100", "10")}, rank_header(0));
  const std::string without =
      document({kernel_event("k", "100", "10")}, R"("distributedInfo": {"rank": 1},)");
  expect_refused(import_both(with, without), "does not report when its clock began");
  expect_refused(import_both(without, with), "does not report when its clock began", "a.json");
}

TEST_F(FileClocksTest, TakesEpochMicrosecondsAsABaseTime) {
  const std::string with = document({kernel_event("k", "100", "10")}, rank_header(0));
  const std::string old =
      document({kernel_event("k", "1790857026000050", "10")}, R"("distributedInfo": {"rank": 1},)");
  EXPECT_TRUE(import_both(with, old));
}

TEST_F(FileClocksTest, RefusesFilesThatLieFurtherApartThanAMinute) {
  const auto at = [](const char* ts, int rank) {
    return document({kernel_event("k", ts, "10")}, rank_header(rank));
  };
  EXPECT_TRUE(import_both(at("100", 0), at("59000000", 1)));
  expect_refused(import_both(at("100", 0), at("61000000", 1)), "begins 60 s after the end of");
  expect_refused(import_both(at("90000000000", 0), at("100", 1)), "25.0 hours", "a.json");
}

TEST_F(FileClocksTest, RefusesFilesOfUnrelatedBootsWithoutBaseTimes) {
  const auto at = [](const char* ts, int rank) {
    return document({kernel_event("k", ts, "10")},
                    fmt::format(R"("distributedInfo": {{"rank": {}}},)", rank));
  };
  expect_refused(import_both(at("100", 0), at("86400000000", 1)), "hours after the end of");
  const Result<Imported> near = import_both(at("100", 0), at("105", 1));
  ASSERT_TRUE(near);
  EXPECT_EQ(counted(near->trace, "unverified_clocks"), 2);
}

TEST_F(FileClocksTest, RefusesTwoFilesOfOneRank) {
  const std::string a = document({kernel_event("k", "100", "10")}, rank_header(3));
  const std::string b = document({kernel_event("other", "120", "10")}, rank_header(3));
  expect_refused(import_both(a, b), "is of rank 3, as ");
  const std::string unnamed = document({kernel_event("other", "120", "10")}, kBase);
  expect_refused(import_both(a, unnamed, "a.json", "run_rank3.json"), "is of rank 3", "run_rank3");
}

TEST_F(FileClocksTest, RefusesOneFileTwiceUnderAnyName) {
  const std::string text =
      document({kernel_event("k", "100", "10"), kernel_event("l", "120", "10")}, kBase);
  expect_refused(import_both(text, text), "holds the same recording as");
  expect_refused(import_both(text, gzip(text), "a.json", "copy.json.gz"), "the same recording",
                 "copy.json.gz");
  const std::string reordered =
      document({kernel_event("l", "120", "10"), kernel_event("k", "100", "10")}, kBase);
  expect_refused(import_both(text, reordered), "holds the same recording as");
}

TEST_F(FileClocksTest, NumbersFilesWithoutARankAsGpusOfTheirOwn) {
  const Result<Imported> imported = import_both(document({kernel_event("k", "100", "10")}, kBase),
                                                document({kernel_event("k", "101", "10")}, kBase));
  ASSERT_TRUE(imported);
  ASSERT_EQ(imported->trace.lanes.size(), 2U);
  EXPECT_EQ(imported->trace.lanes[0].rank, 0);
  EXPECT_EQ(imported->trace.lanes[1].rank, 1);
  EXPECT_EQ(counted(imported->trace, "rank_unknown"), 2);
}

TEST_F(FileClocksTest, GivesAFileWithoutARankTheLowestFreeOne) {
  const Result<Imported> imported =
      import_both(document({kernel_event("k", "100", "10")}, rank_header(0)),
                  document({kernel_event("k", "101", "10")}, kBase));
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->trace.lanes[1].rank, 1);
}

TEST_F(FileClocksTest, ListsATimeHoursAwayFromAllOthersAsUntimed) {
  const Trace trace =
      import(document({kernel_event("k", "100000000100", "10"), kernel_event("k", "200", "10"),
                       kernel_event("k", "300", "10"), kernel_event("k", "400", "10")}));
  EXPECT_EQ(trace.spans.size(), 3U);
  EXPECT_EQ(trace.spans.end_ns.back() - trace.spans.begin_ns.front(), 210'000);
  ASSERT_EQ(trace.untimed.size(), 1U);
  EXPECT_EQ(trace.untimed[0].raw_begin_ns, 100'000'000'100'000);
  EXPECT_EQ(counted(trace, "outlier_times"), 1);
}

TEST_F(FileClocksTest, FindsOutliersInTheMiddleOfTheFileAndBeforeAllOthers) {
  std::vector<std::string> events = {kernel_event("early", "1", "1")};
  for (int i = 0; i < 20; ++i)
    events.push_back(kernel_event("k", std::to_string(80'000'000'000 + i * 20), "10"));
  events.insert(events.begin() + 7, kernel_event("late", "190000000000", "1"));
  const Trace trace = import(document(events, kBase));
  EXPECT_EQ(trace.spans.size(), 20U);
  EXPECT_EQ(counted(trace, "outlier_times"), 2);
  ASSERT_EQ(trace.untimed.size(), 2U);
  EXPECT_EQ(trace.untimed[0].raw_begin_ns + trace.untimed[1].raw_begin_ns, 190'000'000'001'000)
      << "raw: as the file reports them, without the base";
}

TEST_F(FileClocksTest, BelievesTimesHoursApartWhereWorkReachesFromOneToTheOther) {
  const Trace trace =
      import(document({kernel_event("long", "100", "7200000000"),
                       kernel_event("k", "7200000200", "10"), kernel_event("k", "300", "10")}));
  EXPECT_EQ(trace.spans.size(), 3U);
  EXPECT_TRUE(trace.untimed.empty());
}

TEST_F(FileClocksTest, DoesNotChooseBetweenTwoGroupsOfTimes) {
  const Trace trace = import(
      document({kernel_event("k", "100", "10"), kernel_event("k", "200", "10"),
                kernel_event("k", "9000000000", "10"), kernel_event("k", "9000000100", "10")}));
  EXPECT_EQ(trace.spans.size(), 4U);
  EXPECT_EQ(counted(trace, "distant_times"), 2);
  EXPECT_EQ(counted(trace, "outlier_times"), 0);
}

TEST_F(FileClocksTest, DropsAStepWhoseRangeIsAnOutlier) {
  std::vector<std::string> events;
  for (int step = 0; step < 4; ++step)
    events.push_back(event("user_annotation", fmt::format("ProfilerStep#{}", step),
                           std::to_string(step == 3 ? 90'000'000'000 : 100 + step * 100), "90"));
  events.push_back(kernel_event("k", "150", "10"));
  const Trace trace = import(document(events));
  EXPECT_EQ(trace.steps.size(), 3U);
  EXPECT_EQ(counted(trace, "impossible_step"), 1);
}

TEST_F(FileClocksTest, ReportsWorkOutsideEveryStepAsAnError) {
  const auto steps_at = [](std::int64_t at) {
    return std::vector<std::string>{
        event("user_annotation", "ProfilerStep#0", std::to_string(at), "100"),
        event("user_annotation", "ProfilerStep#1", std::to_string(at + 100), "100"),
        kernel_event("k", "100", "10"), kernel_event("k", "120", "10")};
  };
  const Trace apart = import(document(steps_at(7'200'000'000)));
  ASSERT_TRUE(finding(apart, "work_outside_steps"));
  EXPECT_EQ(finding(apart, "work_outside_steps")->severity, Severity::error);
  EXPECT_EQ(counted(apart, "work_outside_steps"), 2);
  EXPECT_EQ(apart.spans.size(), 4U) << "hosts and devices have clocks of their own";
  EXPECT_FALSE(finding(import(document(steps_at(125))), "work_outside_steps"));
  EXPECT_FALSE(finding(import(document({kernel_event("k", "1", "1")})), "work_outside_steps"));
}

TEST_F(FileClocksTest, CountsWorkThatAStepLaunchedAsItsWork) {
  const Trace late = import(
      document({event("user_annotation", "step 4", "100", "50"),
                call_event("cudaLaunchKernel", "110", "5", 1), kernel_event("k", "400", "10", 1)}));
  EXPECT_FALSE(finding(late, "work_outside_steps"));
}

TEST_F(FileClocksTest, RefusesAFileThatIsNamedTwice) {
  const std::string path = write(document({kernel_event("k", "100", "10")}), "a.json");
  const std::vector<std::string> paths = {path, path};
  expect_refused(import_trace(paths), "is named twice", "a.json");
}

TEST_F(FileClocksTest, ReportsAHostHoursFromItsDevices) {
  const auto distant = [this](std::string_view host_ts) {
    return counted(
        import(document({event("cpu_op", "o", host_ts, "10"), kernel_event("k", "200", "10"),
                         kernel_event("k", "300", "10")})),
        "distant_times");
  };
  EXPECT_EQ(distant("100000000000"), 1);
  EXPECT_EQ(distant("1000000"), 0);
}

}  // namespace
}  // namespace quintet
