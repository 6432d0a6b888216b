#include "scenarios/cli/output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace quintet {

namespace {

namespace fs = std::filesystem;

Result<void> failed(const std::string& path, const char* what, int error) {
  return fail(fmt::format("cannot {}: {}", what, std::strerror(error)),
              "name a file in a folder that exists, can be written and has space", path);
}

/// A rename would put a file in place of a device, too.
Result<void> check_replaceable(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return fail("is a folder", "name a file in it", path);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    return fail("is no regular file", "name another file to write", path);
  }
  return {};
}

/// Where the bytes go: what a link points to is replaced, not the link.
std::string target_of(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

}  // namespace

Result<void> write_file(const std::string& path, std::string_view text) {
  if (auto free = check_replaceable(path); !free) return free;
  const std::string target = target_of(path);
  const std::string draft = fmt::format("{}.{}.new", target, getpid());
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(draft.c_str(), "wb"),
                                                       &std::fclose);
  if (!file) return failed(path, "create it", errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                       std::fflush(file.get()) == 0;
  const int error = errno;
  file.reset();
  std::error_code renamed;
  if (written) fs::rename(draft, target, renamed);
  if (written && !renamed) return {};
  std::error_code ignored;
  fs::remove(draft, ignored);
  return failed(path, "write it", written ? renamed.value() : error);
}

}  // namespace quintet
