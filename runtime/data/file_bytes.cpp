#include "runtime/data/file_bytes.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace quintet {

Result<std::vector<std::uint8_t>> read_bytes(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return fail("no such file", {}, path);
  if (std::filesystem::is_directory(path, code)) return fail("is a folder, not a file", {}, path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return fail("cannot open the file", "check its permissions", path);
  std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(stream)),
                                  std::istreambuf_iterator<char>());
  if (stream.bad()) throw std::runtime_error("reading " + path + " failed");
  return bytes;
}

}  // namespace quintet
