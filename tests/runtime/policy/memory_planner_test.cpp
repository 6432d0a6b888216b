#include "runtime/policy/memory_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace quintet {
namespace {

using testing::HasSubstr;

constexpr std::array<std::uint64_t, kStreamCount> kNoWorkspace{};
constexpr ShapeId kTrain{1};
constexpr ShapeId kTail{2};

Task task(std::string name, std::vector<Operand> operands) {
  Task made;
  made.name = std::move(name);
  made.operands = std::move(operands);
  return made;
}

TensorId add_activation(TensorTable& tensors, std::string name, std::int64_t elements,
                        ShapeId variant = kTrain) {
  return tensors.add({.name = std::move(name),
                      .shape = {elements},
                      .role = TensorRole::activation,
                      .variant = variant});
}

TensorId add_gradient(TensorTable& tensors, std::string name, std::int64_t elements,
                      TensorId activation) {
  return tensors.add({.name = std::move(name),
                      .shape = {elements},
                      .role = TensorRole::activation_gradient,
                      .variant = kTrain,
                      .gradient_of = activation});
}

bool same_bytes(const MemoryPlan& plan, TensorId a, TensorId b) {
  return plan.placement(a).region == plan.placement(b).region &&
         plan.placement(a).offset == plan.placement(b).offset;
}

TEST(MemoryPlanner, GivesEachStreamTheWorkspaceItAsksFor) {
  const MemoryPlan plan = plan_memory({}, {}, GradientMode::separate, {0, 1, 64, 65, 0});
  EXPECT_EQ(plan.workspace(StreamKind::TRANS).bytes, 0U);
  EXPECT_EQ(plan.workspace(StreamKind::COMP_1).bytes, 64U);
  EXPECT_EQ(plan.workspace(StreamKind::COMP_2).bytes, 64U);
  EXPECT_EQ(plan.workspace(StreamKind::COMP_3).bytes, 128U);
  EXPECT_EQ(plan.bytes(MemorySpace::device), 256U);
  EXPECT_EQ(plan.bytes(MemorySpace::host), 0U);
}

TEST(MemoryPlanner, AlignsTensorsTo64BytesWithoutOverlap) {
  TensorTable tensors;
  std::vector<TensorId> ids;
  for (const std::int64_t elements : {1, 16, 17, 100, 3})
    ids.push_back(add_activation(tensors, "t" + std::to_string(elements), elements));
  const MemoryPlan plan =
      plan_memory(tensors, {}, GradientMode::separate, kNoWorkspace, FeatureSharing::none);
  std::set<std::uint64_t> used;  // in pieces of 64 bytes
  for (const TensorId id : ids) {
    const Placement& at = plan.placement(id);
    EXPECT_EQ(at.offset % 64, 0U);
    EXPECT_EQ(at.bytes, tensors[id].bytes());
    for (std::uint64_t piece = at.offset / 64; piece * 64 < at.offset + at.bytes; ++piece)
      EXPECT_TRUE(used.insert(piece).second);
  }
  EXPECT_EQ(plan.region(RegionKind::FEATURES).bytes, used.size() * 64);
}

TEST(MemoryPlanner, LaysWeightsGradientsAndMomentumOutAlike) {
  TensorTable tensors;
  std::vector<std::array<TensorId, 3>> triples;
  const std::array<std::pair<RegionKind, TensorRole>, 3> kinds = {
      std::pair{RegionKind::DEEP_WEIGHTS, TensorRole::weight},
      std::pair{RegionKind::DEEP_GRADIENTS, TensorRole::weight_gradient},
      std::pair{RegionKind::DEEP_MOMENTUM, TensorRole::optimizer_state}};
  for (const std::int64_t elements : {150, 6, 2400, 16}) {
    std::array<TensorId, 3> triple;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      triple[kind] = tensors.add({.name = "w" + std::to_string(elements),
                                  .shape = {elements},
                                  .region = kinds[kind].first,
                                  .role = kinds[kind].second});
    }
    triples.push_back(triple);
  }
  const MemoryPlan plan = plan_memory(tensors, {}, GradientMode::in_place, kNoWorkspace);
  for (const auto& [weight, gradient, momentum] : triples) {
    EXPECT_EQ(plan.placement(weight).offset, plan.placement(gradient).offset);
    EXPECT_EQ(plan.placement(weight).offset, plan.placement(momentum).offset);
  }
  EXPECT_EQ(plan.region(RegionKind::DEEP_WEIGHTS).bytes,
            plan.region(RegionKind::DEEP_GRADIENTS).bytes);
  EXPECT_EQ(plan.region(RegionKind::DEEP_WEIGHTS).bytes,
            plan.region(RegionKind::DEEP_MOMENTUM).bytes);
}

TEST(MemoryPlanner, OverlaysShapeVariantsBehindWhatTheyShare) {
  TensorTable tensors;
  const TensorId train = add_activation(tensors, "train/Y", 64, kTrain);
  const TensorId tail = add_activation(tensors, "tail/Y", 32, kTail);
  const TensorId shared = add_activation(tensors, "shared", 20, kAnyShape);
  const MemoryPlan plan = plan_memory(tensors, {}, GradientMode::separate, kNoWorkspace);
  EXPECT_EQ(plan.placement(shared).offset, 0U);
  EXPECT_EQ(plan.placement(train).offset, 128U);
  EXPECT_EQ(plan.placement(tail).offset, 128U);
  EXPECT_EQ(plan.region(RegionKind::FEATURES).bytes, 128U + 256U);
}

TEST(MemoryPlanner, AViewSharesTheBytesOfItsStorage) {
  TensorTable tensors;
  add_activation(tensors, "first", 10);
  const TensorId pooled = add_activation(tensors, "pool/Y", 48);
  const TensorId flat =
      tensors.add({.name = "flat/Y", .shape = {4, 12}, .variant = kTrain, .view_of = pooled});
  const MemoryPlan plan =
      plan_memory(tensors, {}, GradientMode::separate, kNoWorkspace, FeatureSharing::none);
  EXPECT_TRUE(same_bytes(plan, flat, pooled));
  EXPECT_EQ(plan.region(RegionKind::FEATURES).bytes, 64U + 192U);
}

/// An activation X, its gradient dX and whatever reads and writes them in program order.
struct OneGradient : testing::Test {
  TensorTable tensors;
  TensorId x = add_activation(tensors, "relu1/Y", 100);
  TensorId dy = add_activation(tensors, "fc2/dY", 50);
  TensorId dx = add_gradient(tensors, "fc2/dX", 100, x);

  Task forward = task("relu1/RELU_FP32_FWD/Y", {{x, AccessMode::write}});
  Task dw = task("fc2/FC_FP32_BWD/dW", {{x, AccessMode::read}, {dy, AccessMode::read}});
  Task make_dx = task("fc2/FC_FP32_BWD/dX", {{dy, AccessMode::read}, {dx, AccessMode::write}});

  MemoryPlan plan(const std::vector<Task>& tasks,
                  GradientMode mode = GradientMode::in_place) const {
    return plan_memory(tensors, tasks, mode, kNoWorkspace);
  }
  GradientPlacement verdict(const std::vector<Task>& tasks,
                            GradientMode mode = GradientMode::in_place) const {
    return plan(tasks, mode).gradient_placements().at(0);
  }
};

TEST_F(OneGradient, TakesItsActivationsBytesWhereNothingReadsItAnyMore) {
  const MemoryPlan made = plan({forward, dw, make_dx});
  EXPECT_TRUE(same_bytes(made, dx, x));
  ASSERT_EQ(made.gradient_placements().size(), 1U);
  const GradientPlacement& verdict = made.gradient_placements()[0];
  EXPECT_TRUE(verdict.in_place);
  EXPECT_EQ(verdict.gradient, dx);
  EXPECT_EQ(verdict.activation, x);
  EXPECT_THAT(verdict.reason, HasSubstr("relu1/Y"));
}

TEST_F(OneGradient, GetsItsOwnBytesWhereALaterTaskReadsTheActivation) {
  const std::vector<Task> tasks = {forward, make_dx, dw};
  EXPECT_FALSE(same_bytes(plan(tasks), dx, x));
  EXPECT_FALSE(verdict(tasks).in_place);
  EXPECT_EQ(verdict(tasks).reason,
            "fc2/FC_FP32_BWD/dW reads relu1/Y after the gradient is written");
}

TEST_F(OneGradient, GetsItsOwnBytesWhereItsOwnKernelReadsTheActivation) {
  Task reads_x = make_dx;
  reads_x.operands.push_back({x, AccessMode::read});
  EXPECT_FALSE(same_bytes(plan({forward, dw, reads_x}), dx, x));
  EXPECT_EQ(verdict({forward, dw, reads_x}).reason,
            "fc2/FC_FP32_BWD/dX reads relu1/Y while it writes the gradient");
}

TEST_F(OneGradient, GetsItsOwnBytesWhereALaterTaskWritesTheActivation) {
  EXPECT_FALSE(verdict({make_dx, forward}).in_place);
  EXPECT_THAT(verdict({make_dx, forward}).reason, HasSubstr("writes relu1/Y later"));
}

TEST_F(OneGradient, AReaderByWayOfAViewCountsAsAReader) {
  const TensorId flat =
      tensors.add({.name = "flat/Y", .shape = {4, 25}, .variant = kTrain, .view_of = x});
  const Task reads_view = task("fc9/FC_FP32_BWD/dW", {{flat, AccessMode::read}});
  EXPECT_FALSE(verdict({forward, make_dx, reads_view}).in_place);
  EXPECT_TRUE(verdict({forward, reads_view, make_dx}).in_place);
}

TEST_F(OneGradient, GetsItsOwnBytesUnderSeparateWithThatAsTheReason) {
  const std::vector<Task> tasks = {forward, dw, make_dx};
  EXPECT_FALSE(same_bytes(plan(tasks, GradientMode::separate), dx, x));
  EXPECT_EQ(verdict(tasks, GradientMode::separate).reason, "gradients = separate");
  EXPECT_GT(plan(tasks, GradientMode::separate).bytes(MemorySpace::device),
            plan(tasks, GradientMode::in_place).bytes(MemorySpace::device));
}

TEST_F(OneGradient, AViewOfItFollowsItIntoTheActivation) {
  const TensorId view =
      tensors.add({.name = "pool/dY", .shape = {10, 10}, .variant = kTrain, .view_of = dx});
  EXPECT_TRUE(same_bytes(plan({forward, dw, make_dx}), view, x));
}

TEST_F(OneGradient, OfAnotherSizeGetsItsOwnBytes) {
  const TensorId odd = add_gradient(tensors, "odd/dX", 99, x);
  const std::vector<Task> tasks = {forward, task("odd", {{odd, AccessMode::write}})};
  const GradientPlacement verdict = plan(tasks).gradient_placements().at(1);
  EXPECT_FALSE(verdict.in_place);
  EXPECT_THAT(verdict.reason, HasSubstr("396 bytes"));
}

TEST_F(OneGradient, OfAnInputGetsItsOwnBytes) {
  const TensorId images =
      tensors.add({.name = "images", .shape = {100}, .role = TensorRole::input, .variant = kTrain});
  const TensorId gradient = add_gradient(tensors, "conv1/dX", 100, images);
  const std::vector<Task> tasks = {task("conv1", {{gradient, AccessMode::write}})};
  EXPECT_FALSE(plan(tasks).gradient_placements().at(1).in_place);
}

TEST_F(OneGradient, TheActivationIsGivenToOneGradientOnly) {
  const TensorId second = add_gradient(tensors, "branch/dX", 100, x);
  const std::vector<Task> tasks = {
      forward, dw, make_dx, task("branch/FC_FP32_BWD/dX", {{second, AccessMode::write}}),
      task("sum", {{dx, AccessMode::read}, {second, AccessMode::read}})};
  EXPECT_FALSE(same_bytes(plan(tasks), dx, second));
}

}  // namespace
}  // namespace quintet
