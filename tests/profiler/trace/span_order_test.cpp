#include "profiler/trace/span_order.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "profiler/trace/trace_batch.h"

namespace quintet {
namespace {

/// `activity` counts up, so that it tells where a span came from.
void add(SpanColumns& spans, std::int64_t begin, std::int64_t end, std::uint16_t lane = 0) {
  append_span(spans, {.begin_ns = begin,
                      .end_ns = end,
                      .lane = lane,
                      .activity = static_cast<std::uint32_t>(spans.size())});
}

/// The order in which the spans [first, last) must come: by key, ties as they came.
std::vector<std::uint32_t> expected_order(const SpanColumns& spans) {
  std::vector<std::uint32_t> order(spans.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return span_key(spans, a) < span_key(spans, b);
  });
  return order;
}

void expect_rows_stay_whole(const SpanColumns& sorted, const SpanColumns& original) {
  for (std::size_t i = 0; i < sorted.size(); ++i)
    EXPECT_EQ(span_key(sorted, i), span_key(original, sorted.activity[i]));
}

/// `runs` sorted stretches of `length` spans, the first of each early, many of them alike.
SpanColumns runs_of_spans(int runs, int length, std::mt19937& random) {
  SpanColumns spans;
  for (int run = 0; run < runs; ++run) {
    std::int64_t begin = static_cast<std::int64_t>(random() % 50);
    for (int i = 0; i < length; ++i) {
      add(spans, begin, begin + 5, static_cast<std::uint16_t>(random() % 2));
      if (i == 0) begin = run * length / 2;
      begin += static_cast<std::int64_t>(random() % 3);
    }
  }
  return spans;
}

TEST(SpanOrder, IsThatOfAStableSortByKey) {
  std::mt19937 random(11);
  for (const auto& [runs, length] :
       {std::pair(1, 1), {2, 1}, {300, 1}, {1, 500}, {2, 200}, {7, 60}, {33, 17}, {100, 40}}) {
    const SpanColumns original = runs_of_spans(runs, length, random);
    SpanColumns sorted = original;
    sort_spans(sorted);
    EXPECT_EQ(sorted.activity, expected_order(original)) << runs << " x " << length;
    EXPECT_TRUE(spans_sorted(sorted));
    expect_rows_stay_whole(sorted, original);
  }
}

TEST(SpanOrder, OfAPartLeavesTheRestWhereItIs) {
  SpanColumns spans;
  for (const std::int64_t begin : {9, 5, 7, 3, 1})
    add(spans, begin, begin + 1);
  sort_spans(spans, 1, 4);
  EXPECT_THAT(spans.begin_ns, testing::ElementsAre(9, 3, 5, 7, 1));
  sort_spans(spans, 2, 2);
  EXPECT_THAT(spans.begin_ns, testing::ElementsAre(9, 3, 5, 7, 1));
}

TEST(SpanOrder, OfTwoSortedPartsIsThatOfTheirStableSort) {
  std::mt19937 random(12);
  for (int round = 0; round < 200; ++round) {
    SpanColumns original;
    for (std::size_t part = 0; part < 2; ++part) {
      const std::size_t first = original.size();
      const std::int64_t from = static_cast<std::int64_t>(random() % 60);
      for (std::size_t i = random() % 20; i > 0; --i) {
        const std::int64_t begin = from + static_cast<std::int64_t>(random() % 30);
        add(original, begin, begin + 2, static_cast<std::uint16_t>(random() % 2));
      }
      sort_spans(original, first, original.size());
    }
    for (std::size_t i = 0; i < original.size(); ++i)
      original.activity[i] = static_cast<std::uint32_t>(i);
    std::size_t middle = 0;
    while (middle < original.size() &&
           (middle == 0 || span_key(original, middle - 1) <= span_key(original, middle)))
      ++middle;
    SpanColumns merged = original;
    merge_spans(merged, middle);
    EXPECT_EQ(merged.activity, expected_order(original));
    expect_rows_stay_whole(merged, original);
  }
}

TEST(SpanOrder, OfNoSpansIsSorted) {
  SpanColumns spans;
  sort_spans(spans);
  merge_spans(spans, 0);
  EXPECT_TRUE(spans_sorted(spans));
}

}  // namespace
}  // namespace quintet
