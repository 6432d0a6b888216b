// The search held against the oracle on small random steps.
#include "scenarios/lab/mapping_search.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <set>

#include "scenarios/lab/mapping_oracle.h"
#include "scenarios/lab/step_bound.h"
#include "tests/support/random_dag.h"

namespace quintet::test {
namespace {

DeviceModel test_device() {
  DeviceModel device = shipped_device_model();
  device.contention.capacity = 0.95;
  return device;
}

MappedStep random_step(TestRandom& random, std::uint32_t tasks) {
  StepDag dag = random_dag(random, tasks, random.integer(10, 40));
  std::vector<MappedTask> costs;
  for (const DagNode& node : dag.nodes()) {
    costs.push_back({node.weight.alone_ns, static_cast<float>(node.weight.sm_share),
                     static_cast<float>(node.weight.bandwidth_share),
                     static_cast<float>(node.weight.alone_ns * random.real(0.1, 1)),
                     random.integer(0, 9) == 0,
                     static_cast<std::uint64_t>(random.integer(0, 8)) * 64});
  }
  return {std::move(dag), std::move(costs), test_device(), {5000, 0, 1}};
}

constexpr std::array kStreams = {StreamKind::COMP_1, StreamKind::COMP_2, StreamKind::COMP_3};

/// Every assignment, every order and every order of priorities, without a bound. Which stream is
/// the urgent one does not matter, as all assignments are tried.
double best_by_force(MappedStep& step) {
  const std::uint32_t count = step.dag().size();
  std::size_t assignments = 1;
  for (std::uint32_t task = 0; task < count; ++task)
    assignments *= kStreams.size();
  constexpr std::array<std::array<int, 3>, 4> kPriorities = {
      {{0, 0, 0}, {-1, 0, 0}, {-1, -1, 0}, {-2, -1, 0}}};
  double best = std::numeric_limits<double>::infinity();
  StepMapping tried;
  tried.order.resize(count);
  std::iota(tried.order.begin(), tried.order.end(), 0U);
  tried.streams.resize(count);
  do {
    for (std::size_t code = 0; code < assignments; ++code) {
      std::size_t rest = code;
      for (StreamKind& stream : tried.streams) {
        stream = kStreams[rest % kStreams.size()];
        rest /= kStreams.size();
      }
      for (const auto& priorities : kPriorities) {
        for (std::size_t at = 0; at < kStreams.size(); ++at)
          tried.priorities[index_of(kStreams[at])] = priorities[at];
        best = std::min(best, step.step_ns(tried));
      }
    }
  } while (std::next_permutation(tried.order.begin(), tried.order.end()));
  return best;
}

TEST(MappingOracle, FindsWhatTryingEverythingFinds) {
  TestRandom random(11);
  for (int round = 0; round < 20; ++round) {
    MappedStep step = random_step(random, static_cast<std::uint32_t>(random.integer(1, 5)));
    const auto best = best_mapping(step, kStreams, one_stream(step.dag()), 1'000'000);
    ASSERT_TRUE(best) << to_string(best.error());
    EXPECT_DOUBLE_EQ(best->step_ns, best_by_force(step)) << "round " << round;
    EXPECT_DOUBLE_EQ(step.step_ns(best->mapping), best->step_ns);
    EXPECT_GE(best->step_ns, step_bound(step, 0).ns() * (1 - 1e-9));
  }
}

TEST(MappingOracle, RefusesWhatItCannotFinish) {
  TestRandom random(12);
  MappedStep large = random_step(random, kOracleTasks + 1);
  EXPECT_FALSE(best_mapping(large, kStreams, one_stream(large.dag()), 1'000'000));
  MappedStep loose(StepDag(std::vector<DagNode>(8), {}), std::vector<MappedTask>(8, {1000, 0.1F}),
                   test_device(), {});
  const auto unknown = best_mapping(loose, kStreams, one_stream(loose.dag()), 3);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("the best is not known"), std::string::npos);
}

TEST(MappingSearch, FindsTheBestOfNearlyAllSmallStepsAndNearlyTheBestOfAll) {
  TestRandom random(13);
  int compared = 0;
  int optimal = 0;
  double worst = 1;
  for (int round = 0; round < 240; ++round) {
    MappedStep step = random_step(random, static_cast<std::uint32_t>(random.integer(4, 8)));
    SearchOptions options;
    options.candidates = 32'000;
    options.seed = static_cast<std::uint64_t>(round);
    const std::vector<StepMapping> starts = {one_stream(step.dag())};
    const SearchResult found = search_mappings(step, starts, options);
    ASSERT_FALSE(found.best.empty());
    const auto best = best_mapping(step, kStreams, found.best.front().mapping, 3'000'000);
    if (!best) continue;
    ++compared;
    const double ratio = found.best.front().step_ns / best->step_ns;
    worst = std::max(worst, ratio);
    if (ratio <= 1 + 1e-12) ++optimal;
  }
  RecordProperty("compared", compared);
  RecordProperty("optimal", optimal);
  RecordProperty("worst", std::to_string(worst));
  EXPECT_GE(compared, 200);
  EXPECT_GE(optimal * 100, compared * 95);
  EXPECT_LE(worst, 1.02);
}

TEST(MappingSearch, GivesTheSameAnswerForTheSameSeedAndBudget) {
  TestRandom random(14);
  MappedStep step = random_step(random, 30);
  SearchOptions options;
  options.candidates = 3000;
  const std::vector<StepMapping> starts = {one_stream(step.dag())};
  const SearchResult first = search_mappings(step, starts, options);
  const SearchResult second = search_mappings(step, starts, options);
  ASSERT_EQ(first.best.size(), second.best.size());
  EXPECT_EQ(first.candidates, second.candidates);
  for (std::size_t at = 0; at < first.best.size(); ++at) {
    EXPECT_EQ(first.best[at].mapping.streams, second.best[at].mapping.streams);
    EXPECT_EQ(first.best[at].mapping.order, second.best[at].mapping.order);
    EXPECT_EQ(first.best[at].mapping.priorities, second.best[at].mapping.priorities);
  }
}

TEST(MappingSearch, IsNeverWorseThanItsStartsAndListsAFrontOfTimeAndMemory) {
  TestRandom random(15);
  for (int round = 0; round < 20; ++round) {
    MappedStep step = random_step(random, static_cast<std::uint32_t>(random.integer(2, 40)));
    const std::vector<StepMapping> starts = {one_stream(step.dag())};
    const double start = step.step_ns(starts[0]);
    SearchOptions options;
    options.candidates = 1000;
    const SearchResult found = search_mappings(step, starts, options);
    ASSERT_FALSE(found.best.empty());
    EXPECT_LE(found.best.front().step_ns, start);
    for (std::size_t at = 0; at < found.best.size(); ++at) {
      const FoundMapping& each = found.best[at];
      EXPECT_DOUBLE_EQ(step.step_ns(each.mapping), each.step_ns);
      EXPECT_EQ(step.workspace_bytes(each.mapping.streams), each.workspace_bytes);
    }
  }
}

TEST(MappingSearch, GivesNoPriorityThatSaysNothing) {
  TestRandom random(18);
  for (int round = 0; round < 20; ++round) {
    MappedStep step = random_step(random, static_cast<std::uint32_t>(random.integer(2, 12)));
    SearchOptions options;
    options.candidates = 1000;
    StepMapping start = one_stream(step.dag());
    start.priorities.fill(-3);
    const std::vector<StepMapping> starts = {start};
    for (const FoundMapping& found : search_mappings(step, starts, options).best) {
      std::set<int> levels;
      for (const StreamKind stream : found.mapping.streams)
        levels.insert(found.mapping.priorities[index_of(stream)]);
      EXPECT_EQ(*levels.rbegin(), 0);
      EXPECT_EQ(*levels.begin(), 1 - static_cast<int>(levels.size()));
    }
  }
}

TEST(MappingSearch, KeepsToALimitOfMemory) {
  TestRandom random(16);
  MappedStep step = random_step(random, 20);
  const std::vector<StepMapping> starts = {one_stream(step.dag())};
  SearchOptions options;
  options.candidates = 4000;
  options.most_workspace_bytes = step.workspace_bytes(starts[0].streams);
  for (const FoundMapping& found : search_mappings(step, starts, options).best)
    EXPECT_LE(found.workspace_bytes, options.most_workspace_bytes);
}

TEST(MappingSearch, StopsWhenItIsToldTo) {
  TestRandom random(17);
  MappedStep step = random_step(random, 30);
  const std::vector<StepMapping> starts = {one_stream(step.dag())};
  std::uint64_t asked_at = 0;
  const SearchResult found =
      search_mappings(step, starts, {}, [&](std::uint64_t candidates, double best_ns) {
        EXPECT_GT(best_ns, 0);
        asked_at = candidates;
        return candidates < 1000;
      });
  EXPECT_GE(asked_at, 1000U);
  EXPECT_FALSE(found.best.empty());
}

TEST(MappingSearch, EndsOnAStepThatOffersNoMove) {
  std::vector<DagNode> nodes(1);
  nodes[0].fixed = StreamKind::TRANS;
  MappedStep step(StepDag(nodes, {}), std::vector<MappedTask>(1), test_device(), {});
  const std::vector<StepMapping> starts = {one_stream(step.dag())};
  EXPECT_EQ(search_mappings(step, starts, {}).best.size(), 1U);
}

}  // namespace
}  // namespace quintet::test
