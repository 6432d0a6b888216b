#include "profiler/report/csv_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profiler/report/golden.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;

TEST(CsvReport, IsWhatAPersonLastAccepted) {
  expect_golden("tiny.csv", csv_report(build_report(tiny_trace())));
}

TEST(CsvReport, QuotesWhatWouldBreakALine) {
  Trace trace = tiny_trace();
  trace.tasks[1].name = "a,\"b\"\nc";
  EXPECT_THAT(tasks_csv(build_report(trace)), HasSubstr("\"a,\"\"b\"\"\nc\",fc1,"));
}

TEST(CsvReport, AnUnknownValueIsAnEmptyCell) {
  EXPECT_THAT(metrics_csv(build_report(tiny_trace())),
              HasSubstr("gain/true,True gain,unknown,,,,1,factor,"));
}

}  // namespace
}  // namespace quintet
