/// Texts by number: each text is stored once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/import/index_table.h"

namespace quintet {

/// Owns all texts in one piece: some 40 bytes each beside their letters. Numbers count up from 0.
class TextPool {
 public:
  /// The number of this text, a new one if the text is new.
  std::uint32_t intern(std::string_view text) {
    const std::uint64_t hash = mix_hash(text.size(), std::hash<std::string_view>{}(text));
    const std::uint32_t known =
        index_.find(hash, [&](std::uint32_t number) { return (*this)[number] == text; });
    if (known != IndexTable::kNone) return known;
    const auto number = static_cast<std::uint32_t>(ends_.size());
    text_ += text;
    ends_.push_back(text_.size());
    index_.insert(hash, number);
    return number;
  }

  /// Valid until the next intern().
  [[nodiscard]] std::string_view operator[](std::uint32_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(text_).substr(begin, ends_[number] - begin);
  }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;  ///< where each text ends
  IndexTable index_;
};

}  // namespace quintet
