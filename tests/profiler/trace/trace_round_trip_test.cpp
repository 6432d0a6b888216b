#include <filesystem>
#include <gtest/gtest.h>
#include <random>

#include "profiler/trace/span_order.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_copy.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/trace/trace_writer.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<TraceWriter> growing(const std::string& path, std::int64_t steps) {
  auto writer = TraceWriter::create(path);
  EXPECT_TRUE(writer) << to_string(writer.error());
  const Result<void> plan = (*writer)->write_static(sample_plan());
  EXPECT_TRUE(plan) << to_string(plan.error());
  for (std::int64_t step = 0; step < steps; ++step)
    EXPECT_TRUE((*writer)->append_batch(sample_step(step)));
  return std::move(*writer);
}

void record(const std::string& path, std::int64_t steps) {
  EXPECT_TRUE(growing(path, steps)->finish());
}

TEST(Recording, ReadsBackEveryFieldOfARichTrace) {
  const TemporaryFolder folder;
  record(folder.file("run.qtrace"), 7);
  const Result<Trace> trace = read_trace(folder.file("run.qtrace"));
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(describe(*trace), describe(sample_trace(7)));
}

TEST(Recording, IsOneFileOnceFinished) {
  const TemporaryFolder folder;
  record(folder.file("run.qtrace"), 3);
  EXPECT_EQ(folder.listing(), "run.qtrace");
}

TEST(Recording, TakesProvenanceAndFindingsUntilTheEnd) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  auto writer = TraceWriter::create(path);
  ASSERT_TRUE(writer);
  (*writer)->set_provenance("seed", "7");
  ASSERT_TRUE((*writer)->write_static(sample_plan()));
  (*writer)->set_provenance("policy", "serial");
  (*writer)->add_finding({Severity::error, "race", "a and b", 2});
  ASSERT_TRUE((*writer)->finish());
  const Result<Trace> trace = read_trace(path);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->provenance.at("seed"), "7");
  EXPECT_EQ(trace->provenance.at("policy"), "serial");
  EXPECT_EQ(trace->findings.back().name, "race");
  EXPECT_EQ(trace->findings.back().count, 2);
}

TEST(Recording, CanBeReadWhileItGrows) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  auto writer = growing(path, 0);
  for (std::int64_t step = 0; step < 5; ++step) {
    ASSERT_TRUE(writer->append_batch(sample_step(step)));
    Result<Trace> trace = read_trace(path);
    ASSERT_TRUE(trace) << to_string(trace.error());
    EXPECT_EQ(trace->state, RecordingState::growing);
    EXPECT_EQ(trace->steps.size(), static_cast<std::size_t>(step + 1));
    trace->state = RecordingState::complete;
    EXPECT_EQ(describe(*trace), describe(sample_trace(step + 1)));
  }
  EXPECT_TRUE(writer->finish());
  EXPECT_EQ(folder.listing(), "run.qtrace");
}

TEST(Recording, ThatTheWriterLeftUnfinishedSaysSo) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  growing(path, 2).reset();
  const Result<Trace> trace = read_trace(path);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->state, RecordingState::abandoned);
  EXPECT_EQ(trace->findings.back().name, "incomplete_recording");
  EXPECT_EQ(trace->steps.size(), 2U);
}

TEST(Recording, ReplacesAnOlderOneOnlyWhenItsPlanIsWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  record(path, 4);
  auto writer = TraceWriter::create(path);
  ASSERT_TRUE(writer) << to_string(writer.error());
  EXPECT_EQ(read_head(path)->steps, 4);
  ASSERT_TRUE((*writer)->write_static(sample_plan()));
  EXPECT_EQ(read_head(path)->steps, 0);
  EXPECT_EQ(read_head(path)->state, RecordingState::growing);
}

TEST(Recording, LeavesTheOlderOneWhereItsPlanIsNeverWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  record(path, 4);
  ASSERT_TRUE(TraceWriter::create(path));
  EXPECT_EQ(read_head(path)->steps, 4);
  EXPECT_EQ(folder.listing(), "run.qtrace");
}

TEST(Recording, OfTheOrderOfSpansIsSortedThoughBatchesOverlap) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  auto writer = growing(path, 0);
  Trace expected = sample_plan();
  std::mt19937 random(7);
  for (int batch = 0; batch < 20; ++batch) {
    TraceBatch spans;
    for (int i = 0; i < 50; ++i) {
      const std::int64_t begin = batch * 1000 + static_cast<std::int64_t>(random() % 3000);
      append_span(spans.spans, {begin, begin + static_cast<std::int64_t>(random() % 50), -1,
                                static_cast<std::uint32_t>(random() % 3), batch,
                                static_cast<std::uint16_t>(random() % 3), 0});
    }
    for (std::size_t i = 0; i < 50; ++i) {
      const SpanKey key = span_key(spans.spans, i);
      append_span(expected.spans, {key.begin_ns, key.end_ns, -1, key.task, key.step, key.lane, 0});
    }
    ASSERT_TRUE(writer->append_batch(std::move(spans)));
  }
  ASSERT_TRUE(writer->finish());
  sort_spans(expected.spans);
  const Result<Trace> trace = read_trace(path);
  ASSERT_TRUE(trace);
  EXPECT_TRUE(spans_sorted(trace->spans));
  EXPECT_EQ(describe(*trace), describe(expected));
}

TEST(TraceCopy, OfAGrowingRecordingIsOneFileThatSaysIncomplete) {
  const TemporaryFolder folder;
  const TemporaryFolder other;
  const auto writer = growing(folder.file("run.qtrace"), 6);
  const Result<void> copied = copy_trace(folder.file("run.qtrace"), other.file("copy.qtrace"));
  ASSERT_TRUE(copied) << to_string(copied.error());
  EXPECT_EQ(other.listing(), "copy.qtrace");
  const Result<Trace> copy = read_trace(other.file("copy.qtrace"));
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->state, RecordingState::abandoned);
  EXPECT_EQ(copy->steps.size(), 6U);
}

TEST(TraceCopy, OfACompleteRecordingIsEqual) {
  const TemporaryFolder folder;
  record(folder.file("run.qtrace"), 6);
  ASSERT_TRUE(copy_trace(folder.file("run.qtrace"), folder.file("copy.qtrace")));
  EXPECT_EQ(describe(*read_trace(folder.file("copy.qtrace"))), describe(sample_trace(6)));
}

TEST(TraceCopy, OntoItselfIsRefused) {
  const TemporaryFolder folder;
  record(folder.file("run.qtrace"), 6);
  EXPECT_FALSE(copy_trace(folder.file("run.qtrace"), folder.path() + "/./run.qtrace"));
  EXPECT_EQ(read_head(folder.file("run.qtrace"))->steps, 6);
}

TEST(SqlExport, HoldsOneRowPerSpanWithNames) {
  const TemporaryFolder folder;
  record(folder.file("run.qtrace"), 6);
  for (int twice = 0; twice < 2; ++twice) {
    const Result<void> done = export_sql(folder.file("run.qtrace"), folder.file("run.sqlite"));
    ASSERT_TRUE(done) << to_string(done.error());
  }
  EXPECT_EQ(folder.listing(), "run.qtrace run.sqlite");
  Database rows(folder.file("run.sqlite"), Database::Mode::read_only);
  EXPECT_EQ(rows.integer("SELECT count(*) FROM spans"), 36);
  EXPECT_EQ(
      rows.integer("SELECT count(*) FROM spans WHERE name = 'conv1/CONV_FP32_BWD/dX' AND lane "
                   "= 'COMP_2' AND end_ns - begin_ns = 699990 AND cpu_ns = 650000"),
      18);
  EXPECT_EQ(rows.integer("SELECT count(*) FROM spans WHERE cpu_ns IS NULL AND executor_lane = "
                         "'HOST_MAIN'"),
            18);
  const Result<Trace> no_recording = read_trace(folder.file("run.sqlite"));
  ASSERT_FALSE(no_recording);
  EXPECT_NE(no_recording.error().message.find("export"), std::string::npos);
}

}  // namespace
}  // namespace quintet
