/// Begins and ends of a table that has no columns of its own, as rows of a timeline need them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

namespace quintet::viewer {

/// Columns of equal length in order of begin; of equal begins, in that of their table.
struct EventColumns {
  std::vector<std::int64_t> begin_ns;
  std::vector<std::int64_t> end_ns;
  std::vector<std::uint32_t> item;  ///< the row of the table

  [[nodiscard]] std::size_t size() const { return item.size(); }
  [[nodiscard]] std::size_t held_bytes() const {
    return size() * (2 * sizeof(std::int64_t) + sizeof(std::uint32_t));
  }

  /// Takes the rows of a table that came behind those taken before. Returns how many leading entries
  /// stayed as they were.
  template <class Row>
  std::size_t add(const std::vector<Row>& table) {
    const auto earlier = [&table](std::uint32_t a, std::uint32_t b) {
      return table[a].begin_ns < table[b].begin_ns;
    };
    std::vector<std::uint32_t> fresh(table.size() - size());
    if (fresh.empty()) return size();
    std::iota(fresh.begin(), fresh.end(), static_cast<std::uint32_t>(size()));
    std::stable_sort(fresh.begin(), fresh.end(), earlier);
    const auto past =
        std::upper_bound(begin_ns.begin(), begin_ns.end(), table[fresh.front()].begin_ns);
    const auto kept = past - begin_ns.begin();
    const std::vector<std::uint32_t> moved(item.begin() + kept, item.end());
    item.resize(static_cast<std::size_t>(kept));
    std::merge(moved.begin(), moved.end(), fresh.begin(), fresh.end(), std::back_inserter(item),
               earlier);
    begin_ns.resize(static_cast<std::size_t>(kept));
    end_ns.resize(static_cast<std::size_t>(kept));
    for (auto each = item.begin() + kept; each != item.end(); ++each) {
      begin_ns.push_back(table[*each].begin_ns);
      end_ns.push_back(table[*each].end_ns);
    }
    return static_cast<std::size_t>(kept);
  }
};

}  // namespace quintet::viewer
