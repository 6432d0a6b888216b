#include "viewer/model/timeline/known_steps.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace quintet::viewer {

namespace {

/// Drops entries until there are few enough: first those farther from the view.
template <class Map>
void limit(Map& known, std::size_t most, const StepsInView& seen) {
  const auto held = [&seen](const auto& entry) {
    return std::find(seen.held.begin(), seen.held.end(), entry.first) != seen.held.end();
  };
  while (known.size() > most) {
    const auto first = std::find_if_not(known.begin(), known.end(), held);
    const auto last = std::find_if_not(known.rbegin(), known.rend(), held);
    if (first == known.end()) return;
    // How far they lie on the side of the view that each is on.
    const double before = static_cast<double>(seen.first) - static_cast<double>(first->first);
    const double after = static_cast<double>(last->first) - static_cast<double>(seen.last);
    known.erase(before > after ? first : std::prev(last.base()));
  }
}

template <class Map>
auto find_in(const Map& known, std::int64_t step) {
  const auto found = known.find(step);
  return found == known.end() ? nullptr : &found->second;
}

}  // namespace

void KnownSteps::add(StepInsight insight, const StepsInView& seen) {
  const std::int64_t step = insight.step();
  add(fold(insight), seen);
  std::erase(linked_, step);
  if (insight.linked()) linked_.push_back(step);
  insights_[step] = std::make_shared<const StepInsight>(std::move(insight));
  if (linked_.size() > kMostLinked) {
    const auto oldest = insights_.find(linked_.front());
    if (oldest != insights_.end()) {
      oldest->second = std::make_shared<const StepInsight>(oldest->second->without_links());
    }
    linked_.erase(linked_.begin());
  }
  limit(insights_, kMostClose, seen);
}

void KnownSteps::add(FoldedStep folded, const StepsInView& seen) {
  const std::int64_t step = folded.step;
  folded_[step] = std::move(folded);
  limit(folded_, kMostFolded, seen);
}

void KnownSteps::add_unknown(std::int64_t step, std::string why, const StepsInView& seen) {
  unknown_[step] = std::move(why);
  limit(unknown_, kMostFolded, seen);
}

void KnownSteps::forget_from(std::int64_t step) {
  insights_.erase(insights_.lower_bound(step), insights_.end());
  folded_.erase(folded_.lower_bound(step), folded_.end());
  unknown_.erase(unknown_.lower_bound(step), unknown_.end());
}

const StepInsight* KnownSteps::close(std::int64_t step) const {
  const auto found = insights_.find(step);
  return found == insights_.end() ? nullptr : found->second.get();
}

const FoldedStep* KnownSteps::folded(std::int64_t step) const {
  return find_in(folded_, step);
}

const std::string* KnownSteps::unknown(std::int64_t step) const {
  return find_in(unknown_, step);
}

const StepInsight* KnownSteps::close_at(std::int64_t time_ns) const {
  for (const auto& [step, insight] : insights_) {
    if (insight->window().contains(time_ns)) return insight.get();
  }
  return nullptr;
}

std::optional<bool> KnownSteps::critical(std::uint32_t task, std::int32_t step) const {
  // A run that serves a step is in its window, or in that of a neighbour.
  const std::array<std::int64_t, 3> near = {step, std::int64_t{step} - 1, std::int64_t{step} + 1};
  for (const std::int64_t each : near) {
    const StepInsight* insight = close(each);
    const auto slack = insight == nullptr ? std::nullopt : insight->slack_of(task, step);
    if (slack) return *slack == 0;
  }
  bool known = false;
  for (const std::int64_t each : near) {
    const FoldedStep* fold = folded(each);
    if (fold == nullptr) continue;
    known = known || each == step;
    if (std::binary_search(fold->critical.begin(), fold->critical.end(), std::pair(task, step))) {
      return true;
    }
  }
  return known ? std::optional(false) : std::nullopt;
}

std::size_t KnownSteps::held_bytes() const {
  constexpr std::size_t kNode = 64;
  std::size_t bytes = sizeof(*this);
  for (const auto& [step, insight] : insights_)
    bytes += kNode + insight->held_bytes();
  for (const auto& [step, folded] : folded_)
    bytes += kNode + folded.held_bytes();
  for (const auto& [step, why] : unknown_)
    bytes += kNode + why.capacity();
  return bytes;
}

}  // namespace quintet::viewer
