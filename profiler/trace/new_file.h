/// A recording or an export that is built as `X.new` and becomes `X` in one rename, so that `X` is always
/// either what it was or whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "runtime/model/result.h"

namespace quintet {

/// Owns `X.new` and its side files, which go away unless published. Holds a lock, so that two
/// processes cannot build the same file. The caller's Database on `building()` must be closed
/// before publish() and before this is destroyed.
class NewFile {
 public:
  /// Refuses a target that is no regular file, that is something else than a file of this kind
  /// (`application_id`), or that a live process is recording into.
  static Result<NewFile> create(const std::string& target, std::int64_t application_id);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  [[nodiscard]] std::string building() const { return target_ + ".new"; }
  /// Writes bytes that were made elsewhere into the file, which is empty until then.
  Result<void> fill(std::span<const std::byte> bytes);
  /// Replaces the target, once nobody is just opening it. Its leftover side files go first: SQLite
  /// would replay them into the new file.
  Result<void> publish();

 private:
  NewFile(std::string target, int lock) : target_(std::move(target)), lock_(lock) {}
  void close_lock();

  std::string target_;
  int lock_;
};

/// Removes a database file and its -wal, -shm and -journal.
void remove_database(const std::string& path) noexcept;
/// "disk full" and the like as an Error about `path`: the machine's where it, not the input, is to blame.
Error write_error(const class SqliteError& error, const std::string& path);
Error memory_error(const std::string& path);

}  // namespace quintet
