/// A square of bits, row by row: a relation between the members of one list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quintet {

/// Bits are clear at first. A row has row_words() words; bits beyond the last column stay clear.
class BitRows {
 public:
  BitRows() = default;
  explicit BitRows(std::size_t size) : row_words_((size + 63) / 64), words_(size * row_words_) {}
  void set(std::size_t row, std::size_t column) {
    words_[row * row_words_ + column / 64] |= std::uint64_t{1} << (column % 64);
  }
  void set_both(std::size_t a, std::size_t b) {
    set(a, b);
    set(b, a);
  }
  [[nodiscard]] bool test(std::size_t row, std::size_t column) const {
    return ((words_[row * row_words_ + column / 64] >> (column % 64)) & 1U) != 0;
  }
  [[nodiscard]] const std::uint64_t* row(std::size_t row) const {
    return words_.data() + row * row_words_;
  }
  [[nodiscard]] std::size_t row_words() const { return row_words_; }

 private:
  std::size_t row_words_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace quintet
