#include "viewer/model/mapping/whole_file.h"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace quintet {

namespace {

tl::unexpected<Error> cannot(std::string_view what, const std::string& path, int error) {
  const bool machine =
      error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO || error == EROFS;
  return tl::unexpected<Error>({fmt::format("cannot {}: {}", what, std::strerror(error)),
                                "choose a folder that can be written, or free some space", path, 0,
                                machine ? ErrorKind::machine : ErrorKind::input});
}

/// 0, or what went wrong.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(file) == 0 || errno == EINVAL ? 0 : errno;
}

}  // namespace

Result<void> write_whole_file(const std::string& path, std::string_view text) {
  const std::string building = fmt::format("{}.{}.new", path, getpid());
  const int file = open(building.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return cannot("create the file", path, errno);
  int error = write_all(file, text);
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(building.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return {};
  unlink(building.c_str());
  return cannot("write the file", path, error);
}

std::string unused_file(std::string_view name, std::string_view ending) {
  std::string stem;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (plain) {
      stem += c;
    } else if (!stem.empty() && stem.back() != '-') {
      stem += '-';
    }
  }
  std::string path = stem + std::string(ending);
  for (int number = 2; std::filesystem::exists(path); ++number)
    path = fmt::format("{}-{}{}", stem, number, ending);
  return path;
}

}  // namespace quintet
