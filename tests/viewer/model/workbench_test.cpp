#include "viewer/model/workbench.h"

#include <gtest/gtest.h>

#include "tests/support/tiny_trace.h"
#include "tests/viewer/model/part_bench.h"
#include "viewer/model/comparison_keeper.h"

namespace quintet::viewer {
namespace {

TEST(Workbench, TheMainSideIsWhereTheEyeIs) {
  Workbench workbench;
  EXPECT_EQ(workbench.main_document(), nullptr);
  Document document;
  document.trace = std::make_shared<const Trace>(tiny_trace());
  workbench.documents[1] = document;
  EXPECT_EQ(workbench.main_side(), Side::b) << "only B is open";
  workbench.documents[0] = document;
  EXPECT_EQ(workbench.main_side(), Side::a);
  workbench.shown = Shown::b;
  EXPECT_EQ(workbench.main_side(), Side::b);
  workbench.selection.side = Side::a;
  workbench.selection.task = 0;
  EXPECT_EQ(workbench.main_side(), Side::a) << "something is selected there";
}

TEST(Steps, NeighboursStayWithinTheTrace) {
  const Trace trace = tiny_trace();
  EXPECT_EQ(neighbour_step(trace, std::nullopt, 1), 0);
  EXPECT_EQ(neighbour_step(trace, 0, -1), 0);
  EXPECT_EQ(neighbour_step(trace, 4, 1), 4);
  EXPECT_EQ(neighbour_step(trace, 2, 1), 3);
  EXPECT_EQ(neighbour_step(trace, 99, 1), 0);
  EXPECT_EQ(neighbour_step(Trace{}, 2, 1), std::nullopt);
}

TEST(Selection, OfATaskIsItsSpanInTheWantedStep) {
  Document document;
  document.trace = std::make_shared<const Trace>(tiny_trace());
  const Selection selection = select_task(document, Side::a, 1, 3);
  ASSERT_TRUE(selection.span);
  EXPECT_EQ(document.trace->spans.step[*selection.span], 3);
  EXPECT_EQ(document.trace->spans.task[*selection.span], 1U);
  EXPECT_EQ(select_task(document, Side::a, 1, 99).task, 1U);
}

TEST(WorkbenchLog, KeepsTheNewestLinesAndCountsTheRest) {
  WorkbenchLog log;
  for (std::size_t line = 0; line < kLogLines + 5; ++line)
    log.note("line");
  EXPECT_EQ(log.lines().size(), kLogLines);
  EXPECT_EQ(log.left_out(), 5U);
  EXPECT_EQ(log.lines().back().number, kLogLines + 5);
}

TEST(WorkbenchLog, AnAlertStaysUntilItIsDismissed) {
  WorkbenchLog log;
  log.note("fine");
  EXPECT_EQ(log.alert(), nullptr);
  log.fail({"no such file", "name another", "a.qtrace", 0});
  ASSERT_NE(log.alert(), nullptr);
  EXPECT_EQ(log.alert()->text, "a.qtrace: no such file");
  log.dismiss_alert();
  EXPECT_EQ(log.alert(), nullptr);
}

TEST(ComparisonKeeper, ComparesTheTwoThatAreOpenAndForgetsThemOnClose) {
  PartBench<ComparisonKeeper> bench;
  bench.open(tiny_serial_trace(), Side::a, "serial.qtrace");
  bench.frame();
  EXPECT_EQ(bench.part().comparison(), nullptr);
  bench.open(tiny_trace(), Side::b, "run.qtrace");
  bench.frame();
  ASSERT_NE(bench.part().comparison(), nullptr);
  ASSERT_TRUE(bench.part().comparison()->step_time);
  EXPECT_LT(bench.part().comparison()->step_time->difference.value, 0) << "B is quicker";
  bench.send(command_id::kClose, Side::b);
  bench.frame();
  EXPECT_EQ(bench.part().comparison(), nullptr);
}

/// A side that says so of its step.
ComparedSide side_of(const std::string& untraced_ns, bool predicted) {
  ComparedSide side;
  if (!untraced_ns.empty()) side.provenance["untraced_step_ns"] = untraced_ns;
  if (predicted) {
    side.provenance["predicted"] = "true";
    side.provenance["predicted_error"] = "0.0100";
  }
  return side;
}

TEST(PredictedChange, HoldsUntracedTimesAgainstAPrediction) {
  Comparison comparison;
  comparison.a = side_of("3000000", false);
  comparison.b = side_of("3015000", true);
  const auto near = predicted_change(comparison);
  ASSERT_TRUE(near);
  EXPECT_EQ(near->predicted, Side::b);
  EXPECT_DOUBLE_EQ(near->before_ns, 3e6);
  EXPECT_NEAR(near->ratio(), 0.005, 1e-12);
  EXPECT_FALSE(near->told()) << "within the error of the prediction";
  comparison.b = side_of("2700000", true);
  EXPECT_TRUE(predicted_change(comparison)->told());
  comparison.b.provenance["predicted_error"] = "unknown";
  EXPECT_FALSE(predicted_change(comparison)->told());
}

TEST(PredictedChange, IsNoneBetweenMeasuredSidesOrWithoutUntracedTimes) {
  Comparison comparison;
  comparison.a = side_of("3000000", false);
  comparison.b = side_of("3015000", false);
  EXPECT_FALSE(predicted_change(comparison));
  comparison.b = side_of("3015000", true);
  comparison.a = side_of("", false);
  EXPECT_FALSE(predicted_change(comparison));
  comparison.a = side_of("3000000", true);
  EXPECT_FALSE(predicted_change(comparison));
}

TEST(Document, LabelSaysThatNothingOfAPredictionRan) {
  Trace trace;
  trace.provenance["policy"] = "serial (step = event_sync)";
  trace.provenance["step_mode"] = "event_sync";
  Document document;
  document.trace = std::make_shared<const Trace>(trace);
  EXPECT_EQ(document.label(), "serial (step = event_sync)");
  trace.provenance["predicted"] = "true";
  document.trace = std::make_shared<const Trace>(trace);
  EXPECT_EQ(document.label(), "serial (step = event_sync), predicted");
}

}  // namespace
}  // namespace quintet::viewer
