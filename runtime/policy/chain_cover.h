/// A directed acyclic graph cut into few chains: maximum matching, as Nimble assigns streams.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/policy/reachability.h"

namespace quintet {

/// Of each left node the right node that it is matched with. Maximum: no other matching has more
/// pairs. `pairs`: left -> right, both numbered from 0 below `count`. Time: count * pairs.
std::vector<std::optional<std::uint32_t>> maximum_matching(std::size_t count,
                                                           std::span<const Arc> pairs);

/// A chain number for each node, 0 on; chains are numbered by their first node.
struct ChainCover {
  std::vector<std::uint32_t> chain_of;
  std::uint32_t chains = 0;
};

/// Vertex-disjoint paths along arcs, as few as there can be: each pair of a maximum matching of the
/// arcs glues its two nodes. Nodes of one chain are ordered by the graph itself, so a stream for each
/// chain takes no concurrency away.
ChainCover path_cover(std::size_t nodes, std::span<const Arc> arcs);

/// Chains joined end to begin where the one ends before the other begins in the closure, again by a
/// maximum matching: fewer streams, and still no two unordered nodes on one.
ChainCover joined(const ChainCover& cover, const Reachability& closure);

}  // namespace quintet
