/// A sum that tells what was stored from what is read: against damage by accident, not by intent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace quintet {

class Statement;

/// 64 bits that depend on every bit and on the order of what was added. Each word goes through
/// steps that can be undone, so one changed word always changes the sum.
class Checksum {
 public:
  void add(std::uint64_t word) { sum_ = mixed(sum_, word); }
  /// The bytes and their number.
  void add(std::span<const std::byte> bytes);
  /// Every column of the row that the statement stands on: types and stored values.
  void add(const Statement& row);
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  static constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;

  static constexpr std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
    const std::uint64_t product = (sum ^ word) * kOdd;
    return product ^ (product >> 32);  // else high bits would move no low ones
  }

  std::uint64_t sum_ = kOdd;
};

}  // namespace quintet
