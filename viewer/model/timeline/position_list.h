/// Ascending positions of spans in one or two bytes each.
///
/// A position is split: its low bits are kept per entry, its high bits, the page, are told by how
/// many entries the pages before hold. A row that owns every fifth span takes 1.1 bytes a span so.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace quintet::viewer {

/// Owns: the positions. Threads: readable from many once finished. Throws: bad_alloc.
/// Usage: append() in ascending order, finish(), then read through a Cursor.
class PositionList {
 public:
  /// `dense` = the row owns at least one span in kDense: then one byte an entry is less.
  explicit PositionList(bool dense = false) : shift_(dense ? 8 : 16) {}

  static constexpr std::size_t kDense = 64;

  void append(std::uint32_t position) {
    const std::uint32_t page = position >> shift_;
    if (page >= first_of_page_.size()) {
      first_of_page_.resize(page + 1, static_cast<std::uint32_t>(size_));
    }
    if (shift_ == 8) {
      bytes_.push_back(static_cast<std::uint8_t>(position));
    } else {
      words_.push_back(static_cast<std::uint16_t>(position));
    }
    ++size_;
  }
  /// Gives back what was reserved beyond need.
  void finish() {
    first_of_page_.push_back(static_cast<std::uint32_t>(size_));
    first_of_page_.shrink_to_fit();
    bytes_.shrink_to_fit();
    words_.shrink_to_fit();
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t held_bytes() const {
    return bytes_.capacity() + words_.capacity() * sizeof(std::uint16_t) +
           first_of_page_.capacity() * sizeof(std::uint32_t);
  }

  /// Reads entries; cheap where one is near the one before.
  class Cursor {
   public:
    explicit Cursor(const PositionList& list) : list_(&list) {}

    [[nodiscard]] std::uint32_t at(std::size_t entry) {
      const std::vector<std::uint32_t>& first = list_->first_of_page_;
      if (entry < first[page_] || entry >= first[page_ + 1]) turn_to(entry);
      const std::uint32_t low =
          list_->shift_ == 8 ? list_->bytes_[entry] : std::uint32_t{list_->words_[entry]};
      return (static_cast<std::uint32_t>(page_) << list_->shift_) | low;
    }

   private:
    void turn_to(std::size_t entry) {
      constexpr int kNear = 8;
      const std::vector<std::uint32_t>& first = list_->first_of_page_;
      if (entry >= first[page_ + 1]) {
        for (int step = 0; step < kNear; ++step) {
          if (entry < first[++page_ + 1]) return;
        }
      }
      const auto after =
          std::upper_bound(first.begin(), first.end(), static_cast<std::uint32_t>(entry));
      page_ = static_cast<std::size_t>(after - first.begin()) - 1;
    }

    const PositionList* list_;
    std::size_t page_ = 0;
  };

 private:
  unsigned shift_;
  std::size_t size_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint16_t> words_;
  std::vector<std::uint32_t> first_of_page_;  ///< entries before each page; at last, all of them
};

}  // namespace quintet::viewer
