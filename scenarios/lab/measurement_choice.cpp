#include "scenarios/lab/measurement_choice.h"

#include <algorithm>
#include <set>
#include <string>

namespace quintet {

namespace {

/// Slower than the fastest by at most so much.
constexpr double kClose = 1.02;

/// But for their names: the recorded policy is often one of those that are built in.
bool do_the_same(StreamPolicy one, StreamPolicy two) {
  for (StreamPolicy* each : {&one, &two}) {
    each->name.clear();
    each->description.clear();
  }
  return one == two;
}

/// Those that are chosen so far.
class Choice {
 public:
  explicit Choice(const std::vector<const RatedPolicy*>& rated) : rated_(rated) {}

  /// The first of `from` that are not chosen yet, as long as there are fewer than `most`.
  void add(const std::vector<std::size_t>& from, std::size_t most) {
    for (const std::size_t place : from) {
      if (places_.size() >= most) return;
      const bool there = std::any_of(places_.begin(), places_.end(), [&](std::size_t each) {
        return do_the_same(rated_[each]->policy, rated_[place]->policy);
      });
      if (!there) places_.push_back(place);
    }
  }
  [[nodiscard]] std::vector<std::size_t>& places() { return places_; }

 private:
  const std::vector<const RatedPolicy*>& rated_;
  std::vector<std::size_t> places_;
};

}  // namespace

std::vector<std::size_t> choose_to_measure(const std::vector<const RatedPolicy*>& rated,
                                           std::size_t count, std::optional<std::size_t> first) {
  std::vector<std::size_t> fastest;
  for (std::size_t place = 0; place < rated.size(); ++place) {
    if (rated[place]->race_free) fastest.push_back(place);
  }
  const auto faster = [&](std::size_t a, std::size_t b) {
    return rated[a]->step_ns < rated[b]->step_ns;
  };
  std::stable_sort(fastest.begin(), fastest.end(), faster);
  std::vector<std::size_t> found;
  std::vector<std::size_t> known;
  std::vector<std::size_t> yardsticks;
  std::set<std::string> names;
  for (const std::size_t place : fastest) {
    const RatedPolicy& each = *rated[place];
    if (each.origin == PolicyOrigin::search) {
      found.push_back(place);
    } else if (names.insert(each.policy.name).second) {
      known.push_back(place);
      if (std::find(kYardsticks.begin(), kYardsticks.end(), each.policy.name) != kYardsticks.end())
        yardsticks.push_back(place);
    }
  }
  Choice choice(rated);
  if (first) choice.add({*first}, 1);
  const std::size_t most = choice.places().size() + count;
  choice.add(found, most - count / 2);
  choice.add(known, most);
  choice.add(found, most);
  choice.add(yardsticks, rated.size());
  std::stable_sort(choice.places().begin() + (first ? 1 : 0), choice.places().end(), faster);
  return choice.places();
}

std::vector<std::size_t> choose_to_measure_again(std::span<const std::int64_t> step_ns) {
  std::vector<std::size_t> close;
  if (step_ns.empty()) return close;
  const auto fastest = static_cast<double>(*std::min_element(step_ns.begin(), step_ns.end()));
  for (std::size_t place = step_ns.size(); place-- > 0;) {
    if (static_cast<double>(step_ns[place]) <= kClose * fastest) close.push_back(place);
  }
  if (close.size() < 2) close.clear();
  return close;
}

}  // namespace quintet
