/// The one total order of spans: (begin, end, lane, task, step). Everything that lists spans lists
/// them so.
#pragma once

#include <compare>
#include <cstddef>

#include "profiler/trace/trace.h"

namespace quintet {

struct SpanKey {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::uint16_t lane = 0;
  std::uint32_t task = 0;
  std::int32_t step = 0;
  friend constexpr auto operator<=>(const SpanKey&, const SpanKey&) = default;
};

inline SpanKey span_key(const SpanColumns& spans, std::size_t index) {
  return {spans.begin_ns[index], spans.end_ns[index], spans.lane[index], spans.task[index],
          spans.step[index]};
}

bool spans_sorted(const SpanColumns& spans);
/// Sorts the spans [first, last); stable.
void sort_spans(SpanColumns& spans, std::size_t first, std::size_t last);
inline void sort_spans(SpanColumns& spans) {
  sort_spans(spans, 0, spans.size());
}
/// Sorts spans of which [0, middle) and [middle, size) are each sorted: costs what overlaps.
void merge_spans(SpanColumns& spans, std::size_t middle);

}  // namespace quintet
