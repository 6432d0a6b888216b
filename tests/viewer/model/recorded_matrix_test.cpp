#include "viewer/model/recorded_matrix.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "profiler/trace/trace_file.h"
#include "tests/profiler/trace/sample_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet::viewer {
namespace {

RecordedEntry entry(const std::string& scenario, const std::string& policy,
                    std::optional<std::int64_t> step_ns) {
  RecordedEntry made;
  made.name = scenario + "-" + policy;
  made.scenario = scenario;
  made.policy = policy;
  made.step_mode = "whole_step";
  made.batch = "32";
  made.device = "GPU";
  made.untraced_step_ns = step_ns;
  return made;
}

TEST(RecordedMatrix, HasOneRowForWhatRanAndOneColumnForHow) {
  const RecordedMatrix matrix =
      arrange_recorded({entry("large", "renaissance", 900), entry("large", "serial", 1000),
                        entry("small", "renaissance", 30), entry("small", "alone", std::nullopt)});
  ASSERT_EQ(matrix.columns.size(), 3U);
  EXPECT_EQ(matrix.columns[0], "serial, whole_step") << "what others are held against";
  ASSERT_EQ(matrix.rows.size(), 2U);
  EXPECT_EQ(matrix.rows[0].title, "small, batch 32") << "the quickest first";
  EXPECT_FALSE(matrix.rows[0].cells[0]) << "small was not recorded serially";
  ASSERT_TRUE(matrix.rows[1].cells[0]);
  EXPECT_EQ(matrix.entries[*matrix.rows[1].cells[0]].policy, "serial");
  ASSERT_TRUE(quickest_cell(matrix, matrix.rows[1]));
  EXPECT_EQ(matrix.entries[*quickest_cell(matrix, matrix.rows[1])].policy, "renaissance");
  EXPECT_FALSE(quickest_cell(matrix, matrix.rows[0])) << "of one there is no quickest";
}

TEST(RecordedMatrix, HoldsEveryRecordingThatComesWithTheTreeOnce) {
  JobControl control;
  const RecordedMatrix matrix = read_recorded(QUINTET_RECORDED_DIR, control);
  EXPECT_TRUE(matrix.unreadable.empty());
  ASSERT_GE(matrix.entries.size(), 30U);
  std::vector<std::size_t> seen;
  for (const RecordedRow& row : matrix.rows) {
    EXPECT_LE(row.cells.size(), matrix.columns.size());
    for (const std::optional<std::size_t>& cell : row.cells)
      if (cell) seen.push_back(*cell);
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
  EXPECT_EQ(seen.size(), matrix.entries.size());
}

TEST(RecordedMatrix, OthersOfARowAreTheSameWorkUnderOtherPolicies) {
  JobControl control;
  const RecordedMatrix matrix = read_recorded(QUINTET_RECORDED_DIR, control);
  const std::vector<std::size_t> others =
      others_of_row(matrix, "elsewhere/resnet50-b8-serial-whole_step.qtrace.gz");
  EXPECT_EQ(others.size(), 5U);
  for (const std::size_t other : others) {
    EXPECT_EQ(matrix.entries[other].name.find("resnet50-b8-"), 0U) << matrix.entries[other].name;
    EXPECT_NE(matrix.entries[other].name, "resnet50-b8-serial-whole_step");
  }
  EXPECT_TRUE(others_of_row(matrix, "mine.qtrace").empty());
  EXPECT_TRUE(others_of_row(matrix, "").empty());
}

TEST(RecordedMatrix, WhatCannotBeReadIsToldAndTheRestIsShown) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_trace(tiny_trace(), folder.file("good.qtrace"), TraceForm::plain));
  ASSERT_TRUE(write_trace(tiny_trace(), folder.file("bad.qtrace"), TraceForm::plain));
  FILE* bad = std::fopen(folder.file("bad.qtrace").c_str(), "wb");
  ASSERT_NE(bad, nullptr);
  std::fputs("no recording", bad);
  std::fclose(bad);
  JobControl control;
  const RecordedMatrix matrix = read_recorded(folder.path(), control);
  EXPECT_EQ(matrix.entries.size(), 1U);
  EXPECT_EQ(matrix.unreadable.size(), 1U);
}

TEST(RecordedMatrix, AMissingFolderIsAnEmptyMatrix) {
  JobControl control;
  EXPECT_TRUE(read_recorded("no/such/folder", control).entries.empty());
}

}  // namespace
}  // namespace quintet::viewer
