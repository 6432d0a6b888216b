#include "profiler/report/terminal_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "profiler/report/format.h"
#include "tests/support/example_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;

std::string drawn(const Report& report, std::size_t width, bool unicode) {
  return terminal_timeline(report, report.timelines.front(), {width, unicode});
}

TEST(TerminalTimeline, ShowsBusyColumnsNamesSharesAndUnits) {
  // 6 columns of names, 5 of frame, 8 of shares: 50 columns of 20 ns.
  const std::string text = drawn(build_report(tiny_trace()), 69, false);
  // The copy is 10 columns long, too short for its name with a block on either side.
  EXPECT_EQ(text,
            "  TRANS  |     ##########                                   |  20.0 %\n"
            "  COMP_1 |          ######fc1######|######:                 |  45.0 %\n"
            "  COMP_2 |                                                  |  unused\n"
            "  COMP_3 |                              ##fc1 dX##          |  20.0 %\n"
            "  UPDATE |                                        #####     |  10.0 %\n"
            "         ++------------------------+------------------------+\n"
            "          0                        0.5                   1 us\n");
}

TEST(TerminalTimeline, DrawsAStepOnALongerAxisToo) {
  const Report report = build_report(tiny_trace());
  // Half the columns; shares stay those of the step.
  EXPECT_THAT(terminal_timeline(report, report.timelines.front(), {69, false, 2000}),
              HasSubstr("  COMP_3 |               #####                              |  20.0 %\n"));
}

TEST(TerminalTimeline, NoLineIsWiderThanAsked) {
  const Report report = build_report(example_trace());
  for (const std::size_t width : {60U, 80U, 100U, 160U}) {
    for (const bool unicode : {false, true}) {
      std::istringstream lines(drawn(report, width, unicode));
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(display_width(line), width) << line;
    }
  }
}

TEST(TerminalTimeline, AsciiHasOnlyAscii) {
  for (const char each : drawn(build_report(example_trace()), 100, false))
    EXPECT_LT(static_cast<unsigned char>(each), 0x80U);
}

TEST(TerminalTimeline, TheShortestWorkStillShows) {
  Trace trace = tiny_trace();
  for (std::size_t span = 4; span < trace.spans.size(); span += 5)
    trace.spans.end_ns[span] = trace.spans.begin_ns[span] + 1;
  EXPECT_THAT(drawn(build_report(trace), 69, true), HasSubstr("\u2581"));
}

}  // namespace
}  // namespace quintet
