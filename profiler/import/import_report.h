/// What an import read, what it left out, and how far it is.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

/// Called every few milliseconds with how much of `total` is read, in bytes of the files as they
/// lie on disk; false cancels the import.
using ImportProgress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// Events of one category (JSON) or rows of one table (SQLite).
struct ImportedCategory {
  std::string name;
  std::int64_t read = 0;
  std::int64_t drawn = 0;  ///< became spans; the others are untimed, names, or not drawn
};

/// Where the first piece of a file that could not be read lies.
struct ImportedDamage {
  std::int64_t record = 0;            ///< text: its index among the events; tables: its row id
  std::optional<std::uint64_t> byte;  ///< of the text
  std::string table;                  ///< of a database
};

/// What came of one file. Every event read is in one category.
struct ImportedFile {
  std::string file;
  std::string format;               ///< a name of the reader catalog
  std::uint64_t bytes = 0;          ///< on disk
  std::uint64_t text_bytes = 0;     ///< after decompression; of databases as `bytes`
  std::uint64_t skipped_bytes = 0;  ///< of the text: damaged, no event could be made of them
  std::int64_t skipped_events = 0;  ///< damaged stretches of text, or rows
  std::optional<std::uint64_t> truncated_at;  ///< byte of the text
  std::uint64_t trailing_bytes = 0;  ///< behind the trace: of the text, or behind a gzip member
  std::optional<ImportedDamage> first_damage;
  std::vector<ImportedCategory> categories;  ///< most events first

  [[nodiscard]] std::int64_t events() const;
  [[nodiscard]] std::int64_t drawn() const;
};

/// What came of all files of one import.
struct ImportReport {
  std::vector<ImportedFile> files;
  std::vector<Finding> findings;  ///< as in the trace
  std::int64_t spans = 0;
  std::int64_t untimed = 0;
  std::int64_t steps = 0;
  std::int64_t lanes = 0;
};

/// Counts events of one file by category, in a table of bounded size.
class CategoryCounts {
 public:
  static constexpr std::size_t kMostCategories = 256;

  /// The place of a category; that of "others" where there are too many of them.
  std::size_t place_of(std::string_view name);
  void add_read(std::size_t place) { ++categories_[place].read; }
  void add_drawn(std::size_t place) { ++categories_[place].drawn; }
  /// Most events first, ties by name.
  [[nodiscard]] std::vector<ImportedCategory> sorted() const;

 private:
  std::vector<ImportedCategory> categories_;
  std::size_t last_ = 0;
};

/// "event 3 (counted from 0) at byte 214", "row 17 of NVTX_EVENTS".
std::string place_text(const ImportedDamage& damage);

/// A summary for people, a few lines for each file.
std::string import_text(const ImportReport& report);

}  // namespace quintet
