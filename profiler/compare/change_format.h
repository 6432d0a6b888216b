/// Changes as people read them.
#pragma once

#include <string>

#include "profiler/compare/comparison.h"

namespace quintet {

/// "+930 us", "-4.9 points": a difference in the way its hint asks for.
std::string format_difference(MetricHint hint, double difference);
/// "+930 us [+915 us, +945 us]"; without brackets where there is no interval.
std::string format_difference(MetricHint hint, const SeriesChange& change);
/// "+36.7 % [+36.1, +37.4]", the ratio less one; empty where there is no ratio.
std::string format_ratio(const SeriesChange& change);
/// Shares by points, all else relatively where that can be said.
std::string format_change(MetricHint hint, const SeriesChange& change);
/// "yes", "no", or why it cannot be said.
std::string format_significance(const TestedChange& tested);
/// "renaissance, 5 recordings, 190 timed steps".
std::string format_side(const ComparedSide& side);
/// How the intervals were made and what they do not cover: a few sentences.
std::string method_text(const Comparison& comparison);

}  // namespace quintet
