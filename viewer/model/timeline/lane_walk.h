/// From one span to its neighbours: along its row, and to the lanes above and below.
#pragma once

#include <cstdint>
#include <optional>

#include "viewer/model/timeline/timeline_index.h"

namespace quintet::viewer {

enum class WalkDirection : std::uint8_t { previous, next };

/// The span that begins before or after a span in its lane, whatever sub-row it is in. Nothing at
/// the ends, and for a span of no lane.
std::optional<std::uint32_t> neighbour_in_lane(const TimelineIndex& index, std::uint32_t span,
                                               WalkDirection direction);

/// The span of the nearest lane above (previous) or below (next) that has any, that is nearest to a
/// span's middle. Nothing at the ends.
std::optional<std::uint32_t> neighbour_lane(const TimelineIndex& index, std::uint32_t span,
                                            WalkDirection direction);

/// The span of a lane that covers a time, else the one nearest to it; nothing for an empty lane.
std::optional<std::uint32_t> nearest_span(const TimelineIndex& index, std::size_t lane,
                                          std::int64_t time_ns);

}  // namespace quintet::viewer
