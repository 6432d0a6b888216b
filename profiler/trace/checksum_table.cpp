#include "profiler/trace/checksum_table.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace quintet {

namespace {

bool has_checksums(Database& database) {
  return database.integer(
             "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'checksums'") > 0;
}

struct SummedRows {
  std::int64_t rows = 0;
  std::int64_t last_key = -1;  ///< the first column of the last one
  Checksum sum;
};

SummedRows summed(Statement rows) {
  SummedRows result;
  while (rows.step()) {
    ++result.rows;
    result.sum.add(rows);
    result.last_key = rows.integer(0);
  }
  return result;
}

SummedRows whole_table(Database& database, std::string_view table) {
  return summed(database.prepare(fmt::format("SELECT * FROM {} ORDER BY rowid", table)));
}

/// True where the table is as its checksum says, and where neither is there yet.
bool intact(Database& database, std::string_view table) {
  const SummedRows now = whole_table(database, table);
  Statement stored =
      database.prepare("SELECT rows, checksum FROM checksums WHERE table_name = ? AND batch = 0");
  stored.bind_all(table);
  if (!stored.step()) return now.rows == 0;
  return stored.integer(0) == now.rows &&
         std::bit_cast<std::uint64_t>(stored.integer(1)) == now.sum.value();
}

void store(Database& database, std::string_view table, std::int64_t batch, const SummedRows& rows) {
  database.prepare("INSERT OR REPLACE INTO checksums VALUES (?, ?, ?, ?)")
      .run(table, batch, rows.rows, rows.sum.value());
}

}  // namespace

void ChecksumWriter::seal(Database& database) {
  for (std::size_t i = 0; i < kGrowingTables.size(); ++i) {
    const GrowingTable& table = kGrowingTables[i];
    Statement rows = database.prepare(fmt::format("SELECT * FROM {0} WHERE {1} > ? ORDER BY {1}{2}",
                                                  table.name, table.key, table.rest));
    rows.bind_all(newest_[i]);
    const SummedRows added = summed(std::move(rows));
    if (added.rows == 0) continue;
    store(database, table.name, batch_, added);
    newest_[i] = added.last_key;
  }
  ++batch_;
}

void change_table(Database& database, std::string_view table, const std::function<void()>& change) {
  const bool checked = has_checksums(database) && intact(database, table);
  change();
  if (checked) store(database, table, 0, whole_table(database, table));
}

std::int64_t newest_checksum(Database& database) {
  std::int64_t newest = -1;
  if (!has_checksums(database)) return newest;
  Statement row =
      database.prepare("SELECT coalesce(max(batch), -1) FROM checksums WHERE table_name = ?");
  for (const GrowingTable& table : kGrowingTables) {
    row.bind_all(table.name);
    if (row.step()) newest = std::max(newest, row.integer(0));
    row.reset();
  }
  return newest;
}

ChecksumReader::ChecksumReader(Database& database)
    : database_(database), present_(has_checksums(database)) {}

void ChecksumReader::report(std::string_view table, std::int64_t batch) {
  constexpr std::size_t kMostNamed = 8;
  ++mismatch_count_;
  if (mismatches_.size() < kMostNamed)
    mismatches_.push_back(fmt::format("{} batch {}", table, batch));
}

void ChecksumReader::expect_all_read() {
  if (!present_) return;
  Statement row = database_.prepare("SELECT table_name, batch FROM checksums");
  while (row.step()) {
    const std::string table = row.text(0);
    if (std::find(read_.begin(), read_.end(), table) == read_.end()) report(table, row.integer(1));
  }
}

std::optional<Finding> ChecksumReader::finding() const {
  if (mismatch_count_ == 0) return std::nullopt;
  const std::int64_t unnamed = mismatch_count_ - static_cast<std::int64_t>(mismatches_.size());
  return Finding{Severity::data_loss, "checksum_mismatch",
                 fmt::format("the recording is damaged: rows of {}{} are not those that were "
                             "written; numbers that rest on them cannot be trusted",
                             fmt::join(mismatches_, ", "),
                             unnamed > 0 ? fmt::format(" and {} more", unnamed) : ""),
                 mismatch_count_};
}

CheckedRows::CheckedRows(ChecksumReader& checks, std::string_view table, Statement rows,
                         std::int64_t behind_batch)
    : checks_(checks), table_(table), rows_(std::move(rows)) {
  checks_.read_.push_back(table_);
  if (!checks_.present_) return;
  batches_ = checks_.database_.prepare(
      "SELECT batch, rows, checksum FROM checksums WHERE table_name = ? AND batch > ? "
      "ORDER BY batch");
  batches_->bind_all(table_, behind_batch);
}

bool CheckedRows::next_batch() {
  if (!batches_->step()) return false;
  batch_ = batches_->integer(0);
  rows_left_ = batches_->integer(1);
  expected_ = std::bit_cast<std::uint64_t>(batches_->integer(2));
  sum_ = Checksum();
  return true;
}

void CheckedRows::end_batch() {
  batch_damaged_ = sum_.value() != expected_;
  if (batch_damaged_) checks_.report(table_, batch_);
}

bool CheckedRows::step() {
  const bool found = rows_.step();
  if (!batches_) return found;
  if (!found) {
    // Batches of which rows are missing.
    if (rows_left_ > 0) checks_.report(table_, batch_);
    rows_left_ = 0;
    while (next_batch()) {
      if (rows_left_ != 0) checks_.report(table_, batch_);
    }
    batches_.reset();
    return false;
  }
  if (rows_left_ <= 0) {
    if (!next_batch() || rows_left_ <= 0) {
      // Rows that nobody announced, unless they are the rest of a damaged batch that has grown.
      if (!batch_damaged_) checks_.report(table_, batch_ + 1);
      batches_.reset();
      return true;
    }
  }
  sum_.add(rows_);
  if (--rows_left_ == 0) end_batch();
  return true;
}

}  // namespace quintet
