#include "profiler/trace/span_order.h"

#include <algorithm>
#include <numeric>

#include "profiler/trace/span_columns.h"

namespace quintet {

namespace {

/// Positions of spans, counted from the first that is to be sorted.
using Order = std::vector<std::uint32_t>;

/// "Comes before", for positions.
class Before {
 public:
  Before(const SpanColumns& spans, std::size_t first) : spans_(spans), first_(first) {}
  bool operator()(std::uint32_t a, std::uint32_t b) const {
    const std::int64_t begin_a = spans_.begin_ns[first_ + a];
    const std::int64_t begin_b = spans_.begin_ns[first_ + b];
    if (begin_a != begin_b) return begin_a < begin_b;
    return span_key(spans_, first_ + a) < span_key(spans_, first_ + b);
  }

 private:
  const SpanColumns& spans_;
  std::size_t first_;
};

/// Where the stretches that are sorted already begin, and `count` as the end of the last one; nothing
/// where there are more than `most` of them.
std::vector<std::size_t> sorted_runs(std::size_t count, std::size_t most, const Before& before) {
  std::vector<std::size_t> runs = {0};
  for (std::size_t i = 1; i < count; ++i) {
    if (!before(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i - 1))) continue;
    if (runs.size() == most) return {};
    runs.push_back(i);
  }
  runs.push_back(count);
  return runs;
}

/// Merges the sorted neighbours [begin, middle) and [middle, end); moves only what overlaps.
void merge_neighbours(Order::iterator begin, Order::iterator middle, Order::iterator end,
                      const Before& before) {
  const auto first = std::upper_bound(begin, middle, *middle, before);
  if (first == middle) return;
  const auto last = std::lower_bound(middle, end, *(middle - 1), before);
  std::inplace_merge(first, middle, last, before);
}

/// Merges runs pairwise until one is left.
void merge_runs(Order& order, std::vector<std::size_t> runs, const Before& before) {
  const auto at = [&order](std::size_t i) {
    return order.begin() + static_cast<std::ptrdiff_t>(i);
  };
  while (runs.size() > 2) {
    std::vector<std::size_t> merged;
    std::size_t run = 0;
    for (; run + 2 < runs.size(); run += 2) {
      merge_neighbours(at(runs[run]), at(runs[run + 1]), at(runs[run + 2]), before);
      merged.push_back(runs[run]);
    }
    if (run + 1 < runs.size()) merged.push_back(runs[run]);  // the odd one
    merged.push_back(order.size());
    runs = std::move(merged);
  }
}

template <class T>
void permute(std::vector<T>& column, std::size_t first, const Order& order) {
  if (column.empty()) return;  // not filled yet
  std::vector<T> sorted(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    sorted[i] = column[first + order[i]];
  if (sorted.size() == column.size()) {
    column = std::move(sorted);
    return;
  }
  std::copy(sorted.begin(), sorted.end(), column.begin() + static_cast<std::ptrdiff_t>(first));
}

void permute(SpanColumns& spans, std::size_t first, const Order& order) {
  for_each_column([&](auto& column) { permute(column, first, order); }, spans);
}

/// The first of [0, count) for which `is_past` holds; it holds for all that follow.
template <class IsPast>
std::size_t partition_point(std::size_t count, IsPast is_past) {
  std::size_t first = 0;
  while (count > 0) {
    const std::size_t half = count / 2;
    if (is_past(first + half)) {
      count = half;
    } else {
      first += half + 1;
      count -= half + 1;
    }
  }
  return first;
}

}  // namespace

bool spans_sorted(const SpanColumns& spans) {
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (span_key(spans, i) < span_key(spans, i - 1)) return false;
  }
  return true;
}

void sort_spans(SpanColumns& spans, std::size_t first, std::size_t last) {
  if (last - first < 2) return;
  // Spans come as long sorted runs: flushes of a recording, tables of an export. Merging those
  // costs little; spans in no order at all are left to the library.
  constexpr std::size_t kShortRun = 16;
  const Before before(spans, first);
  const std::size_t most = std::max<std::size_t>((last - first) / kShortRun, 1);
  std::vector<std::size_t> runs = sorted_runs(last - first, most, before);
  if (runs.size() == 2) return;
  Order order(last - first);
  std::iota(order.begin(), order.end(), 0U);
  if (runs.empty()) {
    std::stable_sort(order.begin(), order.end(), before);
  } else {
    merge_runs(order, std::move(runs), before);
  }
  permute(spans, first, order);
}

void merge_spans(SpanColumns& spans, std::size_t middle) {
  if (middle == 0 || middle == spans.size()) return;
  const SpanKey front = span_key(spans, middle - 1);
  const SpanKey back = span_key(spans, middle);
  const std::size_t first =
      partition_point(middle, [&](std::size_t i) { return back < span_key(spans, i); });
  if (first == middle) return;
  const std::size_t last = middle + partition_point(spans.size() - middle, [&](std::size_t i) {
                             return front <= span_key(spans, middle + i);
                           });
  sort_spans(spans, first, last);
}

}  // namespace quintet
