#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

#include "profiler/trace/checksum.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_copy.h"
#include "profiler/trace/trace_file.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/trace/trace_trim.h"
#include "profiler/trace/trace_writer.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;

std::uint64_t sum_of(std::span<const std::byte> bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

TEST(ChecksumOfBytes, ChangesWithEveryBit) {
  std::mt19937 random(3);
  for (const std::size_t size : {1U, 7U, 8U, 9U, 63U, 64U, 65U, 200U}) {
    std::vector<std::byte> bytes(size);
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::byte>(random()); });
    std::set<std::uint64_t> sums = {sum_of(bytes)};
    for (std::size_t bit = 0; bit < size * 8; ++bit) {
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
      EXPECT_TRUE(sums.insert(sum_of(bytes)).second) << size << ": " << bit;
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    }
  }
}

TEST(ChecksumOfBytes, ChangesWithTheirOrderAndNumber) {
  std::vector<std::byte> bytes(256);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(i);
  const std::uint64_t whole = sum_of(bytes);
  for (const std::size_t distance : {8U, 64U, 128U}) {
    std::vector<std::byte> swapped = bytes;
    std::swap_ranges(swapped.begin(), swapped.begin() + 8,
                     swapped.begin() + static_cast<std::ptrdiff_t>(distance));
    EXPECT_NE(sum_of(swapped), whole) << distance;
  }
  std::set<std::uint64_t> zeros;
  for (std::size_t size = 0; size < 200; ++size)
    EXPECT_TRUE(zeros.insert(sum_of(std::vector<std::byte>(size))).second) << size;
}

/// Spans enough for blobs that do not fit on one page.
TraceBatch many_spans(std::int64_t count) {
  TraceBatch batch;
  const std::int64_t begin = sample_step(20).steps.front().begin_ns;
  for (std::int64_t i = 0; i < count; ++i) {
    append_span(batch.spans, {begin + i * 100, begin + i * 100 + 90, i % 3 == 0 ? i : -1,
                              static_cast<std::uint32_t>(i % 3), static_cast<std::int32_t>(i / 100),
                              static_cast<std::uint16_t>(i % 3), 0, kWholeTask,
                              static_cast<std::uint32_t>(i), 2});
  }
  return batch;
}

const Finding* mismatch_of(const Trace& trace) {
  const auto found =
      std::find_if(trace.findings.begin(), trace.findings.end(),
                   [](const Finding& finding) { return finding.name == "checksum_mismatch"; });
  return found == trace.findings.end() ? nullptr : &*found;
}

/// A recording of eight steps and 2000 further spans, still growing until it is finished.
class ChecksummedRecording : public testing::Test {
 protected:
  void SetUp() override {
    auto writer = TraceWriter::create(path_);
    ASSERT_TRUE(writer) << to_string(writer.error());
    writer_ = std::move(*writer);
    ASSERT_TRUE(writer_->write_static(sample_plan()));
    for (std::int64_t step = 0; step < 8; ++step)
      ASSERT_TRUE(writer_->append_batch(sample_step(step)));
    ASSERT_TRUE(writer_->append_batch(many_spans(2000)));
    writer_->add_finding({Severity::notice, "late", "found at the end", 3});
    writer_->set_provenance("verdict", "right");
  }
  void finish() {
    ASSERT_TRUE(writer_->finish());
    writer_.reset();
    whole_ = content();
    text_ = describe(read_trace(path_).value());
  }
  std::string content() {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void overwrite(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  void change(const std::string& sql) const {
    Database database(path_, Database::Mode::read_write);
    database.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    database.execute(sql);
  }
  /// "" where the damage is an error, a finding, or none at all.
  std::string silent_difference() {
    const Result<Trace> trace = read_trace(path_);
    if (!trace || mismatch_of(*trace) != nullptr) return "";
    const std::string text = describe(*trace);
    return text == text_ ? "" : text;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("run.qtrace");
  std::unique_ptr<TraceWriter> writer_;
  std::string whole_;
  std::string text_;
};

TEST_F(ChecksummedRecording, HasAChecksumForEveryTableThatHoldsRows) {
  finish();
  Database database(path_, Database::Mode::read_only);
  Statement table = database.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'checksums'");
  int tables = 0;
  while (table.step()) {
    const std::string name = table.text(0);
    EXPECT_EQ(database.integer(fmt::format("SELECT count(*) FROM {}", name)),
              database.integer(
                  fmt::format("SELECT total(rows) FROM checksums WHERE table_name = '{}'", name)))
        << name;
    ++tables;
  }
  EXPECT_EQ(tables, 23);
}

TEST_F(ChecksummedRecording, IsAsWrittenInEveryStateAndForm) {
  const auto expect_sound = [](const std::string& path) {
    const Result<Trace> trace = read_trace(path);
    ASSERT_TRUE(trace) << to_string(trace.error());
    EXPECT_EQ(mismatch_of(*trace), nullptr) << path << mismatch_of(*trace)->message;
  };
  expect_sound(path_);
  ASSERT_TRUE(copy_trace(path_, folder_.file("copy_of_growing.qtrace")));
  expect_sound(folder_.file("copy_of_growing.qtrace"));
  writer_.reset();  // abandoned
  expect_sound(path_);
  ASSERT_TRUE(copy_trace(path_, folder_.file("copy.qtrace")));
  expect_sound(folder_.file("copy.qtrace"));
  const Trace trimmed = trim_trace(read_trace(path_).value(), {2, 5});
  ASSERT_TRUE(write_trace(trimmed, folder_.file("trimmed.qtrace"), TraceForm::plain));
  expect_sound(folder_.file("trimmed.qtrace"));
  ASSERT_TRUE(write_trace(trimmed, folder_.file("trimmed.qtrace.gz"), TraceForm::gzip));
  expect_sound(folder_.file("trimmed.qtrace.gz"));
  ASSERT_TRUE(write_trace(Trace{}, folder_.file("empty.qtrace"), TraceForm::plain));
  expect_sound(folder_.file("empty.qtrace"));
}

TEST_F(ChecksummedRecording, ThatLacksTheTableIsReadUnchecked) {
  finish();
  change(
      "DROP TABLE checksums; UPDATE steps SET batch = 65 WHERE id = 1;"
      "CREATE TABLE busy_summary(shift INTEGER NOT NULL, lane INTEGER NOT NULL, bucket INTEGER NOT "
      "NULL, busy_ns INTEGER NOT NULL, PRIMARY KEY (shift, lane, bucket)) STRICT, WITHOUT ROWID;"
      "INSERT INTO busy_summary VALUES (20, 0, 5, 7)");
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(mismatch_of(*trace), nullptr);
  EXPECT_EQ(trace->steps.front().batch, 65);
}

struct Damage {
  const char* sql;
  const char* where;
};

TEST_F(ChecksummedRecording, ReportsEveryChangedLostAddedAndSwappedRow) {
  finish();
  for (const Damage& damage :
       {Damage{"UPDATE recording SET heartbeat_ns = heartbeat_ns + 1", "recording batch 0"},
        Damage{"UPDATE provenance SET value = 'serial' WHERE key = 'policy'", "provenance batch 0"},
        Damage{"DELETE FROM provenance WHERE key = 'verdict'", "provenance batch 0"},
        Damage{"UPDATE findings SET count = count + 1 WHERE id = 1", "findings batch 0"},
        Damage{"DELETE FROM findings", "findings batch 0"},
        Damage{"UPDATE lanes SET priority = 9 WHERE id = 1", "lanes batch 0"},
        Damage{"UPDATE lanes SET name = 'x' WHERE id = 3", "lanes batch 1"},
        Damage{"DELETE FROM lanes WHERE id = 3; DELETE FROM lane_clocks WHERE lane = 3",
               "lanes batch 1"},
        Damage{"UPDATE regions SET bytes = bytes + 1 WHERE id = 0", "regions batch 0"},
        Damage{"UPDATE tensors SET offset = 0 WHERE id = 0", "tensors batch 0"},
        Damage{"UPDATE tasks SET flops = flops + 1 WHERE id = 0", "tasks batch 0"},
        Damage{"UPDATE tasks SET layer = 'y' WHERE id = 3", "tasks batch 1"},
        Damage{"UPDATE task_covers SET semantic_id = 'z' WHERE task = 1", "task_covers batch 0"},
        Damage{"DELETE FROM accesses WHERE task = 3", "accesses batch 1"},
        Damage{"UPDATE accesses SET bytes = bytes + 1 WHERE task = 0", "accesses batch 0"},
        Damage{"UPDATE graphs SET empty = 1 WHERE id = 0", "graphs batch 0"},
        Damage{"UPDATE graph_tasks SET task = 1 - task", "graph_tasks batch 0"},
        Damage{"UPDATE graph_tasks SET position = 5 - position", "graph_tasks batch 0"},
        Damage{"DELETE FROM edges", "edges batch 0"},
        Damage{"UPDATE commands SET why = '?' WHERE id = 1", "commands batch 0"},
        Damage{"UPDATE activities SET bytes = 4097 WHERE id = 0", "activities batch 0"},
        Damage{"UPDATE activities SET occupancy = NULL WHERE id = 1", "activities batch 0"},
        Damage{"UPDATE steps SET end_ns = end_ns + 1 WHERE id = 4", "steps batch 4"},
        Damage{"DELETE FROM steps WHERE id = 8", "steps batch 8"},
        Damage{"INSERT INTO steps SELECT 9, step, phase, shape, slot, batch, begin_ns, end_ns, "
               "loss, correct, learning_rate, recording FROM steps WHERE id = 8",
               "steps batch 9"},
        Damage{"UPDATE steps SET id = -1 WHERE id = 2; UPDATE steps SET id = 2 WHERE id = 3;"
               "UPDATE steps SET id = 3 WHERE id = -1",
               "steps batch 2, steps batch 3"},
        Damage{"UPDATE steps SET loss = -loss WHERE id = 1", "steps batch 1"},
        Damage{"UPDATE span_batches SET first_step = 3 WHERE id = 5", "span_batches batch 5"},
        Damage{"UPDATE span_batches SET cpu_ns = CAST(x'01' || substr(cpu_ns, 2) AS BLOB) "
               "WHERE id = 9",
               "span_batches batch 9"},
        Damage{"UPDATE span_batches SET lane = executor_lane, executor_lane = lane WHERE id = 9",
               "span_batches batch 9"},
        Damage{"DELETE FROM span_batches WHERE id = 3", "span_batches batch 3"},
        Damage{"UPDATE span_batches SET id = 30 WHERE id = 3", "span_batches batch 3"},
        Damage{"UPDATE untimed SET raw_end_ns = 5 WHERE id = 2", "untimed batch 2"},
        Damage{"DELETE FROM host_waits WHERE id = 1", "host_waits batch 1"},
        Damage{"UPDATE launches SET correlation = 1 WHERE id = 7", "launches batch 7"},
        Damage{"UPDATE clocks SET name = 'sun' WHERE id = 0", "clocks batch 1"},
        Damage{"UPDATE lane_clocks SET clock = 0 WHERE lane = 3", "lane_clocks batch 0"},
        Damage{"UPDATE clock_pairs SET width_ns = 0 WHERE id = 6", "clock_pairs batch 6"},
        Damage{"DROP TABLE clock_pairs; DROP TABLE lane_clocks; DROP TABLE clocks",
               "clock_pairs batch 1"},
        Damage{"DELETE FROM checksums WHERE table_name = 'tasks'", "tasks batch 0"},
        Damage{"DELETE FROM checksums", "recording batch 0"},
        Damage{"UPDATE checksums SET table_name = 'stepz' WHERE table_name = 'steps'",
               "stepz batch 1"}}) {
    overwrite(whole_);
    change(damage.sql);
    const Result<Trace> trace = read_trace(path_);
    ASSERT_TRUE(trace) << damage.sql << ": " << to_string(trace.error());
    const Finding* mismatch = mismatch_of(*trace);
    ASSERT_NE(mismatch, nullptr) << damage.sql;
    EXPECT_EQ(mismatch->severity, Severity::data_loss);
    EXPECT_GE(mismatch->count, 1);
    EXPECT_NE(mismatch->message.find(damage.where), std::string::npos)
        << damage.sql << ": " << mismatch->message;
    EXPECT_GE(trace->spans.size(), 2000U) << "what can be read is kept";
  }
}

TEST_F(ChecksummedRecording, CountsEveryDamagedBatchAndNamesTheFirst) {
  finish();
  change("UPDATE steps SET batch = batch + 1; UPDATE launches SET step = step + 1");
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace);
  ASSERT_NE(mismatch_of(*trace), nullptr);
  EXPECT_EQ(mismatch_of(*trace)->count, 16);
  EXPECT_NE(mismatch_of(*trace)->message.find("steps batch 8 and 8 more"), std::string::npos)
      << mismatch_of(*trace)->message;
}

TEST_F(ChecksummedRecording, NeverDiffersInSilenceWhateverBitFlips) {
  finish();
  std::mt19937 random(16);
  for (int round = 0; round < 1500; ++round) {
    std::string bytes = whole_;
    // A third of them where the header, the schema and the roots of the tables are.
    const std::size_t reach = round % 3 == 0 ? std::size_t{1} << 15 : bytes.size();
    const std::size_t at = round < 100 ? static_cast<std::size_t>(round) : random() % reach;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
    overwrite(bytes);
    EXPECT_EQ(silent_difference(), "") << "bit of byte " << at;
  }
}

TEST_F(ChecksummedRecording, ReportsEveryFlippedBitOfItsSpans) {
  finish();
  // Pieces of the columns of the large batch, which lie on pages of their own.
  std::mt19937 random(80);
  const SpanColumns spans = many_spans(2000).spans;
  const auto piece_of = [&](const auto& column) {
    const auto bytes = std::as_bytes(std::span(column));
    const std::size_t at = random() % (bytes.size() - 16);
    return std::string(reinterpret_cast<const char*>(bytes.data()) + at, 16);
  };
  int flips = 0;
  for (int round = 0; round < 300; ++round) {
    const std::array pieces = {piece_of(spans.begin_ns), piece_of(spans.end_ns),
                               piece_of(spans.correlation)};
    const std::size_t at = whole_.find(pieces.at(static_cast<std::size_t>(round) % 3));
    if (at == std::string::npos) continue;  // it lies across two pages
    ++flips;
    std::string bytes = whole_;
    const std::size_t place = at + random() % 16;
    bytes[place] = static_cast<char>(bytes[place] ^ (1 << (random() % 8)));
    overwrite(bytes);
    const Result<Trace> trace = read_trace(path_);
    EXPECT_TRUE(!trace || mismatch_of(*trace) != nullptr) << place;
  }
  EXPECT_GT(flips, 250);
}

TEST_F(ChecksummedRecording, InGzipFormNeverDiffersInSilence) {
  finish();
  const std::string packed = folder_.file("run.qtrace.gz");
  ASSERT_TRUE(write_trace(read_trace(path_).value(), packed, TraceForm::gzip));
  path_ = packed;
  const std::string whole = content();
  std::mt19937 random(17);
  for (int round = 0; round < 200; ++round) {
    std::string bytes = whole;
    const std::size_t at = round < 20 ? static_cast<std::size_t>(round) : random() % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
    overwrite(bytes);
    EXPECT_EQ(silent_difference(), "") << "bit of byte " << at;
  }
}

TEST_F(ChecksummedRecording, ThatAKilledRunLeftNeverDiffersInSilence) {
  writer_.reset();
  const Result<Trace> left = read_trace(path_);
  ASSERT_TRUE(left);
  text_ = describe(*left);
  whole_ = content();
  std::mt19937 random(18);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole_;
    const std::size_t at = random() % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
    overwrite(bytes);
    EXPECT_EQ(silent_difference(), "") << "bit of byte " << at;
  }
}

TEST_F(ChecksummedRecording, ThatGrowsReportsDamageInNewRows) {
  GrowthPosition position;
  ASSERT_TRUE(read_growth(path_, position));
  ASSERT_TRUE(writer_->append_batch(sample_step(8)));
  Result<TraceGrowth> growth = read_growth(path_, position);
  ASSERT_TRUE(growth);
  EXPECT_FALSE(growth->whole);
  EXPECT_EQ(growth->batch.steps.size(), 1U);
  ASSERT_TRUE(writer_->append_batch(sample_step(9)));
  change("UPDATE span_batches SET last_step = 77 WHERE id = 11");
  growth = read_growth(path_, position);
  ASSERT_TRUE(growth);
  ASSERT_TRUE(growth->whole);
  ASSERT_NE(mismatch_of(*growth->whole), nullptr);
  EXPECT_NE(mismatch_of(*growth->whole)->message.find("span_batches batch 11"), std::string::npos);
  // What comes after it is sound, and comes alone.
  ASSERT_TRUE(writer_->append_batch(sample_step(10)));
  growth = read_growth(path_, position);
  ASSERT_TRUE(growth);
  EXPECT_FALSE(growth->whole);
  EXPECT_EQ(growth->batch.steps.size(), 1U);
}

TEST_F(ChecksummedRecording, ThatIsDamagedWhileItGrowsStaysSoToTheEnd) {
  change(
      "UPDATE provenance SET value = '?' WHERE key = 'policy';"
      "UPDATE findings SET count = 99 WHERE id = 1; UPDATE lane_clocks SET clock = 0;"
      "UPDATE recording SET pid_start_ticks = pid_start_ticks + 1");
  writer_->set_provenance("seed", "8");
  writer_->add_finding({Severity::notice, "later", "", 1});
  TraceBatch lanes;
  lanes.lane_clocks = {{1, 1}};
  ASSERT_TRUE(writer_->append_batch(std::move(lanes)));
  ASSERT_TRUE(writer_->finish());
  ASSERT_TRUE(copy_trace(path_, folder_.file("copy.qtrace")));
  for (const std::string& path : {path_, folder_.file("copy.qtrace")}) {
    const Result<Trace> trace = read_trace(path);
    ASSERT_TRUE(trace);
    ASSERT_NE(mismatch_of(*trace), nullptr);
    EXPECT_EQ(mismatch_of(*trace)->count, 4) << mismatch_of(*trace)->message;
  }
}

TEST_F(ChecksummedRecording, ExportsWhatReadingFound) {
  finish();
  change("UPDATE launches SET correlation = 1 WHERE id = 7");
  const std::string rows = folder_.file("rows.sqlite");
  ASSERT_TRUE(export_sql(path_, rows));
  Database database(rows, Database::Mode::read_only);
  EXPECT_EQ(database.integer("SELECT count(*) FROM findings WHERE name = 'checksum_mismatch'"), 1);
  EXPECT_EQ(database.integer("SELECT count(*) FROM findings WHERE name = 'late'"), 1);
  EXPECT_EQ(database.integer(
                "SELECT count(*) FROM sqlite_schema WHERE name IN ('checksums', 'span_batches')"),
            0);
}

TEST(RecordingSize, DoesNotDependOnTheLengthOfSpans) {
  const TemporaryFolder folder;
  const auto size_with = [&](std::int64_t length_ns) {
    Trace trace = sample_plan();
    for (std::int64_t thread = 0; thread < 64; ++thread) {
      append_span(trace.spans, {1'000'000'000 + thread, 1'000'000'000 + thread + length_ns, -1, 0,
                                0, static_cast<std::uint16_t>(thread % 3), 0});
    }
    const std::string path = folder.file(fmt::format("{}.qtrace", length_ns));
    EXPECT_TRUE(write_trace(trace, path, TraceForm::plain));
    EXPECT_EQ(read_trace(path)->spans.end_ns.back(), 1'000'000'063 + length_ns);
    auto writer = TraceWriter::create(path);
    EXPECT_TRUE(writer);
    EXPECT_TRUE((*writer)->write_static(trace));
    TraceBatch batch;
    batch.spans = trace.spans;
    EXPECT_TRUE((*writer)->append_batch(std::move(batch)));
    EXPECT_TRUE((*writer)->finish());
    return fs::file_size(path);
  };
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::uintmax_t size = size_with(1000);
  EXPECT_LT(size, 200'000U);
  for (const std::int64_t length : {600 * kSecond, 3600 * kSecond, 1'000'000'000 * kSecond})
    EXPECT_EQ(size_with(length), size) << length;
}

}  // namespace
}  // namespace quintet
