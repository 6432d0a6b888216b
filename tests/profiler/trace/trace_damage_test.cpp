#include <filesystem>
#include <fstream>
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

/// A folder with a finished recording of eight steps, "run.qtrace".
class DamagedRecording : public testing::Test {
 protected:
  void SetUp() override { restore(); }

  void restore() {
    auto writer = TraceWriter::create(path_);
    ASSERT_TRUE(writer) << to_string(writer.error());
    ASSERT_TRUE((*writer)->write_static(sample_plan()));
    for (std::int64_t step = 0; step < 8; ++step)
      ASSERT_TRUE((*writer)->append_batch(sample_step(step)));
    ASSERT_TRUE((*writer)->finish());
  }
  void change(const std::string& sql) {
    Database database(path_, Database::Mode::read_write);
    database.execute("PRAGMA ignore_check_constraints = ON");
    database.execute(sql);
  }
  /// The message of the error that reading must give.
  std::string message() {
    const Result<Trace> trace = read_trace(path_);
    if (trace) return "no error";
    EXPECT_EQ(trace.error().file, path_);
    EXPECT_FALSE(trace.error().cure.empty());
    return trace.error().message;
  }
  std::string content() {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void overwrite(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("run.qtrace");
};

TEST_F(DamagedRecording, ThatIsNoneIsToldApart) {
  EXPECT_EQ(read_trace(folder_.file("nothing")).error().message, "no such file");
  EXPECT_EQ(read_trace(folder_.path()).error().message, "is a folder");
  overwrite("");
  EXPECT_EQ(message(), "is empty");
  overwrite(std::string(5000, 'x'));
  EXPECT_EQ(message(), "is no recording: not a SQLite file");
}

TEST_F(DamagedRecording, OfAnotherProgramOrVersionIsToldApart) {
  change("PRAGMA user_version = 1");
  EXPECT_EQ(message(), "has schema version 1, this program reads 2");
  change("PRAGMA application_id = 0");
  EXPECT_EQ(message(), "is no recording: another program's SQLite file");
}

TEST_F(DamagedRecording, WithAMissingTableNamesIt) {
  for (const char* table :
       {"recording", "provenance", "findings", "lanes", "regions", "tensors", "tasks",
        "task_covers", "accesses", "graphs", "graph_tasks", "edges", "commands", "activities",
        "steps", "span_batches", "untimed", "host_waits", "launches"}) {
    change(std::string("DROP TABLE ") + table);
    EXPECT_NE(message().find(std::string("no such table: ") + table), std::string::npos) << table;
    fs::remove(path_);
    restore();
  }
}

TEST_F(DamagedRecording, ThatIsOlderThanTheTablesOfClocksSaysNothingOfThem) {
  change("DROP TABLE clock_pairs; DROP TABLE lane_clocks; DROP TABLE clocks; DROP TABLE checksums");
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_TRUE(trace->clocks.empty());
  EXPECT_EQ(trace->findings.size(), sample_plan().findings.size());
  EXPECT_GT(trace->spans.size(), 0U);
}

TEST_F(DamagedRecording, WhoseClockReadingsMakeNoSenseLeavesThemOutAndCountsThem) {
  change(
      "UPDATE clock_pairs SET clock = 7 WHERE id = 1; UPDATE clock_pairs SET trace_ns = -1 "
      "WHERE id = 2; PRAGMA foreign_keys = OFF; UPDATE lane_clocks SET lane = 99 WHERE lane = 3");
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace) << to_string(trace.error());
  ASSERT_FALSE(trace->findings.empty());
  EXPECT_EQ(trace->findings.back().name, "damaged_rows");
  EXPECT_EQ(trace->findings.back().count, 3);
  EXPECT_EQ(trace->lane_clocks.size(), 1U);
}

TEST_F(DamagedRecording, WhoseTablesContradictEachOtherIsAnError) {
  for (const char* sql :
       {"UPDATE graph_tasks SET task = 4",
        "UPDATE graph_tasks SET task = -1",
        "UPDATE edges SET to_task = 4294967296",
        "UPDATE accesses SET region = 3",
        "UPDATE accesses SET count = 9223372036854775807, stride = 9",
        "UPDATE accesses SET offset = -1",
        "UPDATE accesses SET mode = 'gaze'",
        "UPDATE tensors SET region = 99",
        "UPDATE tasks SET policy_lane = 4",
        "UPDATE task_covers SET task = task + 70",
        "UPDATE graphs SET primary_lane = 4",
        "UPDATE lanes SET kind = 'river'",
        "UPDATE activities SET kind = 'dance'",
        "UPDATE activities SET grid_x = -1 WHERE grid_x IS NOT NULL",
        "UPDATE activities SET dynamic_shared_bytes = -1 WHERE grid_x IS NOT NULL",
        "DELETE FROM activities WHERE id = 1",
        "UPDATE regions SET kind = 'ATTIC'",
        "UPDATE regions SET stream = 'COMP_9' WHERE stream IS NOT NULL",
        "UPDATE findings SET severity = 'woe'",
        "UPDATE recording SET state = 'happy'",
        "DELETE FROM recording",
        "DELETE FROM lanes WHERE id = 1",
        "DELETE FROM tasks WHERE id = 0",
        "UPDATE commands SET steps = 99999999999"}) {
    change(sql);
    EXPECT_TRUE(message().starts_with("is damaged (")) << sql << ": " << message();
    fs::remove(path_);
    restore();
  }
}

struct BadSpans {
  const char* sql;
  std::int64_t lost;
};

TEST_F(DamagedRecording, WithSenselessSpansLeavesThemOutAndCountsThem) {
  for (const BadSpans& bad :
       {BadSpans{"UPDATE span_batches SET task = CAST(x'ffffffff' || substr(task, 5) AS BLOB) "
                 "WHERE id = 3",
                 1},
        BadSpans{
            "UPDATE span_batches SET lane = CAST(x'0900' || substr(lane, 3) AS BLOB) WHERE id < 3",
            2},
        BadSpans{"UPDATE span_batches SET end_ns = zeroblob(48) WHERE id = 1", 6},
        BadSpans{"UPDATE span_batches SET begin_ns = CAST(x'00000000000000ff' || substr(begin_ns, "
                 "9) AS BLOB)",
                 8},
        BadSpans{"UPDATE span_batches SET end_ns = CAST(x'ffffffffffffff7f' || substr(end_ns, 9) "
                 "AS BLOB)",
                 8},
        BadSpans{"UPDATE span_batches SET step = CAST(x'000000ff' || substr(step, 5) AS BLOB)", 8},
        BadSpans{"UPDATE span_batches SET cpu_ns = x'01' WHERE id = 2", 6},
        BadSpans{"UPDATE span_batches SET lane = x'' WHERE id = 2", 6},
        BadSpans{"UPDATE span_batches SET channel = x'01' WHERE id = 2", 6},
        BadSpans{"UPDATE span_batches SET activity = CAST(x'f0ffffff' || substr(activity, 5) AS "
                 "BLOB) WHERE id = 2",
                 1},
        BadSpans{"UPDATE span_batches SET begin_ns = zeroblob(80) WHERE id = 2", 10},
        BadSpans{"UPDATE span_batches SET spans = 9000000000000000000 WHERE id = 2", 6},
        BadSpans{"UPDATE span_batches SET spans = -1 WHERE id = 2", 6}}) {
    change(bad.sql);
    const Result<Trace> trace = read_trace(path_);
    ASSERT_TRUE(trace) << bad.sql << ": " << to_string(trace.error());
    ASSERT_EQ(trace->findings.back().name, "damaged_spans") << bad.sql;
    EXPECT_EQ(trace->findings.back().count, bad.lost) << bad.sql;
    EXPECT_TRUE(spans_sorted(trace->spans));
    EXPECT_LE(trace->spans.size(), 47U);
    fs::remove(path_);
    restore();
  }
}

TEST_F(DamagedRecording, WithSenselessRowsLeavesThemOutAndCountsThem) {
  change(
      "UPDATE steps SET end_ns = begin_ns - 1 WHERE id = 1;"
      "UPDATE steps SET loss = 9e999 WHERE id = 2;"
      "UPDATE host_waits SET lane = 4 WHERE id < 3;"
      "UPDATE launches SET graph = 2 WHERE id = 5");
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->findings.back().name, "damaged_rows");
  EXPECT_EQ(trace->findings.back().count, 4);
  EXPECT_EQ(trace->steps.size(), 7U);
  EXPECT_FALSE(trace->steps[0].loss);
  EXPECT_EQ(trace->host_waits.size(), 6U);
  EXPECT_EQ(trace->launches.size(), 7U);
}

TEST_F(DamagedRecording, WithUnsortedBatchesIsSortedAllTheSame) {
  change(
      "UPDATE span_batches SET begin_ns = CAST(substr(begin_ns, 9) || substr(begin_ns, 1, 8) AS "
      "BLOB)");
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace);
  EXPECT_TRUE(spans_sorted(trace->spans));
}

TEST_F(DamagedRecording, WithBytesThatAreNoTextGivesReplacementCharacters) {
  change("UPDATE tasks SET layer = CAST(x'63ff31e282' AS TEXT) WHERE id = 0");
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->tasks[0].layer,
            "c\xef\xbf\xbd"
            "1\xef\xbf\xbd\xef\xbf\xbd");
}

/// Reading gives a trace or an error; what is in a trace is in range.
void expect_survivable(const std::string& path) {
  const Result<Trace> trace = read_trace(path);
  if (!trace) {
    EXPECT_FALSE(trace.error().message.empty());
    return;
  }
  EXPECT_TRUE(spans_sorted(trace->spans));
  for (std::size_t i = 0; i < trace->spans.size(); ++i) {
    EXPECT_LT(trace->spans.task[i], trace->tasks.size());
    EXPECT_LT(trace->spans.lane[i], trace->lanes.size());
    EXPECT_LT(trace->spans.executor_lane[i], trace->lanes.size());
  }
}

TEST_F(DamagedRecording, WithRandomBytesChangedIsAnErrorOrATrace) {
  const std::string whole = content();
  std::mt19937 random(200);
  int errors = 0;
  for (int round = 0; round < 400; ++round) {
    std::string bytes = whole;
    const std::size_t changes = 1 + random() % 20;
    // Half of them near the front, where the schema and the tree's roots are.
    const std::size_t reach =
        round % 2 == 0 ? bytes.size() : std::min<std::size_t>(8192, bytes.size());
    for (std::size_t i = 0; i < changes; ++i)
      bytes[random() % reach] = static_cast<char>(random());
    overwrite(bytes);
    expect_survivable(path_);
    errors += read_trace(path_) ? 0 : 1;
  }
  EXPECT_GT(errors, 20);
}

TEST_F(DamagedRecording, ThatIsTruncatedIsAnError) {
  const std::string whole = content();
  std::mt19937 random(201);
  for (int round = 0; round < 100; ++round) {
    overwrite(whole.substr(0, random() % whole.size()));
    const Result<Trace> trace = read_trace(path_);
    EXPECT_FALSE(trace);
  }
}

}  // namespace
}  // namespace quintet
