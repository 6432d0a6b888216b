#include "viewer/model/selection_details.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "tests/support/gpu_trace.h"
#include "tests/support/tiny_trace.h"
#include "tests/viewer/model/part_bench.h"
#include "viewer/model/document_reports.h"

namespace quintet::viewer {
namespace {

Document document_of(Trace trace) {
  Document document;
  document.trace = std::make_shared<const Trace>(std::move(trace));
  document.file = "run.qtrace";
  return document;
}

/// The value of a label; empty where there is none.
std::string value_of(const DetailList& list, const std::string& label) {
  for (const DetailSection& section : list.sections) {
    for (const DetailLine& line : section.lines)
      if (line.label == label) return line.value;
  }
  return {};
}

std::size_t span_of(const Trace& trace, std::uint32_t task) {
  for (std::size_t span = 0; span < trace.spans.size(); ++span)
    if (trace.spans.task[span] == task && trace.spans.activity[span] != kWholeTask) return span;
  return trace.spans.size();
}

TEST(SelectionDetails, OfAKernelHoldEveryFieldOfItsLaunch) {
  const Document document = document_of(gpu_trace(GpuStepMode::whole_step));
  const Selection selection = select_span(document, Side::a, span_of(*document.trace, kGpuFwd));
  const Report report = build_report(*document.trace);
  const DetailList list = details_of(document, selection, &report);
  EXPECT_EQ(list.title, document.trace->tasks[kGpuFwd].name);
  for (const char* label :
       {"policy stream", "executor stream", "duration", "step", "begins", "grid", "block",
        "registers", "shared memory", "occupancy", "busy", "of the step", "slack"}) {
    EXPECT_FALSE(value_of(list, label).empty()) << label;
  }
  EXPECT_EQ(value_of(list, "occupancy"), "25.0 %");
}

TEST(SelectionDetails, WhereASpanBeginsCountsFromTheEndOfTheStepBefore) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  const std::size_t span = span_of(trace, kGpuFwd);
  const auto served =
      std::find_if(trace.steps.begin(), trace.steps.end(),
                   [&](const TraceStep& step) { return step.step == trace.spans.step[span]; });
  ASSERT_NE(served, trace.steps.end());
  TraceStep before = *served;
  before.step = -1;
  before.end_ns = trace.spans.begin_ns[span] - 70;
  before.begin_ns = before.end_ns - 1000;
  served->begin_ns = before.begin_ns;
  trace.steps.insert(trace.steps.begin(), before);
  const Document document = document_of(std::move(trace));
  const DetailList list = details_of(document, select_span(document, Side::a, span), nullptr);
  EXPECT_EQ(value_of(list, "begins"), "70 ns into the step");
}

TEST(SelectionDetails, WhatIsNotKnownIsWrittenAsUnknownWithItsReason) {
  const Document document = document_of(imported_trace());
  const DetailList list = details_of(document, select_span(document, Side::a, 0), nullptr);
  EXPECT_EQ(value_of(list, "busy"), "unknown: it is being measured");
  EXPECT_EQ(value_of(list, "operations"), "unknown: not told for this task");
}

TEST(SelectionDetails, MemoryNamesModeBytesAndWhere) {
  const Document document = document_of(tiny_trace());
  const DetailList list = details_of(document, select_task(document, Side::a, 0), nullptr);
  bool found = false;
  for (const DetailSection& section : list.sections)
    if (section.title == "Memory") found = !section.lines.empty();
  EXPECT_TRUE(found);
}

TEST(SelectionDetails, NeighboursLinkToTheirTasks) {
  Trace trace = tiny_trace();
  TraceGraph graph;
  graph.name = "DEEP";
  graph.edges = {{0, 1, "conflict", "reads what it writes"}, {1, 2, "conflict", ""}};
  trace.graphs = {graph};
  const Document document = document_of(std::move(trace));
  Selection selection;
  selection.task = 1;
  const DetailList list = details_of(document, selection, nullptr);
  std::vector<std::uint32_t> linked;
  for (const DetailSection& section : list.sections) {
    for (const DetailLine& line : section.lines)
      if (line.link) linked.push_back(*line.link->task);
  }
  EXPECT_EQ(linked, (std::vector<std::uint32_t>{0, 2}));
}

TEST(SelectionDetails, IndicesBeyondTheTraceAreNoFacts) {
  const Document document = document_of(tiny_trace());
  Selection selection;
  selection.task = 1'000'000;
  selection.span = 1'000'000;
  selection.lane = 1'000'000;
  selection.step = -7;
  EXPECT_NO_FATAL_FAILURE(details_of(document, selection, nullptr));
  EXPECT_TRUE(select_span(document, Side::a, 1'000'000).empty());
}

TEST(SelectionDetails, FollowTheSelectionAndTheReport) {
  PartBench<DocumentReports> bench;
  auto made = std::make_unique<SelectionDetails>();
  const SelectionDetails& details = *made;
  bench.parts().add(std::move(made));
  bench.open(tiny_trace());
  bench.workbench().selection.task = 0;
  bench.frame();
  EXPECT_EQ(details.details().title, tiny_trace().tasks[0].name);
  bench.frame();
  EXPECT_EQ(value_of(details.details(), "busy").find("unknown"), std::string::npos);
  bench.workbench().selection = {};
  bench.frame();
  EXPECT_TRUE(details.details().title.empty());
}

TEST(DocumentReports, AreOfTheDocumentThatIsOpen) {
  PartBench<DocumentReports> bench;
  bench.open(tiny_trace());
  bench.frame();
  ASSERT_NE(bench.part().report(Side::a), nullptr);
  EXPECT_EQ(bench.part().report(Side::b), nullptr);
  const std::uint64_t generation = bench.part().generation(Side::a);
  bench.open(tiny_serial_trace());
  PartContext context{bench.workbench(), bench.background(), bench.commands(), bench.parts()};
  bench.parts().prepare(context);
  EXPECT_EQ(bench.part().report(Side::a), nullptr) << "that of another document is not shown";
  bench.background().finish();
  EXPECT_NE(bench.part().generation(Side::a), generation);
  bench.send(command_id::kClose, Side::a);
  bench.frame();
  EXPECT_EQ(bench.part().report(Side::a), nullptr);
}

}  // namespace
}  // namespace quintet::viewer
