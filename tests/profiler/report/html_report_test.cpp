#include "profiler/report/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "profiler/report/json_parts.h"
#include "profiler/trace/trace_batch.h"
#include "tests/support/example_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kOpen = R"(<script type="application/json" id="data">)";

std::string embedded(const std::string& html) {
  const std::size_t begin = html.find(kOpen);
  EXPECT_NE(begin, std::string::npos);
  const std::size_t from = begin + kOpen.size();
  return html.substr(from, html.find("</script>", from) - from);
}

std::size_t times_in_page(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(HtmlReport, HoldsItsDataAsJson) {
  const auto data = OrderedJson::parse(embedded(html_report(build_report(example_trace()))));
  EXPECT_EQ(data.at("provenance").at("scenario"), "fashion-lenet");
  EXPECT_EQ(data.at("lanes").size(), 7U);
  EXPECT_FALSE(data.at("timelines").empty());
  EXPECT_EQ(data.at("losses").size(), 12U);
  // Every box refers to a task of the table.
  for (const auto& timeline : data.at("timelines")) {
    for (const auto& box : timeline.at("boxes")) {
      EXPECT_GE(box.at(0).get<int>(), 0);
      EXPECT_LT(box.at(0).get<std::size_t>(), data.at("tasks").size());
    }
  }
}

TEST(HtmlReport, NeedsNothingFromOutside) {
  const std::string html = html_report(build_report(example_trace()));
  EXPECT_THAT(html, Not(HasSubstr("src=")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
  // The one address in it is a name: the namespace of SVG.
  EXPECT_EQ(times_in_page(html, "http"), times_in_page(html, "http://www.w3.org/2000/svg") + 1);
  EXPECT_THAT(html, HasSubstr("http-equiv=\"Content-Security-Policy\""));
}

TEST(HtmlReport, HostileNamesStayData) {
  Trace trace = example_trace();
  const std::string hostile =
      "</script><script>alert(1)</script><!-- & \"' {{script}} \xE2\x80\xA8 \xff";
  trace.tasks[2].name = hostile;
  trace.tasks[2].layer = hostile;
  trace.provenance["scenario"] = hostile;
  trace.provenance[hostile] = hostile;
  trace.lanes[1].name = hostile;
  trace.findings.push_back({Severity::error, hostile, hostile, 1});
  const std::string html = html_report(build_report(trace));
  const std::string clean = html_report(build_report(example_trace()));
  EXPECT_EQ(times_in_page(html, "</script"), times_in_page(clean, "</script"));
  EXPECT_EQ(times_in_page(html, "<script"), times_in_page(clean, "<script"));
  EXPECT_THAT(html, Not(HasSubstr("<!--")));
  EXPECT_THAT(html, HasSubstr("<title>&lt;/script&gt;&lt;script&gt;alert(1)"));
  const auto data = OrderedJson::parse(embedded(html));
  const std::string name = data.at("provenance").at("scenario");
  EXPECT_THAT(name, HasSubstr("</script><script>alert(1)</script><!-- & \"' {{script}}"));
}

TEST(HtmlReport, StaysSmallWhateverTheRecording) {
  Trace trace = tiny_trace();
  const TraceTask like = trace.tasks[1];
  SpanColumns& spans = trace.spans;
  for (std::uint32_t index = 0; index < 30'000; ++index) {
    trace.tasks.push_back(like);
    trace.tasks.back().accesses.clear();
    trace.tasks.back().name = std::string(500, 'n') + std::to_string(index);
    append_span(spans, {index % 5000, index % 5000 + 1, -1,
                        static_cast<std::uint32_t>(trace.tasks.size() - 1),
                        static_cast<std::int32_t>(index % 5000 / 1000), 2, 2});
  }
  const std::string html = html_report(build_report(trace));
  EXPECT_LT(html.size(), 2'000'000U);
}

TEST(HtmlReport, LongRunsThinOutTheirLossesButKeepWhatIsBroken) {
  Trace trace;
  for (std::int64_t step = 0; step < 50'000; ++step) {
    TraceStep record;
    record.step = step;
    record.phase = "train";
    record.shape = "train";
    record.batch = 1;
    record.begin_ns = step * 10;
    record.end_ns = step * 10 + 10;
    record.loss = step == 12'345 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    trace.steps.push_back(record);
  }
  const auto losses = OrderedJson::parse(embedded(html_report(build_report(trace)))).at("losses");
  EXPECT_LE(losses.size(), 2003U);
  bool broken = false;
  for (const auto& point : losses)
    broken = broken || (point.at(0) == 12'345 && point.at(1).is_null());
  EXPECT_TRUE(broken);
}

TEST(HtmlReport, OfAnEmptyTraceIsAPage) {
  const std::string html = html_report(build_report(Trace()));
  EXPECT_THAT(html, HasSubstr("<title>Recording - Quintet</title>"));
  EXPECT_TRUE(OrderedJson::parse(embedded(html)).at("timelines").empty());
}

}  // namespace
}  // namespace quintet
