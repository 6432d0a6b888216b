#include "profiler/trace/folder_lock.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace quintet {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLongestWait(5);

std::string folder_of(const fs::path& file) {
  const fs::path parent = file.parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

FolderLock FolderLock::for_opening(const std::string& file) {
  // SQLite follows links, and so do the names of the side files.
  std::error_code error;
  const fs::path followed = fs::canonical(file, error);
  return {folder_of(error ? fs::path(file) : followed), LOCK_SH};
}

FolderLock FolderLock::against_opening(const std::string& file) {
  // A rename replaces a link, not what it leads to.
  return {folder_of(file), LOCK_EX};
}

FolderLock::FolderLock(const std::string& folder, int operation)
    : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ < 0) return;
  // Asks over and over: flock itself has no limit to its waiting.
  const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
  while (flock(folder_, operation | LOCK_NB) != 0 && errno == EWOULDBLOCK &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void FolderLock::release() noexcept {
  const int folder = std::exchange(folder_, -1);
  if (folder < 0) return;
  // Said outright, as a child forked meanwhile has a copy of the descriptor.
  flock(folder, LOCK_UN);
  close(folder);
}

}  // namespace quintet
