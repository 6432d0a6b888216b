/// The strings of an export by their ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quintet {

/// Owns all strings in one piece: 24 bytes each beside their text.
class StringTable {
 public:
  void add(std::int64_t id, std::string_view text);
  /// To be called once all are in. Of strings with one id the first stays.
  void sort();
  /// Valid as long as nothing is added.
  [[nodiscard]] std::optional<std::string_view> find(std::int64_t id) const;

 private:
  struct Entry {
    std::int64_t id = 0;
    std::size_t begin = 0;  ///< of its text
    std::size_t end = 0;
  };

  std::vector<Entry> entries_;
  std::string text_;
};

}  // namespace quintet
