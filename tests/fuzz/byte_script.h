/// Choices made from the bytes of a fuzzer, for inputs that have a structure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <string>

namespace quintet {

/// Reads choices front to back; once the bytes are used up every choice is 0.
class ByteScript {
 public:
  explicit ByteScript(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool done() const { return at_ == bytes_.size(); }
  std::uint8_t byte() { return done() ? std::uint8_t{0} : bytes_[at_++]; }
  std::uint64_t number(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
      value = value << 8U | byte();
    return value;
  }
  std::size_t below(std::size_t count) { return byte() % count; }

  /// A value of any type, as SQL.
  std::string literal() {
    static constexpr std::array<std::int64_t, 11> kEdges = {
        0,          1,         59,        60,        0x7FFFFFFF,   0x80000000,
        0xFFFFFFFF, 1LL << 62, INT64_MIN, INT64_MAX, INT64_MAX - 1};
    switch (below(9)) {
      case 0:
        return "NULL";
      case 1:
        return fmt::format("{:.2f}", static_cast<double>(number(2)) / 4 - 100);
      case 2:
        return "1e300";
      case 3:
        return "CAST(" + blob() + " AS TEXT)";
      case 4:
        return blob();
      case 5:
        return std::to_string(kEdges.at(below(kEdges.size())));
      case 6:
        return std::to_string(static_cast<std::int64_t>(number(8)));
      default:
        return std::to_string(number(2));
    }
  }
  std::string blob() {
    std::string sql = "x'";
    for (std::size_t left = below(12); left > 0; --left)
      sql += fmt::format("{:02x}", byte());
    return sql + "'";
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace quintet
