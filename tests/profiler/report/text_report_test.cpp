#include "profiler/report/text_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profiler/report/golden.h"
#include "tests/support/example_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;
using testing::Not;

Trace serial_example() {
  ExampleOptions options;
  options.serial = true;
  return example_trace(options);
}

TEST(TextReport, IsWhatAPersonLastAccepted) {
  const Trace serial = serial_example();
  expect_golden("example.txt", text_report(build_report(example_trace(), &serial)));
  expect_golden("example_ascii.txt", text_report(build_report(serial), {80, false, 5}));
}

TEST(TextReport, OfAnEmptyTraceSaysWhatIsUnknownAndWhy) {
  const std::string text = text_report(build_report(Trace()));
  EXPECT_THAT(text, HasSubstr("no step was recorded"));
  EXPECT_THAT(text, HasSubstr("unknown: needs a serial recording of the same scenario"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(TextReport, SaysWhenTheRecordingIsIncomplete) {
  Trace trace = example_trace();
  trace.state = RecordingState::abandoned;
  EXPECT_THAT(text_report(build_report(trace)),
              HasSubstr("abandoned: this recording is incomplete"));
}

}  // namespace
}  // namespace quintet
