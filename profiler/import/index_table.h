/// A hash table of indices into a table that its user holds: one probe, no allocation per entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quintet {

/// Maps hashes to 32-bit indices; what an index stands for, and when two are equal, is the user's.
/// Grows to twice its size before it is 5/8 full.
class IndexTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// The index of an entry with this hash for which `equal(index)` holds; kNone where there is none.
  template <class Equal>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, Equal equal) const {
    if (slots_.empty()) return kNone;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.index == kNone) return kNone;
      if (slot.hash == hash && equal(slot.index)) return slot.index;
    }
  }

  /// Adds an entry that find() does not find.
  void insert(std::uint64_t hash, std::uint32_t index) {
    if (slots_.size() * 5 <= (used_ + 1) * 8) grow();
    place({hash, index});
    ++used_;
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t index = kNone;
  };

  void place(const Slot& slot) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = slot.hash & mask;
    while (slots_[at].index != kNone)
      at = (at + 1) & mask;
    slots_[at] = slot;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.index != kNone) place(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

/// Spreads the bits of a number over a hash.
constexpr std::uint64_t mix_hash(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29);
}

}  // namespace quintet
