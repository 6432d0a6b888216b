/// Keeps a recording from being replaced, or finished, just while a reader opens it.
///
/// SQLite opens a database by its name, and later, at the first read, looks for its side files by
/// that name again. If another file got the name in between, the old database would be read with
/// the -wal of the new one, or would wait for a roll back that is none of its own.
#pragma once

#include <string>

namespace quintet {

/// Owns a lock on the folder of a file: flock(2), which needs no right to write there, leaves no
/// file, ends with the process, and has nothing to do with the locks of SQLite. Readers share it
/// until they have their snapshot; who replaces or finishes a file has it alone. Nobody waits longer
/// than five seconds, and where the folder cannot be locked (some network file systems), all go on
/// without. Never throws.
///
///   FolderLock name = FolderLock::for_opening("run.qtrace");
///   ...  // open it, begin to read
///   name.release();
class FolderLock {
 public:
  [[nodiscard]] static FolderLock for_opening(const std::string& file);
  [[nodiscard]] static FolderLock against_opening(const std::string& file);
  ~FolderLock() { release(); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  void release() noexcept;

 private:
  FolderLock(const std::string& folder, int operation);

  int folder_;  ///< descriptor; -1 = released, or could not be opened
};

}  // namespace quintet
