// Which buffers may lie on common bytes: by hand, and over random steps against a plain oracle.
#include "runtime/policy/feature_lifetimes.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "runtime/policy/memory_planner.h"
#include "runtime/policy/sync_planner.h"
#include "tests/support/random_step.h"
#include "tests/support/sanitizers.h"

namespace quintet::test {
namespace {

constexpr std::array<std::uint64_t, kStreamCount> kWorkspace = {64, 64, 64, 64, 64};
constexpr std::uint64_t kSteps = kAddressSanitizer ? 500 : 2000;

MemoryPlan plan_of(const TensorStep& step, GradientMode gradients, FeatureSharing sharing) {
  return plan_memory(step.tensors, step.tasks, gradients, kWorkspace, sharing);
}

bool overlap(const Placement& a, const Placement& b) {
  return a.region == b.region && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

/// The order that the data demands of a step of one slot: [earlier][later] by TaskId.
std::vector<std::vector<bool>> oracle_of_data(const TensorStep& step, const MemoryPlan& apart,
                                              BufferSlot slot) {
  const std::size_t count = step.tasks.size();
  std::vector<std::vector<bool>> before(count, std::vector<bool>(count));
  const auto runs = [&](std::size_t task) {
    return slot_of(step.tasks[task].graph) != other(slot);
  };
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      before[a][b] = runs(a) && runs(b) &&
                     oracle_conflict(operand_accesses(step.tasks[a], apart),
                                     operand_accesses(step.tasks[b], apart))
                         .exists;
    }
  }
  for (std::size_t middle = 0; middle < count; ++middle) {
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b)
        before[a][b] = before[a][b] || (before[a][middle] && before[middle][b]);
    }
  }
  return before;
}

/// The tasks of a slot's step that touch the bytes of a tensor in `apart`.
std::vector<std::size_t> touching(const TensorStep& step, const MemoryPlan& apart, TensorId tensor,
                                  BufferSlot slot) {
  std::vector<std::size_t> found;
  for (const Task& task : step.tasks) {
    if (slot_of(task.graph) == other(slot)) continue;
    const bool touches =
        std::any_of(task.operands.begin(), task.operands.end(), [&](const Operand& operand) {
          return overlap(apart.placement(std::get<TensorId>(operand.target)),
                         apart.placement(tensor));
        });
    if (touches) found.push_back(task.id.value());
  }
  return found;
}

/// Calls `check(step, gradients)` for many random steps in both gradient modes.
template <class Check>
void for_each_step(Check&& check) {
  for (std::uint64_t index = 0; index < kSteps; ++index) {
    const TensorStep step = random_step(recipe(index));
    for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
      SCOPED_TRACE(testing::Message() << "recipe " << index << " " << name_of(gradients));
      check(step, gradients);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

/// Checks that two tensors that lie apart in `apart` may share the bytes they share.
void check_pair(const TensorStep& step, const MemoryPlan& apart, TensorId a, TensorId b,
                const std::array<std::vector<std::vector<bool>>, 2>& before) {
  for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
    const auto of_a = touching(step, apart, a, slot);
    const auto of_b = touching(step, apart, b, slot);
    const auto all_before = [&](const auto& first, const auto& second) {
      for (const std::size_t x : first) {
        for (const std::size_t y : second) {
          if (!before[static_cast<std::size_t>(slot)][x][y]) return false;
        }
      }
      return true;
    };
    ASSERT_TRUE(all_before(of_a, of_b) || all_before(of_b, of_a))
        << step.tensors[a].name << " and " << step.tensors[b].name << " in slot " << name_of(slot);
  }
}

TEST(RandomSteps, ShareOnlyBytesThatTheDataKeepsApartInTime) {
  std::size_t shared_pairs = 0;
  for_each_step([&](const TensorStep& step, GradientMode gradients) {
    const MemoryPlan apart = plan_of(step, gradients, FeatureSharing::none);
    const MemoryPlan plan = plan_of(step, gradients, FeatureSharing::by_lifetime);
    const std::array before = {oracle_of_data(step, apart, BufferSlot::A),
                               oracle_of_data(step, apart, BufferSlot::B)};
    for (const Tensor& a : step.tensors.all()) {
      for (const Tensor& b : step.tensors.all()) {
        if (b.id >= a.id || overlap(apart.placement(a.id), apart.placement(b.id))) continue;
        if (!overlap(plan.placement(a.id), plan.placement(b.id))) continue;
        ++shared_pairs;
        check_pair(step, apart, a.id, b.id, before);
      }
    }
  });
  EXPECT_GT(shared_pairs, kSteps / 2);
}

TEST(RandomSteps, ShareNoBytesOfATensorThatAStepReadsBeforeItWritesThem) {
  for_each_step([&](const TensorStep& step, GradientMode gradients) {
    const MemoryPlan plan = plan_of(step, gradients, FeatureSharing::by_lifetime);
    const MemoryPlan apart = plan_of(step, gradients, FeatureSharing::none);
    for (const Tensor& carried : step.tensors.all()) {
      const auto reads_first = [&](BufferSlot slot) {
        const auto tasks = touching(step, apart, carried.id, slot);
        if (tasks.empty()) return false;
        const std::vector<Operand>& operands = step.tasks[tasks[0]].operands;
        return std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
          return reads(operand.mode) && overlap(apart.placement(std::get<TensorId>(operand.target)),
                                                apart.placement(carried.id));
        });
      };
      if (!reads_first(BufferSlot::A) && !reads_first(BufferSlot::B)) continue;
      for (const Tensor& tensor : step.tensors.all()) {
        ASSERT_EQ(overlap(plan.placement(tensor.id), plan.placement(carried.id)),
                  overlap(apart.placement(tensor.id), apart.placement(carried.id)))
            << tensor.name << " and " << carried.name;
      }
    }
  });
}

TEST(RandomSteps, TakeNoMoreBytesThanApartAndNoFewerThanTheBound) {
  std::size_t smaller = 0;
  for_each_step([&](const TensorStep& step, GradientMode gradients) {
    const MemoryPlan apart = plan_of(step, gradients, FeatureSharing::none);
    const MemoryPlan plan = plan_of(step, gradients, FeatureSharing::by_lifetime);
    const std::uint64_t bytes = plan.region(RegionKind::FEATURES).bytes;
    ASSERT_EQ(plan.features_unshared_bytes(), apart.region(RegionKind::FEATURES).bytes);
    ASSERT_LE(bytes, plan.features_unshared_bytes());
    ASSERT_GE(bytes, plan.features_lower_bound_bytes());
    smaller += bytes < plan.features_unshared_bytes() ? 1 : 0;
    for (const Tensor& tensor : step.tensors.all()) {
      ASSERT_EQ(plan.placement(tensor.id).offset % kTensorAlignment, 0U);
      if (tensor.region != RegionKind::FEATURES) {
        ASSERT_EQ(plan.placement(tensor.id).offset, apart.placement(tensor.id).offset);
      }
    }
  });
  EXPECT_GT(smaller, kSteps / 2);
}

TEST(RandomSteps, AreLaidOutAlikeEveryTime) {
  for_each_step([&](const TensorStep& step, GradientMode gradients) {
    const MemoryPlan once = plan_of(step, gradients, FeatureSharing::by_lifetime);
    const MemoryPlan again = plan_of(step, gradients, FeatureSharing::by_lifetime);
    for (const Tensor& tensor : step.tensors.all())
      ASSERT_EQ(once.placement(tensor.id).offset, again.placement(tensor.id).offset);
  });
}

/// The graph with the edges that `rule` gives under that memory plan; nothing where its issue order
/// is against the conflicts.
std::optional<TaskGraph> planned(const TensorStep& step, const std::vector<PlacedTask>& placed,
                                 const MemoryPlan& plan, SyncRule rule) {
  std::vector<StreamKind> streams(step.tasks.size());
  for (const PlacedTask& task : step.placed)
    streams[task.task.value()] = task.stream;
  std::vector<std::vector<Access>> accesses;
  for (const Task& task : step.tasks)
    accesses.push_back(resolve_accesses(task, streams[task.id.value()], plan));
  const auto edges =
      plan_sync({.tasks = step.tasks, .accesses = accesses, .placed = placed, .rule = rule});
  if (!edges) return std::nullopt;
  TaskGraph graph;
  graph.tasks = placed;
  graph.edges = *edges;
  return graph;
}

std::vector<std::pair<TaskId, TaskId>> ends_of(const TaskGraph& graph) {
  std::vector<std::pair<TaskId, TaskId>> ends;
  for (const Edge& edge : graph.edges)
    ends.emplace_back(edge.from, edge.to);
  return ends;
}

TEST(RandomSteps, WaitForNothingMoreBecauseBytesAreShared) {
  std::size_t compared = 0;
  for_each_step([&](const TensorStep& step, GradientMode gradients) {
    const MemoryPlan apart = plan_of(step, gradients, FeatureSharing::none);
    const MemoryPlan shared = plan_of(step, gradients, FeatureSharing::by_lifetime);
    std::vector<std::vector<PlacedTask>> graphs = {of_slot(step, BufferSlot::A),
                                                   of_slot(step, BufferSlot::B)};
    for (const GraphId graph : all_graph_ids())
      graphs.push_back(of_graph(step, graph));
    for (const std::vector<PlacedTask>& placed : graphs) {
      if (placed.empty()) continue;
      const auto expected = planned(step, placed, apart, SyncRule::dataflow);
      const auto found = planned(step, placed, shared, SyncRule::dataflow);
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!found) continue;
      ASSERT_EQ(ends_of(*found), ends_of(*expected));
      const auto all = [&](SyncRule rule, const MemoryPlan& plan) {
        const auto graph = planned(step, placed, plan, rule);
        return oracle_order(*graph, graph->edges.size());
      };
      ASSERT_EQ(all(SyncRule::adjacent_conflicts, shared),
                all(SyncRule::adjacent_conflicts, apart));
      ++compared;
    }
  });
  EXPECT_GT(compared, 2 * kSteps);
}

/// Tensors of one shape and tasks that take them, in the sub-graphs of a training step.
struct Step : testing::Test {
  TensorTable tensors;
  std::vector<Task> tasks;

  TensorId feature(const std::string& name, std::int64_t floats = 16) {
    return tensors.add({.name = name, .shape = {floats}, .variant = kStepShape});
  }
  void run(GraphId graph, std::vector<Operand> operands, ShapeId shape = kStepShape) {
    Task task;
    task.id = TaskId(static_cast<std::uint32_t>(tasks.size()));
    task.name = "task" + std::to_string(task.id.value());
    task.graph = graph;
    task.shape = shape;
    task.operands = std::move(operands);
    tasks.push_back(std::move(task));
  }
  void deep(std::vector<Operand> operands) { run(GraphId::DEEP_FWD_BWD, std::move(operands)); }
  [[nodiscard]] bool share(TensorId a, TensorId b) const {
    const MemoryPlan plan = plan_memory(tensors, tasks, GradientMode::separate, {});
    return overlap(plan.placement(a), plan.placement(b));
  }

  static Operand in(TensorId tensor) { return {tensor, AccessMode::read}; }
  static Operand out(TensorId tensor) { return {tensor, AccessMode::write}; }
};

TEST_F(Step, SharesTheBytesOfATensorThatIsDeadBeforeTheOtherIsBorn) {
  const TensorId a = feature("a");
  const TensorId b = feature("b");
  const TensorId c = feature("c");
  deep({out(a)});
  deep({in(a), out(b)});
  deep({in(b), out(c)});
  EXPECT_TRUE(share(a, c));
  EXPECT_FALSE(share(a, b)) << "the task that reads a writes b";
  EXPECT_FALSE(share(b, c));
}

TEST_F(Step, KeepsApartWhatOnlyProgramOrderKeepsApart) {
  const TensorId a = feature("a");
  const TensorId b = feature("b");
  deep({out(a)});
  deep({in(a)});
  deep({out(b)});
  deep({in(b)});
  EXPECT_FALSE(share(a, b)) << "another policy may run the two beside each other";
}

TEST_F(Step, KeepsApartATensorThatNobodyReadsFromWhatItsWriterMayRunBeside) {
  const TensorId a = feature("a");
  const TensorId unread = feature("unread");
  const TensorId c = feature("c");
  deep({out(a)});
  deep({in(a), out(unread)});
  deep({in(a), out(c)});
  EXPECT_FALSE(share(unread, c));
}

TEST_F(Step, KeepsApartWhatAReaderOfALaterSubGraphStillReads) {
  const TensorId loss = feature("loss");
  const TensorId b = feature("b");
  const TensorId c = feature("c");
  const TensorId d = feature("d");
  deep({out(loss), out(b)});
  deep({in(b), in(loss), out(c)});
  deep({in(c), out(d)});
  EXPECT_TRUE(share(loss, d));
  run(GraphId::METRICS_A, {in(loss)});
  EXPECT_FALSE(share(loss, d));
}

TEST_F(Step, OrdersNothingByWayOfATwin) {
  const TensorId a = feature("a");
  const TensorId b = feature("b");
  const TensorId c = feature("c");
  run(GraphId::FIRST_LAYER_FWD_A, {out(a)});
  run(GraphId::FIRST_LAYER_FWD_B, {out(a)});
  run(GraphId::FIRST_LAYER_FWD_A, {in(a), out(b)});
  run(GraphId::FIRST_LAYER_FWD_B, {out(b)});
  deep({in(b), out(c)});
  EXPECT_FALSE(share(a, c)) << "in a step of slot B nothing reads a before c is written";
}

TEST_F(Step, SharesWhatBothTwinsKeepApart) {
  const TensorId a = feature("a");
  const TensorId b = feature("b");
  const TensorId c = feature("c");
  for (const GraphId graph : {GraphId::FIRST_LAYER_FWD_A, GraphId::FIRST_LAYER_FWD_B}) {
    run(graph, {out(a)});
    run(graph, {in(a), out(b)});
  }
  deep({in(b), out(c)});
  EXPECT_TRUE(share(a, c));
}

TEST_F(Step, SharesWhatOnlyAlternativesTouch) {
  const TensorId a = feature("a");
  const TensorId b = feature("b");
  run(GraphId::INF_MAIN_A, {out(a)});
  run(GraphId::INF_MAIN_B, {out(b)});
  EXPECT_TRUE(share(a, b)) << "a step runs one of the two";
}

TEST_F(Step, KeepsApartWhatCarriesBytesFromStepToStep) {
  const TensorId a = feature("a");
  const TensorId b = feature("b");
  const TensorId carried = feature("carried");
  deep({out(a)});
  deep({in(a), out(b)});
  deep({in(b), {carried, AccessMode::update}});
  EXPECT_FALSE(share(a, carried));
}

TEST_F(Step, KeepsApartWhatItsFirstTaskMayNotWriteWhole) {
  const TensorId a = feature("a");
  const TensorId b = feature("b");
  const TensorId some = feature("some");
  deep({out(a)});
  deep({in(a), out(b)});
  deep({in(b), {some, AccessMode::write, AccessBound::upper}});
  EXPECT_FALSE(share(a, some)) << "it keeps bytes of the step before";
}

TEST_F(Step, KeepsApartWhatATaskOfNoShapeTouches) {
  const TensorId a = feature("a");
  const TensorId b = feature("b");
  const TensorId c = feature("c");
  deep({out(a)});
  deep({in(a), out(b)});
  deep({in(b), out(c)});
  run(GraphId::OPTIMIZER, {in(a)}, kAnyShape);
  EXPECT_FALSE(share(a, c));
}

TEST_F(Step, KeepsAllApartWhereATaskTakesTheWholeRegion) {
  const TensorId a = feature("a");
  const TensorId b = feature("b");
  const TensorId c = feature("c");
  deep({out(a)});
  deep({in(a), out(b)});
  deep({in(b), out(c)});
  run(GraphId::ZERO_GRAD, {{RegionKind::FEATURES, AccessMode::write}}, kAnyShape);
  EXPECT_FALSE(share(a, c));
}

TEST_F(Step, GivesNoBytesOfItsOwnToWhatNoTaskTouches) {
  const TensorId a = feature("a");
  const TensorId b = feature("b");
  const TensorId untouched = feature("untouched");
  deep({out(a), out(b)});
  deep({in(a), in(b)});
  EXPECT_FALSE(share(a, b));
  EXPECT_TRUE(share(a, untouched) || share(b, untouched));
}

TEST_F(Step, AGradientInPlaceLivesAsLongAsBothOfThem) {
  const TensorId x = feature("x");
  const TensorId y = feature("y");
  const TensorId dx = tensors.add({.name = "dx",
                                   .shape = {16},
                                   .role = TensorRole::activation_gradient,
                                   .variant = kStepShape,
                                   .gradient_of = x});
  const TensorId z = feature("z");
  deep({out(x)});
  deep({in(x), out(y)});
  deep({in(y), out(z)});
  deep({in(z), out(dx)});
  const MemoryPlan in_place = plan_memory(tensors, tasks, GradientMode::in_place, {});
  EXPECT_TRUE(overlap(in_place.placement(x), in_place.placement(dx)));
  EXPECT_FALSE(overlap(in_place.placement(x), in_place.placement(z)));
  const MemoryPlan separate = plan_memory(tensors, tasks, GradientMode::separate, {});
  EXPECT_TRUE(overlap(separate.placement(x), separate.placement(z)));
}

}  // namespace
}  // namespace quintet::test
