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

Result<void> failed(const std::string& path, const char* what, int error) {
  return fail(fmt::format("cannot {}: {}", what, std::strerror(error)),
              "name a file in a folder that exists, can be written and has space", path);
}

}  // namespace

Result<void> write_file(const std::string& path, std::string_view text) {
  const std::string draft = fmt::format("{}.{}.new", path, getpid());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(draft.c_str(), "wb"),
                                                             &std::fclose);
  if (!file) return failed(path, "create it", errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                       std::fflush(file.get()) == 0;
  const int error = errno;
  std::error_code renamed;
  if (written) std::filesystem::rename(draft, path, renamed);
  if (written && !renamed) return {};
  std::error_code ignored;
  std::filesystem::remove(draft, ignored);
  return failed(path, "write it", written ? renamed.value() : error);
}

}  // namespace quintet
