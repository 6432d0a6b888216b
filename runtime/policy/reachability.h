/// Which nodes of a directed acyclic graph reach which: one bit row per node, holding its
/// ancestors. Nodes are numbered in a topological order: every arc leads from a lower to a higher
/// number.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quintet {

struct Arc {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// Owns the rows; const members may be called from several threads. `reaches` costs one bit test,
/// `link` one pass over a row. Rows are cut at their own node, so n nodes take n^2/16 bytes.
///   Reachability closure(nodes, arcs);  if (!closure.reaches(a, b)) ...
class Reachability {
 public:
  /// `nodes` nodes without arcs.
  explicit Reachability(std::size_t nodes);
  /// The closure of `arcs`, given in any order.
  Reachability(std::size_t nodes, std::span<const Arc> arcs);

  [[nodiscard]] std::size_t size() const { return starts_.size() - 1; }

  /// True where a path leads from `from` to `to`; no node reaches itself.
  [[nodiscard]] bool reaches(std::uint32_t from, std::uint32_t to) const {
    if (from >= to) return false;
    return ((words_[starts_[to] + from / 64] >> (from % 64)) & 1U) != 0;
  }
  /// True where one of the two reaches the other.
  [[nodiscard]] bool ordered(std::uint32_t a, std::uint32_t b) const {
    return a < b ? reaches(a, b) : reaches(b, a);
  }
  /// The ancestors of `node`, bit i of the row for node i; nodes from `node` on have no bits.
  [[nodiscard]] std::span<const std::uint64_t> ancestors(std::uint32_t node) const {
    return {words_.data() + starts_[node], starts_[node + 1] - starts_[node]};
  }

  /// Adds the arc. The row of `from` must be complete: link in ascending order of `to`.
  void link(std::uint32_t from, std::uint32_t to);

 private:
  std::vector<std::size_t> starts_;  ///< first word of each row, and one past the last
  std::vector<std::uint64_t> words_;
};

}  // namespace quintet
