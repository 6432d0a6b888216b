#include "profiler/trace/new_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "profiler/trace/folder_lock.h"
#include "profiler/trace/recording_file.h"
#include "profiler/trace/schema.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_reader.h"

namespace quintet {

namespace {

namespace fs = std::filesystem;

constexpr const char* kOtherName = "name another file to write";

Result<void> check_folder(const std::string& target) {
  const fs::path parent = fs::path(target).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) {
    return fail(fmt::format("folder {} does not exist", folder),
                fmt::format("create it: mkdir -p {}", folder), target);
  }
  if (!fs::is_directory(status)) {
    return fail(fmt::format("{} is no folder", folder), kOtherName, target);
  }
  return {};
}

Result<void> check_replaceable(const std::string& target, std::int64_t application_id) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (!fs::exists(status)) return {};
  if (fs::is_directory(status)) {
    return fail("is a folder", fmt::format("name a file in it: {}/run.qtrace", target), target);
  }
  if (!fs::is_regular_file(status)) return fail("is no regular file", kOtherName, target);
  if (fs::file_size(target, error) == 0) return {};
  std::int64_t found = 0;
  try {
    const FolderLock name = FolderLock::for_opening(target);
    Result<RecordingFile> file = open_recording(target);
    if (file) found = file->database.integer("PRAGMA application_id");
  } catch (const SqliteError&) {
    // No SQLite file: somebody else's.
  }
  if (found != application_id) {
    return fail("exists and is something else than what would be written there",
                "name another file, or remove this one", target);
  }
  if (application_id != kRecordingId) return {};
  const Result<RecordingHead> head = read_head(target);
  if (head && head->state == RecordingState::growing) {
    return fail(fmt::format("process {} is recording into it", head->writer.pid),
                "name another file, or wait for that run to end", target);
  }
  return {};
}

/// A file cannot be made: the machine's fault, where it is not the permission or the name.
ErrorKind kind_of(int number) {
  switch (number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
      return ErrorKind::machine;
    default:
      return ErrorKind::input;
  }
}

Error system_error(int number, const std::string& doing, const std::string& path, ErrorKind kind) {
  const bool full = number == ENOSPC || number == EDQUOT || number == EFBIG;
  const char* cure = full ? "free some space or write to another disk"
                          : "write to a folder where you may create files";
  return {fmt::format("{}: {}", doing, std::strerror(number)), cure, path, 0, kind};
}

}  // namespace

Result<NewFile> NewFile::create(const std::string& target, std::int64_t application_id) {
  if (target.empty()) return fail("no file named", kOtherName);
  if (auto folder = check_folder(target); !folder) return tl::unexpected(folder.error());
  if (auto old = check_replaceable(target, application_id); !old) {
    return tl::unexpected(old.error());
  }
  const std::string building = target + ".new";
  const int lock = open(building.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0) {
    const int number = errno;
    return tl::unexpected(
        system_error(number, "cannot create " + building, target, kind_of(number)));
  }
  NewFile file(target, -1);
  struct stat held {};
  struct stat named {};
  const bool mine = flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &held) == 0 &&
                    stat(building.c_str(), &named) == 0 && held.st_ino == named.st_ino;
  if (!mine) {
    close(lock);
    return fail("another process is just creating it", kOtherName, target);
  }
  file.lock_ = lock;
  // Again, now that nobody else can publish: a run that began meanwhile has its recording there.
  if (auto old = check_replaceable(target, application_id); !old) {
    return tl::unexpected(old.error());
  }
  // What a killed run may have left.
  for (const char* suffix : {"-wal", "-shm", "-journal"})
    unlink((building + suffix).c_str());
  if (ftruncate(lock, 0) != 0) {
    return tl::unexpected(
        system_error(errno, "cannot empty " + building, target, ErrorKind::machine));
  }
  return file;
}

NewFile::NewFile(NewFile&& other) noexcept
    : target_(std::move(other.target_)), lock_(std::exchange(other.lock_, -1)) {}

NewFile::~NewFile() {
  if (lock_ < 0) return;
  remove_database(building());
  close_lock();
}

void NewFile::close_lock() {
  close(std::exchange(lock_, -1));
}

Result<void> NewFile::fill(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(lock_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return tl::unexpected(
          system_error(errno, "cannot write " + building(), target_, ErrorKind::machine));
    }
  }
  return {};
}

Result<void> NewFile::publish() {
  // Who is just opening the old target would look for side files and find those of the new one.
  const FolderLock name = FolderLock::against_opening(target_);
  // An abandoned recording may have left a -wal; without its database it means nothing.
  std::error_code error;
  if (fs::exists(target_ + "-wal", error)) unlink(target_.c_str());
  for (const char* suffix : {"-wal", "-shm", "-journal"})
    unlink((target_ + suffix).c_str());
  if (rename(building().c_str(), target_.c_str()) != 0) {
    return tl::unexpected(
        system_error(errno, "cannot rename " + building(), target_, ErrorKind::machine));
  }
  // Before anybody opens the target: closing a descriptor drops all of SQLite's own locks on it.
  close_lock();
  return {};
}

void remove_database(const std::string& path) noexcept {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"})
    unlink((path + suffix).c_str());
}

Error write_error(const SqliteError& error, const std::string& path) {
  if (error.failure() == SqliteFailure::disk_full) {
    return {"no space left to write it", "free some space or write to another disk", path, 0,
            ErrorKind::machine};
  }
  if (error.failure() == SqliteFailure::out_of_memory) return memory_error(path);
  std::string message = error.what();
  if (error.system_error() != 0) {
    message += fmt::format(" ({})", std::strerror(error.system_error()));
  }
  const bool machine = error.failure() == SqliteFailure::input_output ||
                       kind_of(error.system_error()) == ErrorKind::machine;
  return {std::move(message), "check the disk and the folder's permissions", path, 0,
          machine ? ErrorKind::machine : ErrorKind::input};
}

Error memory_error(const std::string& path) {
  return {"does not fit in memory", "use a machine with more memory", path, 0, ErrorKind::machine};
}

}  // namespace quintet
