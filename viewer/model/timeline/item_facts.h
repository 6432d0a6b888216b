/// Everything a recording says of one thing on the timeline, as labelled lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/model/timeline/folded_step.h"
#include "viewer/model/timeline/step_insight.h"
#include "viewer/model/timeline/timeline_frame.h"

namespace quintet::viewer {

struct ItemFact {
  std::string label;
  std::string value;
};

struct ItemCard {
  std::string title;
  std::vector<ItemFact> facts;
};

/// What is at a hit: a span, a launch, a wait of the host, or a fold of short spans. `insight` of
/// the step, or null, adds slack. Times count from `origin_ns`. An empty title: nothing is there.
ItemCard item_card(const TimelineIndex& index, const TimelineHit& hit, std::int64_t origin_ns,
                   const StepInsight* insight);

/// Why a lane stood still.
ItemCard wait_card(const Trace& trace, const InsightWait& wait, std::int64_t origin_ns);

/// What a lane of the trace waited for in a step, from afar; an empty title where it did not.
ItemCard folded_card(const Trace& trace, const FoldedStep& step, std::uint32_t lane,
                     std::int64_t origin_ns);

/// "waits for conv3_2 dW": what a wait's box says.
std::string wait_label(const Trace& trace, const InsightWait& wait);

}  // namespace quintet::viewer
