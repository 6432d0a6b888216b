#include "viewer/model/timeline/row_index.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "tests/support/random.h"

namespace quintet::viewer {
namespace {

/// What rows differ in.
struct RowTraits {
  std::string name;
  std::size_t spans = 10'000;
  std::int64_t origin_ns = 1'000'000'000'000'000'000;
  std::int64_t most_gap_ns = 60;  ///< from the end of a span to the next begin; less = overlap
  std::int64_t least_gap_ns = 0;
  std::int64_t most_step = 3;  ///< of positions
  double zero_share = 0.1;     ///< of spans without length, or of negative length
  double long_share = 0.01;    ///< of spans a thousand times as long
  double far_share = 0;        ///< of steps of positions that are 50,000 times as far
};

/// Columns with spans that belong to nobody between those of one row.
struct RowWorld {
  std::vector<std::int64_t> begin_ns;
  std::vector<std::int64_t> end_ns;
  std::vector<RowSpan> spans;

  [[nodiscard]] SpanTimes times() const { return {begin_ns.data(), end_ns.data()}; }
};

RowWorld world_of(TestRandom& random, const RowTraits& traits) {
  RowWorld world;
  std::int64_t now = traits.origin_ns;
  std::int64_t begin = now;
  std::uint32_t position = 0;
  for (std::size_t entry = 0; entry < traits.spans; ++entry) {
    begin = std::max(begin, now + random.integer(traits.least_gap_ns, traits.most_gap_ns));
    std::int64_t length = random.integer(1, 100);
    const double kind = random.real(0, 1);
    if (kind < traits.zero_share) length = -random.integer(0, 3);
    if (kind > 1 - traits.long_share) length *= 1000;
    world.spans.push_back({begin, begin + length, position});
    now = std::max(begin, begin + length);
    position += static_cast<std::uint32_t>(random.integer(1, traits.most_step) *
                                           (random.real(0, 1) < traits.far_share ? 50'000 : 1));
  }
  world.begin_ns.resize(position);
  world.end_ns.resize(position);
  for (const RowSpan& span : world.spans) {
    world.begin_ns[span.position] = span.begin_ns;
    world.end_ns[span.position] = span.end_ns;
  }
  return world;
}

RowIndex row_of(const RowWorld& world) {
  RowIndex row;
  for (const RowSpan& span : world.spans)
    row.append(span.position, span.begin_ns, span.end_ns);
  row.finish();
  return row;
}

/// The union's length before each span begins.
std::vector<std::uint64_t> plain_sums(const RowWorld& world) {
  std::vector<std::uint64_t> sums;
  std::uint64_t sum = 0;
  std::int64_t until = kEarliestNs;
  for (const RowSpan& span : world.spans) {
    sums.push_back(sum);
    sum += length_ns(std::max(span.begin_ns, until), span.end_ns);
    until = std::max(until, span.end_ns);
  }
  return sums;
}

/// The union's length up to a time of the spans that begin before it, and how many there are.
RowCursor::Before plain_before(const RowWorld& world, std::int64_t time_ns) {
  RowCursor::Before before;
  before.time_ns = time_ns;
  std::int64_t until = kEarliestNs;
  for (const RowSpan& span : world.spans) {
    if (span.begin_ns >= time_ns) break;
    ++before.count;
    const std::int64_t end = std::min(span.end_ns, time_ns);
    before.busy_ns += length_ns(std::max(span.begin_ns, until), end);
    until = std::max(until, end);
  }
  return before;
}

class RowIndexOf : public testing::TestWithParam<RowTraits> {};

TEST_P(RowIndexOf, TellsWhereItsSpansAre) {
  TestRandom random(1);
  const RowWorld world = world_of(random, GetParam());
  const RowIndex row = row_of(world);
  ASSERT_EQ(row.size(), world.spans.size());
  RowCursor along(row, world.times());
  for (std::size_t entry = 0; entry < row.size(); ++entry)
    ASSERT_EQ(along.position(entry), world.spans[entry].position) << entry;
  for (int look = 0; look < 2000; ++look) {
    const auto entry = static_cast<std::size_t>(random.integer(0, row.size() - 1));
    ASSERT_EQ(along.position(entry), world.spans[entry].position) << entry;
  }
}

TEST_P(RowIndexOf, SumsExactlyWhatIsBusyBeforeAnyTime) {
  TestRandom random(2);
  const RowWorld world = world_of(random, GetParam());
  const RowIndex row = row_of(world);
  RowCursor cursor(row, world.times());
  for (int look = 0; look < 600; ++look) {
    const auto near = static_cast<std::size_t>(random.integer(0, row.size() - 1));
    const std::int64_t time = world.spans[near].begin_ns + random.integer(-80, 80);
    const std::uint64_t slack =
        look % 2 == 0 ? 0 : static_cast<std::uint64_t>(random.integer(0, 5000));
    const RowCursor::Before before = cursor.before(time, slack);
    ASSERT_LE(before.time_ns, time);
    ASSERT_LE(length_ns(before.time_ns, time), slack);
    const RowCursor::Before plain = plain_before(world, before.time_ns);
    // Of spans that begin at the very time some may be counted already.
    ASSERT_GE(before.count, plain.count) << "look " << look;
    for (std::size_t entry = plain.count; entry < before.count; ++entry)
      ASSERT_EQ(world.spans[entry].begin_ns, before.time_ns) << "look " << look;
    if (slack == 0) {
      ASSERT_EQ(before.count, plain.count) << "look " << look;
    }
    ASSERT_EQ(before.busy_ns, plain.busy_ns) << "look " << look;
    const bool more = before.count < world.spans.size();
    ASSERT_EQ(before.next_begin_ns, more ? world.spans[before.count].begin_ns : kLatestNs);
  }
  EXPECT_EQ(row.busy_ns(), plain_before(world, kLatestNs).busy_ns);
}

TEST_P(RowIndexOf, FindsEverySpanThatLasts) {
  TestRandom random(3);
  const RowWorld world = world_of(random, GetParam());
  const RowIndex row = row_of(world);
  const std::vector<std::uint64_t> sums = plain_sums(world);
  RowCursor cursor(row, world.times());
  for (int look = 0; look < 60; ++look) {
    std::size_t from = static_cast<std::size_t>(random.integer(0, row.size()));
    const auto until = static_cast<std::size_t>(random.integer(from, row.size()));
    const auto least = static_cast<std::uint64_t>(look % 3 == 0 ? random.integer(1, 120)
                                                                : random.integer(100, 100'000));
    std::vector<std::size_t> found;
    for (auto span = cursor.next_lasting(from, until, least); span;
         span = cursor.next_lasting(span->entry + 1, until, least)) {
      found.push_back(span->entry);
      const RowSpan& plain = world.spans[span->entry];
      ASSERT_EQ(span->position, plain.position);
      ASSERT_EQ(span->begin_ns, plain.begin_ns);
      ASSERT_EQ(span->end_ns, plain.end_ns);
      ASSERT_EQ(span->busy_ns, sums[span->entry]);
    }
    std::vector<std::size_t> wanted;
    for (; from < until; ++from) {
      if (length_ns(world.spans[from].begin_ns, world.spans[from].end_ns) >= least) {
        wanted.push_back(from);
      }
    }
    ASSERT_EQ(found, wanted) << "look " << look << ", at least " << least << " ns";
  }
}

TEST_P(RowIndexOf, GoesOnAsIfItHadBeenBuiltAtOnce) {
  TestRandom random(4);
  const RowWorld world = world_of(random, GetParam());
  const RowIndex whole = row_of(world);
  for (int cut = 0; cut < 12; ++cut) {
    const auto from = static_cast<std::size_t>(random.integer(0, world.spans.size() - 1));
    RowIndex row(whole, world.spans[from].position, world.times());
    ASSERT_EQ(row.size(), from);
    for (std::size_t entry = from; entry < world.spans.size(); ++entry)
      row.append(world.spans[entry].position, world.spans[entry].begin_ns,
                 world.spans[entry].end_ns);
    row.finish();
    EXPECT_EQ(row.size(), whole.size());
    EXPECT_EQ(row.busy_ns(), whole.busy_ns());
    EXPECT_EQ(row.covered_until_ns(), whole.covered_until_ns());
    EXPECT_EQ(row.overlapping(), whole.overlapping());
    EXPECT_EQ(row.held_bytes(), whole.held_bytes());
    RowCursor one(row, world.times());
    RowCursor other(whole, world.times());
    for (int look = 0; look < 300; ++look) {
      const auto entry = static_cast<std::size_t>(random.integer(0, row.size() - 1));
      ASSERT_EQ(one.position(entry), other.position(entry));
      const std::int64_t time = world.spans[entry].begin_ns + random.integer(-5, 5);
      ASSERT_EQ(one.before(time).busy_ns, other.before(time).busy_ns);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, RowIndexOf,
    testing::Values(RowTraits{.name = "ADenseRow"}, RowTraits{.name = "AShortRow", .spans = 5},
                    RowTraits{.name = "OneFullBlock", .spans = RowBlock::kMost},
                    RowTraits{.name = "ManyLongSpans", .long_share = 0.2},
                    RowTraits{.name = "EqualSpansWithoutLength", .zero_share = 1, .long_share = 0},
                    RowTraits{.name = "FewSpansOfMany", .spans = 9000, .most_step = 700},
                    RowTraits{.name = "PositionsFarApart", .most_step = 90, .far_share = 0.004},
                    RowTraits{.name = "PositionsVeryFarApart", .spans = 1000, .far_share = 0.05},
                    RowTraits{.name = "OverlappingSpans", .most_gap_ns = 20, .least_gap_ns = -90},
                    RowTraits{
                        .name = "SecondsBetweenSpans", .spans = 6000, .most_gap_ns = 3'000'000'000},
                    RowTraits{.name = "OverlapsOverSeconds",
                              .spans = 6000,
                              .origin_ns = -4'000'000'000'000,
                              .most_gap_ns = 3'000'000'000,
                              .least_gap_ns = -80'000}),
    [](const testing::TestParamInfo<RowTraits>& each) { return each.param.name; });

}  // namespace
}  // namespace quintet::viewer
