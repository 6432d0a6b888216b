#include "profiler/import/string_table.h"

#include <algorithm>

namespace quintet {

void StringTable::add(std::int64_t id, std::string_view text) {
  entries_.push_back({id, text_.size(), text_.size() + text.size()});
  text_ += text;
}

void StringTable::sort() {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.id < b.id; });
}

std::optional<std::string_view> StringTable::find(std::int64_t id) const {
  const auto at =
      std::lower_bound(entries_.begin(), entries_.end(), id,
                       [](const Entry& entry, std::int64_t wanted) { return entry.id < wanted; });
  if (at == entries_.end() || at->id != id) return std::nullopt;
  return std::string_view(text_).substr(at->begin, at->end - at->begin);
}

}  // namespace quintet
