#include "scenarios/lab/mapping_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include "scenarios/lab/mapping_moves.h"

namespace quintet {

namespace {

/// Candidates of one cooling for each task, and the least of them.
constexpr std::uint64_t kCoolingPerTask = 40;
constexpr std::uint64_t kLeastCooling = 350;
/// A cooling begins this warm, in mean losses of a move; each next one is colder, and after the
/// coldest they begin again.
constexpr double kWarm = 2;
constexpr double kColder = 0.6;
constexpr double kColdest = 0.1;
/// Weight of the latest loss in their mean.
constexpr double kLatest = 0.02;
constexpr std::uint64_t kAskEvery = 256;
/// Starts that are searched from. Of fewer some are begun from again, under other priorities.
constexpr std::size_t kMostWalkers = 8;
constexpr std::size_t kLeastWalkers = 2;
/// Of the last polish.
constexpr int kMostPasses = 3;
constexpr std::uint32_t kMostPolishedPlaces = 2;
/// Mappings that are kept for their memory.
constexpr std::size_t kMostKept = 12;

/// The mappings that no other beats in both time and bytes.
class ParetoFront {
 public:
  void offer(const StepMapping& mapping, double step_ns, std::uint64_t bytes) {
    for (const FoundMapping& known : found_) {
      if (known.step_ns <= step_ns && known.workspace_bytes <= bytes) return;
    }
    std::erase_if(found_, [&](const FoundMapping& known) {
      return known.step_ns >= step_ns && known.workspace_bytes >= bytes;
    });
    const auto place = std::lower_bound(
        found_.begin(), found_.end(), step_ns,
        [](const FoundMapping& known, double time) { return known.step_ns < time; });
    found_.insert(place, {mapping, step_ns, bytes});
    if (found_.size() > kMostKept) found_.pop_back();
  }
  [[nodiscard]] bool wants(double step_ns) const {
    return found_.size() < kMostKept || step_ns < found_.back().step_ns;
  }
  std::vector<FoundMapping>& found() { return found_; }

 private:
  std::vector<FoundMapping> found_;
};

class Searcher {
 public:
  Searcher(MappedStep& step, const SearchOptions& options, const KeepSearching& keep)
      : step_(step),
        options_(options),
        keep_(keep),
        random_(options.seed),
        moves_(step.dag(), options.streams, options.groups) {}

  SearchResult search(std::span<const StepMapping> starts) {
    std::vector<Walker> walkers;
    for (const StepMapping& start : starts)
      walkers.push_back(begin(start));
    while (!walkers.empty() && walkers.size() < kLeastWalkers)
      walkers.push_back(begin(of_other_priorities(starts[walkers.size() % starts.size()])));
    std::stable_sort(walkers.begin(), walkers.end(),
                     [](const Walker& a, const Walker& b) { return a.best_cost < b.best_cost; });
    walkers.resize(std::min(walkers.size(), kMostWalkers));
    const bool searchable = !moves_.stuck() && !options_.streams.empty() && !walkers.empty();
    while (searchable && !stopped_) {
      for (Walker& walker : walkers) {
        if (!stopped_) cool(walker);
      }
      std::stable_sort(walkers.begin(), walkers.end(),
                       [](const Walker& a, const Walker& b) { return a.best_cost < b.best_cost; });
      walkers.resize(std::max<std::size_t>(1, walkers.size() / 2));
    }
    if (searchable && !front_.found().empty()) polish(front_.found().front().mapping);
    for (FoundMapping& found : front_.found())
      tidy(found);
    result_.best = std::move(front_.found());
    return std::move(result_);
  }

 private:
  /// Where one search from one start is.
  struct Walker {
    StepMapping at;
    double cost = 0;
    StepMapping best;
    double best_cost = 0;
    double warmth = kWarm;
    std::uint32_t rounds = 0;  ///< of coolings, from warm to cold
    bool scrambled = false;    ///< the next cooling begins anywhere, not from the best
    double mean_loss = 0;      ///< of moves that make it worse, the latest counting most
  };

  StepMapping of_other_priorities(StepMapping start) {
    for (std::size_t move = 0; move < options_.streams.size(); ++move)
      moves_.move_priority(start, random_);
    return start;
  }

  Walker begin(const StepMapping& start) {
    Walker walker;
    walker.at = walker.best = start;
    walker.at.reasons.clear();
    walker.cost = walker.best_cost = cost_of(start);
    return walker;
  }

  /// The step time, more where the workspaces are too large. Keeps what is worth it.
  double cost_of(const StepMapping& mapping) {
    ++result_.candidates;
    const double time = step_.step_ns(mapping);
    if (!front_.wants(time) && options_.most_workspace_bytes == kUnlimited) return time;
    const std::uint64_t bytes = step_.workspace_bytes(mapping.streams);
    if (bytes > options_.most_workspace_bytes) {
      const auto limit = static_cast<double>(options_.most_workspace_bytes);
      return time * (2 + (static_cast<double>(bytes) - limit) / std::max(1.0, limit));
    }
    front_.offer(mapping, time, bytes);
    return time;
  }

  bool done() {
    if (options_.candidates > 0 && result_.candidates >= options_.candidates) return true;
    if (result_.candidates % kAskEvery != 0 || !keep_) return false;
    const auto& found = front_.found();
    return !keep_(result_.candidates, found.empty() ? kNothing : found.front().step_ns);
  }

  void cool(Walker& walker) {
    const std::uint64_t steps = std::max(kLeastCooling, kCoolingPerTask * step_.dag().size());
    if (walker.scrambled) {
      for (std::uint32_t move = 0; move < step_.dag().size(); ++move)
        moves_.move(walker.at, random_);
      walker.at = of_other_priorities(std::move(walker.at));
      walker.cost = cost_of(walker.at);
    } else {
      walker.at = walker.best;
      walker.cost = walker.best_cost;
    }
    walker.scrambled = false;
    for (std::uint64_t step = 0; step < steps; ++step) {
      if (done()) {
        stopped_ = true;
        return;
      }
      const double left = 1 - static_cast<double>(step) / static_cast<double>(steps);
      try_move(walker, walker.warmth * left * left);
    }
    walker.warmth *= kColder;
    if (walker.warmth >= kColdest) return;
    walker.warmth = kWarm;
    ++walker.rounds;
    walker.scrambled = walker.rounds % 2 == 1;
  }

  void try_move(Walker& walker, double warmth) {
    tried_ = walker.at;
    bool changed = moves_.move(tried_, random_);
    // Two moves at once now and then: a task and what follows it.
    if (random_.below(4) == 0) changed = moves_.move(tried_, random_) || changed;
    if (!changed) {
      ++idle_;
      // A step that hardly offers a move must still come to its end.
      if (idle_ % kAskEvery == 0) ++result_.candidates;
      return;
    }
    const double cost = cost_of(tried_);
    const double worse = cost - walker.cost;
    if (worse > 0) {
      walker.mean_loss += kLatest * (std::min(worse, walker.cost) - walker.mean_loss);
      if (worse >= -warmth * walker.mean_loss * std::log(1 - random_.unit())) return;
    }
    std::swap(walker.at, tried_);
    walker.cost = cost;
    if (cost >= walker.best_cost) return;
    walker.best = walker.at;
    walker.best_cost = cost;
  }

  /// Every priority of one stream and every move of one task from the best, and again from what is
  /// better, a few times.
  void polish(StepMapping best) {
    double cost = cost_of(best);
    bool better = true;
    const auto keep_if_better = [&] {
      const double tried = cost_of(tried_);
      if (tried >= cost) return;
      std::swap(best, tried_);
      cost = tried;
      better = true;
    };
    for (int pass = 0; pass < kMostPasses && better; ++pass) {
      better = false;
      for (const StreamKind stream : options_.streams) {
        for (int priority = kMostUrgent; priority <= 0; ++priority) {
          tried_ = best;
          tried_.priorities[index_of(stream)] = priority;
          keep_if_better();
        }
      }
      for (std::uint32_t node = 0; node < step_.dag().size(); ++node) {
        if (step_.dag().node(node).fixed) continue;
        for (const StreamKind stream : options_.streams) {
          for (std::uint32_t passed = 0; passed <= kMostPolishedPlaces; ++passed) {
            tried_ = best;
            const bool moved = stream != best.streams[node];
            tried_.streams[node] = stream;
            const bool earlier = passed > 0 && moves_.move_earlier(tried_, node, passed);
            if (passed > 0 ? !earlier : !moved) continue;
            keep_if_better();
          }
        }
      }
    }
  }

  /// Takes back what does not help: tasks that are as well off on COMP_1 or with those before them,
  /// orders that are as good as program order, and priorities.
  void tidy(FoundMapping& found) {
    StepMapping& mapping = found.mapping;
    const auto keep_if_as_good = [&](const StepMapping& simpler) {
      ++result_.candidates;
      const double time = step_.step_ns(simpler);
      const std::uint64_t bytes = step_.workspace_bytes(simpler.streams);
      if (time > found.step_ns || bytes > found.workspace_bytes) return;
      mapping = simpler;
      found.step_ns = time;
      found.workspace_bytes = bytes;
    };
    StepMapping simpler = mapping;
    std::sort(simpler.order.begin(), simpler.order.end());
    keep_if_as_good(simpler);
    for (std::uint32_t node = 0; node < step_.dag().size(); ++node) {
      if (step_.dag().node(node).fixed || mapping.streams[node] == options_.streams.front())
        continue;
      simpler = mapping;
      simpler.streams[node] = options_.streams.front();
      keep_if_as_good(simpler);
    }
    for (const StreamKind stream : options_.streams) {
      if (mapping.priorities[index_of(stream)] == 0) continue;
      simpler = mapping;
      simpler.priorities[index_of(stream)] = 0;
      keep_if_as_good(simpler);
    }
    simpler = mapping;
    simpler.priorities = least_priorities(mapping);
    keep_if_as_good(simpler);
    step_.step_ns(mapping);
    mapping.order.assign(step_.issue_order().begin(), step_.issue_order().end());
  }

  /// The same order of the streams that are used, its last at 0.
  [[nodiscard]] std::array<int, kStreamCount> least_priorities(const StepMapping& mapping) const {
    std::set<int> levels;
    for (const StreamKind stream : options_.streams) {
      const auto& used = mapping.streams;
      if (std::find(used.begin(), used.end(), stream) != used.end())
        levels.insert(mapping.priorities[index_of(stream)]);
    }
    std::array<int, kStreamCount> priorities = mapping.priorities;
    for (const StreamKind stream : options_.streams) {
      int& priority = priorities[index_of(stream)];
      const auto above = std::distance(levels.lower_bound(priority), levels.end()) - 1;
      priority = levels.count(priority) == 0 ? 0 : -static_cast<int>(above);
    }
    return priorities;
  }

  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  static constexpr double kNothing = std::numeric_limits<double>::infinity();

  MappedStep& step_;
  const SearchOptions& options_;
  const KeepSearching& keep_;
  SearchRandom random_;
  MappingMoves moves_;
  ParetoFront front_;
  SearchResult result_;
  StepMapping tried_;
  std::uint64_t idle_ = 0;
  bool stopped_ = false;
};

}  // namespace

SearchResult search_mappings(MappedStep& step, std::span<const StepMapping> starts,
                             const SearchOptions& options, const KeepSearching& keep) {
  return Searcher(step, options, keep).search(starts);
}

}  // namespace quintet
