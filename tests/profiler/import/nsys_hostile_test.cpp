// Exports that are damaged, lie, or are none.

#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "profiler/import/nsys_sqlite.h"
#include "profiler/import/string_table.h"
#include "profiler/trace/span_order.h"
#include "profiler/trace/trace_writer.h"
#include "tests/profiler/import/nsys_export.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLooseKernels =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, correlationId, "
    "globalPid, demangledName, gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, "
    "graphNodeId);";

std::string error_of(Database& database) {
  const auto run = import_nsys(database);
  return run ? "no error" : run.error().message;
}

TEST(NsysSchemaVersion, OfAnotherMajorNumberIsRefused) {
  NsysExport exported;
  exported.sql("UPDATE META_DATA_EXPORT SET value = '4.0.2' WHERE name = 'EXPORT_SCHEMA_VERSION'");
  EXPECT_EQ(error_of(exported.database()), "has export schema 4.0.2, this program reads 3.x");
}

TEST(NsysSchemaVersion, OfANewerMinorNumberIsReadWithANotice) {
  NsysExport exported;
  exported.sql("UPDATE META_DATA_EXPORT SET value = '3.31.0' WHERE name = 'EXPORT_SCHEMA_VERSION'");
  EXPECT_EQ(imported(exported).counted("newer_schema"), 1);
}

TEST(NsysSchemaVersion, ThatIsMissingOrNoneIsReadWithANotice) {
  for (const char* change :
       {"DELETE FROM META_DATA_EXPORT", "UPDATE META_DATA_EXPORT SET value = NULL",
        "UPDATE META_DATA_EXPORT SET value = 'new'", "UPDATE META_DATA_EXPORT SET value = '3.x'",
        "UPDATE META_DATA_EXPORT SET value = x'00'", "UPDATE META_DATA_EXPORT SET name = 7",
        "UPDATE META_DATA_EXPORT SET value = '99999999999999999999.1'",
        "DROP TABLE META_DATA_EXPORT"}) {
    NsysExport exported;
    exported.kernel({1, 2}).sql(change);
    EXPECT_EQ(imported(exported).counted("unknown_schema"), 1) << change;
  }
}

TEST(NsysDatabase, ThatIsEmptyOrAnotherProgramsIsToldApart) {
  Database database(":memory:", Database::Mode::create);
  constexpr const char* kNone = "is no Nsight Systems export: another program's SQLite file";
  EXPECT_EQ(error_of(database), kNone);
  database.execute("CREATE TABLE places(start, end, name); INSERT INTO places VALUES (1, 2, 3)");
  EXPECT_EQ(error_of(database), kNone);
}

TEST(NsysDatabase, ThatIsARecordingIsToldApart) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.qtrace");
  auto writer = TraceWriter::create(path);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->write_static(sample_plan()));
  ASSERT_TRUE((*writer)->finish());
  TraceBuilder builder;
  const auto file = read_nsys_sqlite(path, {}, builder);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, "is a recording of quintet already");
}

TEST(NsysDatabase, WithViewsForTablesRunsNoneOfThem) {
  NsysExport exported;
  exported.sql(
      "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(start) AS "
      "(SELECT 1 UNION ALL SELECT start + 1 FROM n) "
      "SELECT start, start + 1 AS end, 0 AS deviceId FROM n;"
      "CREATE VIEW NVTX_EVENTS AS SELECT 1 AS start, 2 AS end, 59 AS eventType;"
      "CREATE VIEW OTHER AS SELECT 1 AS start");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.file.events(), 0);
}

TEST(NsysDatabase, WithGeneratedColumnsComputesNoneOfThem) {
  NsysExport exported;
  exported.sql(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(deviceId, streamId, start AS (1), end AS (2));"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0, 7)");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.counted("damaged_rows"), 1);
  EXPECT_EQ(run.file.skipped_events, 1);
}

TEST(NsysRows, WithoutTimesAreNamedByTableAndRow) {
  NsysExport exported;
  exported.kernel({10, 20}).range({10, 20, "a"}).range({10, 20, "b"}).range({10, 20, "c"});
  exported.sql(
      "UPDATE NVTX_EVENTS SET rowid = rowid + 40;"
      "UPDATE NVTX_EVENTS SET start = 'never' WHERE rowid > 41");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.counted("damaged_rows"), 2);
  EXPECT_NE(run.message("damaged_rows").find("first row 42 of NVTX_EVENTS"), std::string::npos)
      << run.message("damaged_rows");
  ASSERT_TRUE(run.file.first_damage);
  EXPECT_EQ(run.file.first_damage->table, "NVTX_EVENTS");
  EXPECT_EQ(run.file.first_damage->record, 42);
}

TEST(NsysRows, OfATableWithoutRowIdsAreNamedByTheirNumber) {
  NsysExport exported;
  exported.sql(
      "CREATE TABLE PROFILER_OVERHEAD(start PRIMARY KEY, end, nameId) WITHOUT ROWID;"
      "INSERT INTO PROFILER_OVERHEAD VALUES (1, 2, 3), (5, 'never', 3)");
  EXPECT_EQ(imported(exported).file.first_damage->record, 2);
}

TEST(NsysRows, OfAnyTypeAreReadAsFarAsTheyGo) {
  NsysExport exported;
  exported.sql(std::string(kLooseKernels) +
               "INSERT INTO StringIds VALUES (1, 'gemm');"
               "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
               "(10, 20, 0, 7, 1, 16777216, 1, 1, 1, 1, 1, 1, 1, 1, NULL),"
               "('10', 20, 0, 7, 1, 16777216, 1, 1, 1, 1, 1, 1, 1, 1, NULL),"   // no time
               "(10, x'14', 0, 7, 1, 16777216, 1, 1, 1, 1, 1, 1, 1, 1, NULL),"  // no time
               "(10.0, 20.0, 0, 7, 1, 16777216, 1, 1, 1, 1, 1, 1, 1, 1, NULL),"
               "(10.5, 20, 0, 7, 1, 16777216, 1, 1, 1, 1, 1, 1, 1, 1, NULL),"   // no time
               "(1e300, 20, 0, 7, 1, 16777216, 1, 1, 1, 1, 1, 1, 1, 1, NULL),"  // no time
               "(10, 20, 'GPU', x'07', 'one', 1.5, 1, 1, 1, 1, 1, 1, 1, 1, NULL),"
               "(10, 20, 0, 7, 1, 16777216, x'01', 'a', 'b', 'c', 1, 1, 1, 1, 'node')");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.trace.spans.size(), 4U);
  EXPECT_EQ(run.counted("damaged_rows"), 4);
  EXPECT_EQ(run.counted("incomplete_rows"), 1);
  EXPECT_EQ(run.counted("missing_names"), 1);
  EXPECT_EQ(run.counted("wrong_types"), 4 + 4 + 3);
}

TEST(NsysRows, WithHugeNumbersOverflowNothing) {
  constexpr const char* kLeast = "-9223372036854775808";
  constexpr const char* kMost = "9223372036854775807";
  NsysExport exported;
  exported.sql(kLooseKernels);
  for (const char* a : {kLeast, "-1", kMost}) {
    for (const char* b : {kLeast, "0", kMost}) {
      exported.sql(
          fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "
                      "({0}, {1}, 0, 7, 1, 16777216, 1, 1, 1, 1, 1, 1, 1, 1, 1),"
                      "(10, 20, {0}, {1}, {0}, {1}, {0}, {1}, {0}, {1}, {0}, {1}, {0}, {1}, {0})",
                      a, b));
    }
  }
  exported.table("NVTX").range({INT64_MIN, INT64_MAX, "all"}).range({INT64_MAX, {}, "last"});
  exported.sql(
      "CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs);"
      "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (9223372036854775807)");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.trace.spans.size() + run.trace.untimed.size(), 9U + 9U + 2U);
  EXPECT_GT(run.counted("impossible_launch_shape"), 0);
  EXPECT_GT(run.counted("wide_correlation"), 0);
  EXPECT_TRUE(spans_sorted(run.trace.spans));
}

TEST(NsysNames, ThatAreMissingAreTheirNumbers) {
  NsysExport exported;
  exported.kernel({10, 20}).call({1, 2, 3}).range({1, 2, "x"});
  exported.sql("DROP TABLE StringIds");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.counted("missing_names"), 3);
  EXPECT_EQ(run.activity("kernel 1").kind, ActivityKind::kernel);
  EXPECT_EQ(run.activity("call 2").kind, ActivityKind::api_call);
}

TEST(NsysNames, WithBytesThatAreNoTextGetReplacementCharacters) {
  NsysExport exported;
  exported.kernel({10, 20}).kernel({30, 40, 0, {}, 7, 0, kNsysProcess, "relu"});
  exported.sql(
      "UPDATE StringIds SET value = CAST(x'67ff65' AS TEXT) WHERE value = 'gemm';"
      "UPDATE StringIds SET value = x'6768' WHERE value = 'relu'");
  const NsysImported run = imported(exported);
  EXPECT_EQ(run.activity("g\xef\xbf\xbd"
                         "e")
                .kind,
            ActivityKind::kernel);
  EXPECT_EQ(run.counted("missing_names"), 1);
}

TEST(NsysNames, AreTheFirstOfEachId) {
  StringTable strings;
  strings.add(7, "seven");
  strings.add(-1, "minus");
  strings.add(7, "again");
  strings.add(3, "");
  strings.sort();
  EXPECT_EQ(strings.find(7), "seven");
  EXPECT_EQ(strings.find(-1), "minus");
  EXPECT_EQ(strings.find(3), "");
  EXPECT_EQ(strings.find(4), std::nullopt);
}

TEST(NsysNames, OfColumnsAreFoundWhateverTheirCase) {
  NsysExport exported;
  exported.sql(
      "CREATE TABLE cupti_activity_kind_kernel(START, \"End\", DEVICEID, streamid, demangledname);"
      "INSERT INTO cupti_activity_kind_kernel VALUES (1, 2, 0, 7, 1)");
  EXPECT_EQ(imported(exported).spans_of(ActivityKind::kernel), 1);
}

class DamagedExport : public testing::Test {
 protected:
  void SetUp() override {
    NsysExport exported;
    for (int i = 0; i < 400; ++i) {
      exported.call({i * 100, i * 100 + 10, i + 1});
      exported.kernel({i * 100 + 20, i * 100 + 90, i + 1});
      exported.range({i * 100, i * 100 + 99, fmt::format("step {}", i)});
    }
    exported.save(path_);
    std::ifstream file(path_, std::ios::binary);
    whole_.assign(std::istreambuf_iterator<char>(file), {});
  }
  /// Reading gives a trace or an error; true for a trace.
  bool survives(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    TraceBuilder builder;
    const auto file = read_nsys_sqlite(path_, {}, builder);
    if (!file) {
      EXPECT_FALSE(file.error().message.empty());
      EXPECT_EQ(file.error().file, path_);
      return false;
    }
    const Trace trace = *builder.finish();
    EXPECT_TRUE(spans_sorted(trace.spans));
    for (std::size_t i = 0; i < trace.spans.size(); ++i) {
      EXPECT_LT(trace.spans.lane[i], trace.lanes.size());
      EXPECT_LT(trace.spans.activity[i], trace.activities.size());
    }
    return true;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("run.sqlite");
  std::string whole_;
};

TEST_F(DamagedExport, WithRandomBytesChangedIsAnErrorOrATrace) {
  std::mt19937 random(300);
  int traces = 0;
  for (int round = 0; round < 200; ++round) {
    std::string bytes = whole_;
    const std::size_t reach = round % 2 == 0 ? bytes.size() : 8192;
    for (std::size_t changes = 1 + random() % 20; changes > 0; --changes)
      bytes[random() % reach] = static_cast<char>(random());
    traces += survives(bytes) ? 1 : 0;
  }
  EXPECT_GT(traces, 20);
}

TEST_F(DamagedExport, ThatIsTruncatedIsAnErrorOrATrace) {
  std::mt19937 random(301);
  for (int round = 0; round < 60; ++round)
    survives(whole_.substr(0, random() % whole_.size()));
  EXPECT_TRUE(survives(whole_));
}

TEST_F(DamagedExport, KeepsWhatCanBeReadAndSaysWhatCannot) {
  // The pages of the kernels, beyond the first, which says where the others are.
  Database database(path_, Database::Mode::read_only);
  const std::int64_t page = database.integer("PRAGMA page_size");
  const std::int64_t last = database.integer("PRAGMA page_count");
  bool told = false;
  for (std::int64_t i = 2; i < last && !told; ++i) {
    std::string bytes = whole_;
    std::fill_n(bytes.begin() + i * page, page, '\xff');
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    TraceBuilder builder;
    if (!read_nsys_sqlite(path_, {}, builder)) continue;
    const Trace trace = *builder.finish();
    told = std::any_of(trace.findings.begin(), trace.findings.end(), [](const Finding& finding) {
      return finding.name == "damaged_table" && finding.severity == Severity::data_loss;
    });
  }
  EXPECT_TRUE(told);
}

}  // namespace
}  // namespace quintet
