#include "profiler/trace/span_order.h"

#include <algorithm>
#include <numeric>

namespace quintet {

namespace {

template <class T>
void permute(std::vector<T>& column, std::size_t first, const std::vector<std::uint32_t>& order) {
  std::vector<T> sorted(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    sorted[i] = column[first + order[i]];
  std::copy(sorted.begin(), sorted.end(), column.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace

bool spans_sorted(const SpanColumns& spans) {
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (span_key(spans, i) < span_key(spans, i - 1)) return false;
  }
  return true;
}

void sort_spans(SpanColumns& spans, std::size_t first, std::size_t last) {
  std::vector<std::uint32_t> order(last - first);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return span_key(spans, first + a) < span_key(spans, first + b);
  });
  permute(spans.begin_ns, first, order);
  permute(spans.end_ns, first, order);
  permute(spans.cpu_ns, first, order);
  permute(spans.task, first, order);
  permute(spans.step, first, order);
  permute(spans.lane, first, order);
  permute(spans.executor_lane, first, order);
  permute(spans.activity, first, order);
  permute(spans.correlation, first, order);
  permute(spans.channel, first, order);
}

void merge_spans(SpanColumns& spans, std::size_t middle) {
  if (middle == 0 || middle == spans.size()) return;
  const SpanKey key = span_key(spans, middle);
  // The first span of the front part that must come after the first of the back part.
  std::size_t first = 0;
  std::size_t count = middle;
  while (count > 0) {
    const std::size_t half = count / 2;
    if (span_key(spans, first + half) <= key) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  if (first < middle) sort_spans(spans, first, spans.size());
}

}  // namespace quintet
