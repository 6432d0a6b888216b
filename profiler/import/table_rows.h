/// The rows of a table of somebody else's database: any column may be missing, any value of any
/// type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/sqlite.h"

namespace quintet {

/// Reads one table of the main schema, row by row. Views, virtual tables and generated columns
/// count as missing: they could run anything. Throws SqliteError.
///
///   TableRows rows(database, "CUPTI_ACTIVITY_KIND_KERNEL");
///   const auto start = rows.column("start");
///   while (rows.next()) use(rows.integer(start));
class TableRows {
 public:
  /// A column that was asked for; the table may lack it.
  class Column {
   private:
    friend class TableRows;
    int index_ = -1;
  };

  TableRows(Database& database, std::string_view table);

  [[nodiscard]] const std::string& table() const { return table_; }
  /// False where there is no such table; it then has neither columns nor rows.
  [[nodiscard]] bool exists() const { return exists_; }
  [[nodiscard]] bool has(std::string_view column) const;
  /// To be asked for before the first row.
  Column column(std::string_view name);
  /// About how many rows there are, without reading them: the highest row id.
  [[nodiscard]] std::int64_t rows_about();

  /// The next row, or false at the end.
  bool next();
  /// The row id of the row read last, or its number counted from 1 if the table has none. Reads the
  /// table again: for rows that are reported.
  [[nodiscard]] std::int64_t row_id();
  /// Nothing where the column is missing or NULL, or, counted in wrong_types(), no whole number.
  [[nodiscard]] std::optional<std::int64_t> integer(Column column);
  /// Nothing where the column is missing or NULL, or, counted in wrong_types(), no text. Always
  /// valid UTF-8.
  [[nodiscard]] std::optional<std::string> text(Column column);
  [[nodiscard]] bool is_null(Column column) const;
  [[nodiscard]] bool is_text(Column column) const;
  [[nodiscard]] std::int64_t wrong_types() const { return wrong_types_; }

 private:
  Database& database_;
  std::string table_;
  bool exists_ = false;
  std::vector<std::string> columns_;  ///< in lower case
  std::vector<std::string> wanted_;
  std::optional<Statement> statement_;
  std::int64_t wrong_types_ = 0;
  std::int64_t rows_ = 0;  ///< read so far
};

/// Names of all tables of the main schema (no views, no virtual tables), sorted; at most `most`.
std::vector<std::string> table_names(Database& database, std::size_t most);

}  // namespace quintet
