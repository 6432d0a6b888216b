// The simulator against a longest-path recursion where nothing contends, and against what must hold
// whatever contends: work is kept, queues do not overlap, edges are respected, nobody runs faster
// than alone.
#include "profiler/whatif/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "tests/support/random.h"

namespace quintet {
namespace {

/// Edges go forward in the issue order, which is shuffled over the nodes.
SimGraph random_graph(std::uint64_t seed, bool contending) {
  TestRandom random(seed);
  const auto count = static_cast<SimIndex>(random.integer(1, 40));
  const std::int64_t queues = random.integer(1, 5);
  SimGraph graph;
  graph.nodes.resize(count);
  for (SimNode& node : graph.nodes) {
    node.work_ns = random.integer(0, 9) == 0 ? 0 : random.real(1, 1000);
    node.queue = static_cast<std::uint16_t>(random.integer(0, queues - 1));
    node.queue_gap_ns = static_cast<float>(random.real(0, 50));
    if (contending) {
      node.sm_share = static_cast<float>(random.real(0, 1));
      node.bandwidth_share = static_cast<float>(random.real(0, 1));
      node.priority = sim_priority(static_cast<int>(random.integer(-2, 0)));
      node.block_ns = static_cast<float>(node.work_ns * random.real(0, 1));
    }
  }
  graph.order.resize(count);
  std::iota(graph.order.begin(), graph.order.end(), 0);
  std::shuffle(graph.order.begin(), graph.order.end(), random.engine());
  const std::int64_t edges = random.integer(0, 2 * count);
  for (std::int64_t edge = 0; edge < edges && count > 1; ++edge) {
    const std::int64_t from = random.integer(0, count - 2);
    const std::int64_t to = random.integer(from + 1, count - 1);
    graph.edges.push_back({graph.order[static_cast<std::size_t>(from)],
                           graph.order[static_cast<std::size_t>(to)],
                           static_cast<float>(random.real(0, 80))});
  }
  graph.seal();
  return graph;
}

/// Ends of the nodes with nobody contending: the longest path, in issue order.
std::vector<double> longest_paths(const SimGraph& graph) {
  std::vector<double> begin(graph.nodes.size(), 0);
  std::vector<double> end(graph.nodes.size(), 0);
  std::map<std::uint16_t, double> queue_end;
  for (const SimIndex node : graph.order) {
    const SimNode& what = graph.nodes[node];
    if (const auto last = queue_end.find(what.queue); last != queue_end.end()) {
      begin[node] = std::max(begin[node], last->second + static_cast<double>(what.queue_gap_ns));
    }
    for (const SimEdge& edge : graph.edges) {
      if (edge.to != node || graph.nodes[edge.from].queue == what.queue) continue;
      begin[node] = std::max(begin[node], end[edge.from] + static_cast<double>(edge.gap_ns));
    }
    end[node] = begin[node] + what.work_ns;
    queue_end[what.queue] = end[node];
  }
  return end;
}

TEST(Simulator, TakesTheLongestPathWhereNothingContends) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const SimGraph graph = random_graph(seed, false);
    SimTimes times;
    const SimResult result = Simulator(ContentionModel{}).run(graph, &times);
    ASSERT_TRUE(result.complete) << seed;
    const std::vector<double> ends = longest_paths(graph);
    for (SimIndex node = 0; node < ends.size(); ++node)
      ASSERT_NEAR(times.end_ns[node], ends[node], 1e-3) << "seed " << seed << " node " << node;
    ASSERT_NEAR(result.makespan_ns, *std::max_element(ends.begin(), ends.end()), 1e-3) << seed;
  }
}

TEST(Simulator, RespectsQueuesAndEdgesAndNeverRunsFasterThanAlone) {
  ContentionModel contention;
  contention.capacity = 0.9;
  contention.mixed_gain = 0.2;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    contention.sharing = seed % 2 == 0 ? Sharing::first_come : Sharing::fair;
    const SimGraph graph = random_graph(seed, true);
    SimTimes times;
    ASSERT_TRUE(Simulator(contention).run(graph, &times).complete) << seed;
    for (SimIndex node = 0; node < graph.nodes.size(); ++node) {
      ASSERT_GE(times.end_ns[node] - times.begin_ns[node], graph.nodes[node].work_ns - 1e-3)
          << seed;
    }
    for (const SimEdge& edge : graph.edges) {
      const bool same = graph.nodes[edge.from].queue == graph.nodes[edge.to].queue;
      const double gap = same ? 0 : static_cast<double>(edge.gap_ns);
      ASSERT_GE(times.begin_ns[edge.to], times.end_ns[edge.from] + gap - 1e-3) << seed;
    }
    std::map<std::uint16_t, double> queue_end;
    for (const SimIndex node : graph.order) {
      const SimNode& what = graph.nodes[node];
      const auto [last, first] = queue_end.try_emplace(what.queue, 0);
      if (!first) {
        ASSERT_GE(times.begin_ns[node],
                  last->second + static_cast<double>(what.queue_gap_ns) - 1e-3);
      }
      last->second = times.end_ns[node];
    }
  }
}

TEST(Simulator, KeepsTheWorkOfFullTasksWhateverTheirOrder) {
  // Four tasks that each want the whole device, on four queues: together as long as one after the
  // other, whoever comes first.
  SimGraph graph;
  for (std::uint16_t queue = 0; queue < 4; ++queue) {
    SimNode node;
    node.work_ns = 100.0 * (queue + 1);
    node.sm_share = 1;
    node.queue = queue;
    node.priority = sim_priority(-(queue % 3));
    node.block_ns = 30;
    graph.nodes.push_back(node);
    graph.order.push_back(queue);
  }
  graph.seal();
  for (const Sharing sharing : {Sharing::first_come, Sharing::fair}) {
    ContentionModel contention;
    contention.sharing = sharing;
    EXPECT_NEAR(Simulator(contention).run(graph).makespan_ns, 1000, 1e-6) << name_of(sharing);
    contention.capacity = 0.5;
    // The last one runs alone at the end under both: at full rate.
    EXPECT_GT(Simulator(contention).run(graph).makespan_ns, 1000) << name_of(sharing);
  }
}

TEST(Simulator, GivesWhatIsLeftToWhoComesLater) {
  SimGraph graph;
  graph.nodes.resize(2);
  graph.nodes[0] = {.work_ns = 100, .sm_share = 0.75F, .queue = 0};
  graph.nodes[1] = {.work_ns = 100, .sm_share = 0.5F, .queue = 1};
  graph.order = {0, 1};
  graph.seal();
  SimTimes times;
  Simulator(ContentionModel{}).run(graph, &times);
  EXPECT_NEAR(times.end_ns[0], 100, 1e-6);
  EXPECT_NEAR(times.end_ns[1], 150, 1e-6);  // half its rate for 100 ns, then all of it
  ContentionModel fair;
  fair.sharing = Sharing::fair;
  Simulator(fair).run(graph, &times);
  EXPECT_NEAR(times.end_ns[0], 125, 1e-6);
  EXPECT_NEAR(times.end_ns[1], 125, 1e-6);
}

/// One task that fills the device from the begin on, and another that fills it from `later_ns` on.
SimGraph two_full_tasks(double later_ns, std::int8_t later_priority, float block_ns) {
  SimGraph graph;
  graph.nodes.resize(3);
  graph.nodes[1] = {.work_ns = 1000, .sm_share = 1, .queue = 1, .priority = later_priority};
  graph.nodes[2] = {.work_ns = 10'000, .sm_share = 1, .block_ns = block_ns, .queue = 2};
  graph.order = {0, 1, 2};
  graph.edges = {{0, 1, static_cast<float>(later_ns)}};
  graph.seal();
  return graph;
}

TEST(Simulator, FindsRoomForATaskOfAFewBlocks) {
  SimGraph graph = two_full_tasks(4000, 1, 0);
  graph.nodes[1].sm_share = 0.03F;
  SimTimes times;
  Simulator(ContentionModel{}).run(graph, &times);
  EXPECT_NEAR(times.end_ns[1], 5030, 1);  // 3 % more than the device has, shared by all
  EXPECT_NEAR(times.end_ns[2], 10'030, 1);
}

TEST(Simulator, ServesWhatBeginsTogetherInTheOrderOfIssue) {
  SimTimes times;
  Simulator simulator{ContentionModel{}};
  simulator.run(two_full_tasks(400, 0, 0), &times);
  EXPECT_NEAR(times.end_ns[1], 1400, 1e-3);
  EXPECT_NEAR(times.end_ns[2], 11'000, 1e-3);
  SimGraph issued_later = two_full_tasks(400, 0, 0);
  issued_later.order = {0, 2, 1};
  simulator.run(issued_later, &times);
  EXPECT_NEAR(times.end_ns[2], 10'000, 1e-3);
  EXPECT_NEAR(times.end_ns[1], 11'000, 1e-3);
  simulator.run(two_full_tasks(4000, 0, 0), &times);  // no longer together
  EXPECT_NEAR(times.end_ns[2], 10'000, 1e-3);
  EXPECT_NEAR(times.end_ns[1], 11'000, 1e-3);
}

TEST(Simulator, LetsTheMoreUrgentPassOnceBlocksHaveEnded) {
  SimTimes times;
  Simulator simulator{ContentionModel{}};
  simulator.run(two_full_tasks(4000, -1, 1000), &times);
  EXPECT_NEAR(times.end_ns[1], 5500, 1e-3);
  EXPECT_NEAR(times.end_ns[2], 11'000, 1e-3);
  simulator.run(two_full_tasks(6000, -1, 10'000), &times);  // they end with it
  EXPECT_NEAR(times.end_ns[2], 10'000, 1e-3);
  EXPECT_NEAR(times.end_ns[1], 11'000, 1e-3);
  SimGraph issued_later = two_full_tasks(400, -1, 10'000);
  issued_later.order = {0, 2, 1};
  simulator.run(issued_later, &times);  // of what begins together the more urgent is first
  EXPECT_NEAR(times.end_ns[1], 1400, 1e-3);
  simulator.run(two_full_tasks(4000, 1, 0), &times);  // the less urgent never passes
  EXPECT_NEAR(times.end_ns[1], 11'000, 1e-3);
}

TEST(Simulator, PutsTheMoreUrgentBeforeWhatStillWaitsForRoom) {
  SimGraph graph;
  graph.nodes.resize(5);
  graph.nodes[1] = {.work_ns = 10'000, .sm_share = 1, .queue = 1, .priority = -1};
  graph.nodes[2] = {.work_ns = 5000, .sm_share = 1, .block_ns = 5000, .queue = 2};
  graph.nodes[3] = {.work_ns = 1000, .sm_share = 1, .queue = 3, .priority = -1};
  graph.order = {0, 1, 2, 3, 4};
  graph.edges = {{0, 2, 2000}, {0, 3, 9000}};
  graph.seal();
  SimTimes times;
  Simulator simulator{ContentionModel{}};
  simulator.run(graph, &times);
  EXPECT_NEAR(times.end_ns[1], 10'000, 1e-3);
  EXPECT_NEAR(times.end_ns[3], 11'000, 1e-3);  // node 2 has no block there that could hold it up
  EXPECT_NEAR(times.end_ns[2], 16'000, 1e-3);
  // Two that pass at one moment go by urgency.
  graph.nodes[1].work_ns = 0;
  graph.nodes[2].block_ns = 1000;
  graph.nodes[4] = {.work_ns = 1000, .sm_share = 1, .queue = 4, .priority = -2};
  graph.edges = {{0, 3, 4000}, {0, 4, 4000}};
  graph.seal();
  simulator.run(graph, &times);
  EXPECT_NEAR(times.end_ns[4], 5500, 1e-3);
  EXPECT_NEAR(times.end_ns[3], 6500, 1e-3);
  EXPECT_NEAR(times.end_ns[2], 7000, 1e-3);
}

TEST(Simulator, SaysThatACycleKeptItFromTheEnd) {
  SimGraph graph;
  graph.nodes.resize(2);
  graph.nodes[0].queue = 0;
  graph.nodes[1].queue = 1;
  graph.order = {0, 1};
  graph.edges = {{0, 1, 0}, {1, 0, 0}};
  graph.seal();
  EXPECT_FALSE(Simulator(ContentionModel{}).run(graph).complete);
}

TEST(Simulator, MeasuresASteadyStepBetweenEnds) {
  SimGraph graph;
  for (SimIndex step = 0; step < 4; ++step) {
    SimNode node;
    node.work_ns = step == 0 ? 1000 : 100;
    node.queue = 0;
    graph.nodes.push_back(node);
    graph.order.push_back(step);
    graph.step_ends.push_back(step);
  }
  graph.seal();
  EXPECT_NEAR(Simulator(ContentionModel{}).run(graph).step_ns, 100, 1e-6);
  graph.least_step_ns = 250;
  EXPECT_NEAR(Simulator(ContentionModel{}).run(graph).step_ns, 250, 1e-6);
  graph.step_ends.clear();
  graph.between_steps_ns = 7;
  EXPECT_NEAR(Simulator(ContentionModel{}).run(graph).step_ns, 1307, 1e-6);
}

TEST(Simulator, GivesTheSameResultInEveryRun) {
  const SimGraph graph = random_graph(7, true);
  Simulator simulator{ContentionModel{}};
  const double first = simulator.run(graph).makespan_ns;
  simulator.run(random_graph(8, true));
  EXPECT_EQ(simulator.run(graph).makespan_ns, first);
}

}  // namespace
}  // namespace quintet
