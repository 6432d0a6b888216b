/// Hand-made IDX and gzip bytes, and files of them, for tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>
#include <zlib.h>

namespace quintet::test {

using Bytes = std::vector<std::uint8_t>;

inline Bytes idx_bytes(const std::vector<std::uint32_t>& dims, const Bytes& elements) {
  Bytes bytes = {0, 0, 0x08, static_cast<std::uint8_t>(dims.size())};
  for (const std::uint32_t dim : dims) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<std::uint8_t>(dim >> static_cast<unsigned>(shift)));
    }
  }
  bytes.insert(bytes.end(), elements.begin(), elements.end());
  return bytes;
}

inline Bytes gzipped(const Bytes& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib cannot start");
  }
  Bytes packed(bytes.size() + 256);
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  const auto used = static_cast<std::ptrdiff_t>(stream.total_out);
  deflateEnd(&stream);
  return {packed.begin(), packed.begin() + used};
}

/// An empty folder of its own for each test, removed afterwards.
class FolderTest : public testing::Test {
 protected:
  FolderTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string(info->test_suite_name()) + "." + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~FolderTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const Bytes& bytes) const {
    const std::string path = (folder_ / name).string();
    std::ofstream stream(path, std::ios::binary);
    for (const std::uint8_t byte : bytes)
      stream.put(static_cast<char>(byte));
    return path;
  }
  [[nodiscard]] std::string folder() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace quintet::test
