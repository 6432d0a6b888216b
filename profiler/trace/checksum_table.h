/// The table of checksums: what each transaction added to each table, so that a reader notices rows
/// that changed, went or changed places. Recordings made before 2026-12 lack it: nothing is checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/checksum.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// Tables to which transactions only add rows: the first column of each, and of its primary key the
/// rest.
struct GrowingTable {
  std::string_view name;
  std::string_view key = "id";
  std::string_view rest = {};
};

inline constexpr auto kGrowingTables =
    std::to_array<GrowingTable>({{"lanes"},
                                 {"lane_origins", "lane"},
                                 {"regions"},
                                 {"tensors"},
                                 {"tasks"},
                                 {"task_covers", "task", ", position"},
                                 {"accesses", "task", ", position"},
                                 {"graphs"},
                                 {"graph_tasks", "graph", ", position"},
                                 {"edges", "graph", ", position"},
                                 {"commands"},
                                 {"activities"},
                                 {"steps"},
                                 {"span_batches"},
                                 {"untimed"},
                                 {"host_waits"},
                                 {"launches"},
                                 {"clocks"},
                                 {"clock_pairs"}});

/// Writes the checksums of a recording from its first row on. Throws SqliteError.
class ChecksumWriter {
 public:
  ChecksumWriter() { newest_.fill(-1); }
  /// Of all rows that the growing tables got since the last call: the next batch. Belongs into the
  /// transaction that added them.
  void seal(Database& database);

 private:
  std::int64_t batch_ = 0;
  std::array<std::int64_t, kGrowingTables.size()> newest_{};  ///< keys up to it are sealed
};

/// Changes a table whose rows may be replaced, and its one checksum with it. A table that was
/// damaged before keeps its old checksum: the damage stays visible. Throws SqliteError.
void change_table(Database& database, std::string_view table, const std::function<void()>& change);

/// The number of the newest batch in the tables that grow; -1 = none. Throws SqliteError.
std::int64_t newest_checksum(Database& database);

/// Compares the rows that a reader takes with what was written. Throws SqliteError.
class ChecksumReader {
 public:
  explicit ChecksumReader(Database& database);

  /// Once all tables have been read: those that hold rows and were not read are lost.
  void expect_all_read();
  /// "checksum_mismatch", counted in batches; nothing where all is as written.
  [[nodiscard]] std::optional<Finding> finding() const;

 private:
  friend class CheckedRows;
  void report(std::string_view table, std::int64_t batch);

  Database& database_;
  bool present_;  ///< the recording has checksums
  std::vector<std::string> read_;
  std::vector<std::string> mismatches_;  ///< the first ones, by name
  std::int64_t mismatch_count_ = 0;
};

/// The rows of a table as a query gives them, summed on the way. The query must select all columns
/// in the order of the schema, and rows in the order of the primary key.
class CheckedRows {
 public:
  /// All rows, or those of the batches behind one. Parameters of `rows` are bound already.
  CheckedRows(ChecksumReader& checks, std::string_view table, Statement rows,
              std::int64_t behind_batch = -1);
  bool step();
  [[nodiscard]] const Statement& row() const { return rows_; }

 private:
  bool next_batch();
  void end_batch();

  ChecksumReader& checks_;
  std::string table_;
  Statement rows_;
  std::optional<Statement> batches_;  ///< nothing where there are no checksums
  std::int64_t batch_ = -1;
  std::int64_t rows_left_ = 0;
  std::uint64_t expected_ = 0;
  bool batch_damaged_ = false;  ///< the last one that ended
  Checksum sum_;
};

}  // namespace quintet
