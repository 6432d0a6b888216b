#include "runtime/policy/chain_cover.h"

namespace quintet {

namespace {

using Partner = std::optional<std::uint32_t>;

/// Kuhn's algorithm: one search for an augmenting path from each left node.
class Matcher {
 public:
  Matcher(std::size_t count, std::span<const Arc> pairs)
      : choices_(count), left_of_(count), right_of_(count), tried_(count) {
    for (const Arc& pair : pairs)
      choices_[pair.from].push_back(pair.to);
  }

  std::vector<Partner> match() {
    for (std::uint32_t left = 0; left < choices_.size(); ++left) {
      tried_.assign(tried_.size(), false);
      augment(left);
    }
    return std::move(right_of_);
  }

 private:
  /// A node to find a partner for, and how far its choices were tried.
  struct Search {
    std::uint32_t left = 0;
    std::size_t next = 0;
  };

  /// Depth first with a stack of its own: paths may be as long as the graph.
  void augment(std::uint32_t root) {
    std::vector<Search> path{{root, 0}};
    while (!path.empty()) {
      Search& at = path.back();
      if (at.next == choices_[at.left].size()) {
        path.pop_back();
        continue;
      }
      const std::uint32_t right = choices_[at.left][at.next++];
      if (tried_[right]) continue;
      tried_[right] = true;
      if (left_of_[right]) {
        path.push_back({*left_of_[right], 0});
        continue;
      }
      for (const Search& step : path) {
        const std::uint32_t taken = choices_[step.left][step.next - 1];
        right_of_[step.left] = taken;
        left_of_[taken] = step.left;
      }
      return;
    }
  }

  std::vector<std::vector<std::uint32_t>> choices_;
  std::vector<Partner> left_of_;
  std::vector<Partner> right_of_;
  std::vector<bool> tried_;
};

/// Chains of a matching whose pairs lead from lower to higher numbers.
ChainCover chains_of(std::span<const Partner> next) {
  ChainCover cover;
  std::vector<Partner> chain(next.size());
  for (std::uint32_t node = 0; node < next.size(); ++node) {
    if (!chain[node]) chain[node] = cover.chains++;
    if (next[node]) chain[*next[node]] = chain[node];
    cover.chain_of.push_back(*chain[node]);
  }
  return cover;
}

}  // namespace

std::vector<Partner> maximum_matching(std::size_t count, std::span<const Arc> pairs) {
  return Matcher(count, pairs).match();
}

ChainCover path_cover(std::size_t nodes, std::span<const Arc> arcs) {
  return chains_of(maximum_matching(nodes, arcs));
}

ChainCover joined(const ChainCover& cover, const Reachability& closure) {
  std::vector<std::uint32_t> first(cover.chains);
  std::vector<std::uint32_t> last(cover.chains);
  std::vector<bool> begun(cover.chains);
  for (std::uint32_t node = 0; node < cover.chain_of.size(); ++node) {
    const std::uint32_t chain = cover.chain_of[node];
    if (!begun[chain]) first[chain] = node;
    begun[chain] = true;
    last[chain] = node;
  }
  // Chains are numbered by their first nodes, so one that follows has a higher number.
  std::vector<Arc> follows;
  for (std::uint32_t chain = 0; chain < cover.chains; ++chain) {
    for (std::uint32_t later = chain + 1; later < cover.chains; ++later) {
      if (closure.reaches(last[chain], first[later])) follows.push_back({chain, later});
    }
  }
  const ChainCover of_chains = chains_of(maximum_matching(cover.chains, follows));
  ChainCover result;
  result.chains = of_chains.chains;
  for (const std::uint32_t chain : cover.chain_of)
    result.chain_of.push_back(of_chains.chain_of[chain]);
  return result;
}

}  // namespace quintet
