/// Which tasks another policy puts elsewhere: what a predicted or edited side outlines, and where it
/// shows their ghosts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet::viewer {

/// Per task of `after`: the lane of `after` that is called as the one `before` had it on, where
/// that is another than now. Tasks are the same by name and shape. Nothing where a task did not
/// move, is only in one of the two, or was never placed.
std::vector<std::optional<std::uint32_t>> moved_from(const Trace& before, const Trace& after);

}  // namespace quintet::viewer
