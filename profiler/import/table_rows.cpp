#include "profiler/import/table_rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace quintet {

namespace {

/// SQLite compares names without regard to the case of ASCII letters.
std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string sql_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    text += c;
    if (c == '"') text += c;
  }
  return text + '"';
}

constexpr const char* kIsTable = "type = 'table' AND upper(sql) NOT LIKE 'CREATE VIRTUAL%'";

}  // namespace

TableRows::TableRows(Database& database, std::string_view table)
    : database_(database), table_(table) {
  Statement known = database.prepare(fmt::format(
      "SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE AND {}", kIsTable));
  known.bind_all(table);
  exists_ = known.step();
  if (!exists_) return;
  Statement column = database.prepare("SELECT name FROM pragma_table_info(?, 'main')");
  column.bind_all(table);
  while (column.step())
    columns_.push_back(lower_case(column.text(0)));
}

bool TableRows::has(std::string_view column) const {
  return std::find(columns_.begin(), columns_.end(), lower_case(column)) != columns_.end();
}

TableRows::Column TableRows::column(std::string_view name) {
  Column column;
  if (!has(name)) return column;
  column.index_ = static_cast<int>(wanted_.size());
  wanted_.push_back(sql_name(name));
  return column;
}

std::int64_t TableRows::rows_about() {
  if (!exists_ || has("rowid")) return 0;
  try {
    return std::max<std::int64_t>(
        database_.integer(fmt::format("SELECT max(rowid) FROM main.{}", sql_name(table_))), 0);
  } catch (const SqliteError&) {
    return 0;  // a table without row ids; what is damaged shows when it is read
  }
}

bool TableRows::next() {
  if (!exists_) return false;
  if (!statement_) {
    statement_ = database_.prepare(fmt::format(
        "SELECT {} FROM main.{}",
        wanted_.empty() ? "NULL" : fmt::format("{}", fmt::join(wanted_, ", ")), sql_name(table_)));
  }
  if (!statement_->step()) return false;
  ++rows_;
  return true;
}

std::int64_t TableRows::row_id() {
  if (rows_ == 0 || has("rowid")) return rows_;
  try {
    return database_.integer(fmt::format("SELECT rowid FROM main.{} NOT INDEXED LIMIT 1 OFFSET {}",
                                         sql_name(table_), rows_ - 1));
  } catch (const SqliteError&) {
    return rows_;  // a table without row ids
  }
}

std::optional<std::int64_t> TableRows::integer(Column column) {
  if (column.index_ < 0) return std::nullopt;
  switch (statement_->type(column.index_)) {
    case ValueType::integer:
      return statement_->integer(column.index_);
    case ValueType::null:
      return std::nullopt;
    case ValueType::real:
      // A whole number that went through a program without integers.
      if (const double value = statement_->real(column.index_);
          value == std::floor(value) && std::abs(value) < 0x1p63) {
        return static_cast<std::int64_t>(value);
      }
      break;
    case ValueType::text:
    case ValueType::blob:
      break;
  }
  ++wrong_types_;
  return std::nullopt;
}

std::optional<std::string> TableRows::text(Column column) {
  if (is_null(column)) return std::nullopt;
  if (is_text(column)) return statement_->text(column.index_);
  ++wrong_types_;
  return std::nullopt;
}

bool TableRows::is_null(Column column) const {
  return column.index_ < 0 || statement_->is_null(column.index_);
}

bool TableRows::is_text(Column column) const {
  return column.index_ >= 0 && statement_->type(column.index_) == ValueType::text;
}

std::vector<std::string> table_names(Database& database, std::size_t most) {
  std::vector<std::string> names;
  Statement row = database.prepare(
      fmt::format("SELECT name FROM main.sqlite_schema WHERE {} ORDER BY name LIMIT ?", kIsTable));
  row.bind_all(most);
  while (row.step())
    names.push_back(row.text(0));
  return names;
}

}  // namespace quintet
