#include "viewer/model/document_loader.h"

#include <fstream>
#include <gtest/gtest.h>

#include "profiler/trace/trace_file.h"
#include "tests/profiler/trace/sample_trace.h"
#include "tests/support/tiny_trace.h"
#include "tests/viewer/model/part_bench.h"

namespace quintet::viewer {
namespace {

TEST(DocumentLoader, OpensARecordingAtTheWantedSide) {
  const TemporaryFolder folder;
  const std::string file = folder.file("tiny.qtrace.gz");
  ASSERT_TRUE(write_trace(tiny_trace(), file, TraceForm::gzip));
  PartBench<DocumentLoader> bench;
  EXPECT_TRUE(bench.send(command_id::kOpenFile, OpenFile{file, Side::b}));
  const std::vector<Command> emitted = bench.commands().take();
  ASSERT_EQ(emitted.size(), 1U);
  const auto* placed = emitted[0].get<PlaceDocument>();
  ASSERT_NE(placed, nullptr);
  EXPECT_EQ(placed->side, Side::b);
  EXPECT_EQ(placed->document.file, file);
  EXPECT_EQ(placed->document.trace->spans.size(), tiny_trace().spans.size());
}

TEST(DocumentLoader, OpensAForeignTraceByItsContent) {
  const TemporaryFolder folder;
  const std::string file = folder.file("foreign.json");
  std::ofstream(file) << R"({"schemaVersion": 1, "traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 5,
     "args": {"device": 0, "stream": 7, "correlation": 1}}]})";
  PartBench<DocumentLoader> bench;
  bench.send(command_id::kOpenFile, OpenFile{file, Side::a});
  const std::vector<Command> emitted = bench.commands().take();
  ASSERT_EQ(emitted.size(), 1U);
  EXPECT_GE(emitted[0].get<PlaceDocument>()->document.trace->spans.size(), 1U);
}

TEST(DocumentLoader, WhatCannotBeReadIsToldWithACure) {
  PartBench<DocumentLoader> bench;
  bench.send(command_id::kOpenFile, OpenFile{"no/such/file.qtrace", Side::a});
  EXPECT_TRUE(bench.commands().empty());
  const LogLine* alert = bench.workbench().log.alert();
  ASSERT_NE(alert, nullptr);
  EXPECT_EQ(alert->level, LogLevel::error);
  EXPECT_NE(alert->text.find("no/such/file.qtrace"), std::string::npos);
  EXPECT_FALSE(alert->cure.empty());
}

}  // namespace
}  // namespace quintet::viewer
