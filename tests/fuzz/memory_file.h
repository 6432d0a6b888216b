/// A file that lies in memory and has a path, for readers that take one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace quintet {

class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// Replaces the content.
  void write(std::span<const std::uint8_t> bytes) const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace quintet
