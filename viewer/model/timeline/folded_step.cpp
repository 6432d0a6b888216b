#include "viewer/model/timeline/folded_step.h"

#include <algorithm>
#include <map>

namespace quintet::viewer {

const FoldedLane* FoldedStep::find(std::uint32_t lane) const {
  const auto found = std::lower_bound(
      lanes.begin(), lanes.end(), lane,
      [](const FoldedLane& each, std::uint32_t wanted) { return each.lane < wanted; });
  return found == lanes.end() || found->lane != lane ? nullptr : &*found;
}

const FoldedLane* FoldedStep::path_lane() const {
  const auto most = std::max_element(
      lanes.begin(), lanes.end(),
      [](const FoldedLane& a, const FoldedLane& b) { return a.path_ns < b.path_ns; });
  return most == lanes.end() || most->path_ns == 0 ? nullptr : &*most;
}

std::size_t FoldedStep::held_bytes() const {
  return sizeof(*this) + lanes.capacity() * sizeof(FoldedLane) +
         critical.capacity() * sizeof(critical.front());
}

FoldedStep fold(const StepInsight& insight) {
  FoldedStep folded;
  folded.step = insight.step();
  folded.window = insight.window();
  folded.runs = insight.runs().size();
  std::map<std::uint32_t, FoldedLane> lanes;
  const auto at = [&lanes](std::uint32_t lane) -> FoldedLane& {
    FoldedLane& each = lanes[lane];
    each.lane = lane;
    return each;
  };
  for (const InsightWait& wait : insight.waits())
    at(wait.lane).waits_ns[static_cast<std::size_t>(wait.cause)] += wait.time.length();
  for (const PathPiece& piece : insight.path()) {
    if (piece.lane) at(*piece.lane).path_ns += piece.time.length();
  }
  for (const auto& [lane, each] : lanes)
    folded.lanes.push_back(each);
  for (const InsightRun& run : insight.runs()) {
    if (run.slack_ns == 0) folded.critical.emplace_back(run.task, run.step);
  }
  std::sort(folded.critical.begin(), folded.critical.end());
  folded.critical.erase(std::unique(folded.critical.begin(), folded.critical.end()),
                        folded.critical.end());
  folded.critical.shrink_to_fit();
  return folded;
}

}  // namespace quintet::viewer
