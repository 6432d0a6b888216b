#include "runtime/policy/reachability.h"

namespace quintet {

Reachability::Reachability(std::size_t nodes) : starts_(nodes + 1) {
  for (std::size_t node = 0; node < nodes; ++node) {
    starts_[node + 1] = starts_[node] + (node + 63) / 64;
  }
  words_.resize(starts_[nodes]);
}

Reachability::Reachability(std::size_t nodes, std::span<const Arc> arcs) : Reachability(nodes) {
  // Arcs by their head, so that each row is complete before it is read.
  std::vector<std::size_t> first(nodes + 1);
  for (const Arc& arc : arcs)
    ++first[arc.to + 1];
  for (std::size_t node = 0; node < nodes; ++node)
    first[node + 1] += first[node];
  std::vector<std::uint32_t> tails(arcs.size());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (const Arc& arc : arcs)
    tails[next[arc.to]++] = arc.from;
  for (std::size_t node = 0; node < nodes; ++node) {
    for (std::size_t index = first[node]; index < first[node + 1]; ++index) {
      link(tails[index], static_cast<std::uint32_t>(node));
    }
  }
}

void Reachability::link(std::uint32_t from, std::uint32_t to) {
  assert(from < to);
  if (reaches(from, to)) return;
  const std::uint64_t* source = words_.data() + starts_[from];
  std::uint64_t* target = words_.data() + starts_[to];
  const std::size_t count = starts_[from + 1] - starts_[from];
  for (std::size_t word = 0; word < count; ++word)
    target[word] |= source[word];
  target[from / 64] |= std::uint64_t{1} << (from % 64);
}

}  // namespace quintet
