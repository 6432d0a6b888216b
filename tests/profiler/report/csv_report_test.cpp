#include "profiler/report/csv_report.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "tests/profiler/report/golden.h"
#include "tests/support/example_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;

std::string table(const Trace& trace, std::string_view name) {
  return csv_table_named(name)->write(build_report(trace));
}

/// The rows of a CSV text, as RFC 4180 says.
std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row(1);
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char each = text[at];
    if (each == '"' && quoted && at + 1 < text.size() && text[at + 1] == '"') {
      row.back() += text[++at];
    } else if (each == '"') {
      quoted = !quoted;
    } else if (each == ',' && !quoted) {
      row.emplace_back();
    } else if (each == '\n' && !quoted) {
      rows.push_back(std::exchange(row, std::vector<std::string>(1)));
    } else {
      row.back() += each;
    }
  }
  EXPECT_FALSE(quoted);
  return rows;
}

TEST(CsvReport, IsWhatAPersonLastAccepted) {
  expect_golden("tiny.csv", table(tiny_trace(), "metrics"));
  expect_golden("tiny_tasks.csv", table(tiny_trace(), "tasks"));
}

TEST(CsvReport, EveryTableHasAsManyCellsInEachLine) {
  Trace trace = example_trace();
  trace.findings.push_back({Severity::notice, "odd, name", "says \"this\",\nand that", 2});
  const Report report = build_report(trace);
  for (const CsvTable& each : csv_tables()) {
    const auto rows = rows_of(each.write(report));
    ASSERT_FALSE(rows.empty()) << each.name;
    for (const auto& row : rows)
      EXPECT_EQ(row.size(), rows.front().size()) << each.name;
  }
  EXPECT_EQ(rows_of(csv_table_named("steps")->write(report)).size(), report.steps.size() + 1);
  EXPECT_EQ(rows_of(csv_table_named("layers")->write(report)).size(), report.layers.size() + 1);
}

TEST(CsvReport, QuotesWhatWouldBreakALine) {
  Trace trace = tiny_trace();
  trace.tasks[1].name = "a,\"b\"\nc";
  EXPECT_THAT(table(trace, "tasks"), HasSubstr("\"a,\"\"b\"\"\nc\",fc1,"));
}

TEST(CsvReport, TextThatASpreadsheetWouldComputeBeginsWithAnApostrophe) {
  for (const std::string name :
       {"=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\rx", "\nx", " =1", "  +1", "\"=1\"",
        "'=1", "\u00A0=1", "\uFEFF@x", "\uFF1D1", "\uFF0B1", " \"\t-1"}) {
    Trace trace = tiny_trace();
    trace.tasks[1].name = name;
    trace.tasks[1].layer = name;
    const auto rows = rows_of(table(trace, "tasks"));
    const auto named = std::find_if(rows.begin(), rows.end(),
                                    [&](const auto& row) { return row[0] == "'" + name; });
    ASSERT_NE(named, rows.end()) << name;
    EXPECT_EQ((*named)[1], "'" + name);
  }
}

TEST(CsvReport, NumbersAndOtherTextStayAsTheyAre) {
  for (const std::string name : {"void k<-1>(int)", "a=b", "x;y", "gemm - 2", "'quoted'"}) {
    Trace trace = tiny_trace();
    trace.tasks[1].name = name;
    const auto rows = rows_of(table(trace, "tasks"));
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
      return row[0] == name;
    })) << name;
  }
  Trace trace = tiny_trace();
  trace.steps.front().begin_ns -= 1'000'000'000'000;
  EXPECT_THAT(table(trace, "steps"), HasSubstr(",-"));
}

TEST(CsvReport, ControlCharactersAndBrokenTextAreEscaped) {
  Trace trace = tiny_trace();
  trace.tasks[1].name = std::string("e\x1b]0;t\x07\0\xff\xc2\x9b", 11);
  EXPECT_THAT(table(trace, "tasks"), HasSubstr("e\\x1b]0;t\\x07\\x00\uFFFD\\u009b"));
}

TEST(CsvReport, AnUnknownValueIsAnEmptyCell) {
  EXPECT_THAT(table(tiny_trace(), "metrics"),
              HasSubstr("gain/true,True gain,unknown,,,,1,factor,"));
}

}  // namespace
}  // namespace quintet
