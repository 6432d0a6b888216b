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

/// Sends everything that `write` writes to the file, and closes it. The error of whoever failed.
Result<void> fill(const std::string& draft, const std::string& path,
                  const std::function<Result<void>(const ByteSink&)>& write) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(draft.c_str(), "wb"),
                                                       &std::fclose);
  if (!file) return failed(path, "create it", errno);
  const auto put = [&](std::string_view piece) -> Result<void> {
    if (std::fwrite(piece.data(), 1, piece.size(), file.get()) == piece.size()) return {};
    return failed(path, "write it", errno);
  };
  if (auto written = write(put); !written) return written;
  if (std::fflush(file.get()) != 0) return failed(path, "write it", errno);
  return {};
}

}  // namespace

Result<void> write_file(const std::string& path, std::string_view text) {
  return write_file(path, [text](const ByteSink& sink) { return sink(text); });
}

Result<void> write_file(const std::string& path,
                        const std::function<Result<void>(const ByteSink&)>& write) {
  if (auto free = check_replaceable(path); !free) return free;
  const std::string target = target_of(path);
  const std::string draft = fmt::format("{}.{}.new", target, getpid());
  Result<void> done = fill(draft, path, write);
  std::error_code renamed;
  if (done) fs::rename(draft, target, renamed);
  if (renamed) done = failed(path, "write it", renamed.value());
  std::error_code ignored;
  if (!done) fs::remove(draft, ignored);
  return done;
}

}  // namespace quintet
