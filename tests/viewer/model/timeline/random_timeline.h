/// Traces for tests of the timeline: random ones and hostile ones.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "profiler/trace/trace.h"
#include "tests/support/random.h"

namespace quintet::viewer {

struct TimelineTraits {
  std::size_t spans = 400;
  std::uint16_t lanes = 4;
  std::int64_t origin_ns = 0;
  std::int64_t most_gap_ns = 60;        ///< between begins, over all lanes
  std::int64_t most_duration_ns = 120;  ///< per span; longer than gaps make overlaps
  double zero_share = 0.1;              ///< of spans without length
  double long_share = 0.02;             ///< of spans a hundred times as long
};

/// Spans sorted by begin, ends in any order; tasks of several layers, op kinds and parts.
std::shared_ptr<Trace> random_timeline(TestRandom& random, const TimelineTraits& traits);

/// Only the lanes and spans given; tasks are made as needed.
std::shared_ptr<Trace> timeline_of(const std::vector<Span>& spans, std::uint16_t lanes = 1);

}  // namespace quintet::viewer
