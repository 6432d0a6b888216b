#include "runtime/ops/fusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "runtime/ops/conv.h"
#include "runtime/ops/op_catalog.h"
#include "tests/runtime/ops/fused_case.h"

namespace quintet {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<Task>& tasks) {
  std::vector<std::string> names;
  for (const Task& task : tasks)
    names.push_back(task.name);
  return names;
}

/// A convolution and a ReLU on one image of 4 x 4, and room for more ops.
struct ConvRelu {
  TensorTable tensors;
  TensorId x, w, b, between, y, mask;
  std::vector<Op> ops;

  explicit ConvRelu(bool bias = true, bool training = true) {
    x = add("x", Shape{1, 4, 4, 2});
    w = add("conv1/W", Shape{3, 3, 2, 5}, DType::F32, RegionKind::DEEP_WEIGHTS);
    b = add("conv1/B", Shape{5}, DType::F32, RegionKind::DEEP_WEIGHTS);
    between = add("conv1/Y", Shape{1, 4, 4, 5});
    y = add("relu1/Y", Shape{1, 4, 4, 5});
    mask = add("relu1/mask", Shape{1, 4, 4, 5}, DType::U8);
    Op& conv = add_op(ComputeOp::CONV_FP32_FWD, "conv1", {x, w}, {between});
    if (bias) conv.inputs.push_back(b);
    conv.attributes = Window{3, 3, 1, 1, 1, 1};
    Op& relu = add_op(ComputeOp::RELU_FP32_FWD, "relu1", {between}, {y});
    if (training) relu.outputs.push_back(mask);
  }

  TensorId add(std::string name, const Shape& shape, DType dtype = DType::F32,
               RegionKind region = RegionKind::FEATURES) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.shape = shape;
    tensor.dtype = dtype;
    tensor.region = region;
    return tensors.add(tensor);
  }
  Op& add_op(OpKind kind, std::string layer, std::vector<TensorId> inputs,
             std::vector<TensorId> outputs) {
    Op& op = ops.emplace_back();
    op.id = OpId(static_cast<std::uint32_t>(ops.size() - 1));
    op.kind = kind;
    op.layer = std::move(layer);
    op.inputs = std::move(inputs);
    op.outputs = std::move(outputs);
    return op;
  }
  [[nodiscard]] std::vector<Task> lowered(Lowering lowering = Lowering::fused) const {
    return lower(ops, tensors, lowering).value();
  }
};

TEST(FusionCatalog, ListsPairsOfImplementedKindsOnceInTheOrderOfTheEnums) {
  std::vector<std::pair<OpKind, OpKind>> pairs;
  for (const FusionPattern& pattern : fusion_catalog()) {
    EXPECT_TRUE(find_op(pattern.producer)) << name_of(pattern.producer);
    EXPECT_TRUE(find_op(pattern.consumer)) << name_of(pattern.consumer);
    pairs.emplace_back(pattern.producer, pattern.consumer);
  }
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
  EXPECT_EQ(std::set(pairs.begin(), pairs.end()).size(), pairs.size());
}

TEST(FusionCatalog, EveryPatternMakesOneTaskThatDoesWhatTheTwoDidLessTheTensorBetween) {
  TestRandom random(31);
  for (const FusionPattern& pattern : fusion_catalog()) {
    for (int i = 0; i < 8; ++i) {
      const FusedCase both = make_fused_case(pattern, random);
      const auto two = lower(both.ops, both.made.tensors, Lowering::article).value();
      const auto one = lower(both.ops, both.made.tensors, Lowering::fused).value();
      ASSERT_EQ(two.size(), 2) << text_of(both.made);
      ASSERT_EQ(one.size(), 1) << text_of(both.made);
      const Task& fused = one[0];
      EXPECT_EQ(fused.name, two[0].name);
      EXPECT_EQ(fused.kind, pattern.producer);
      EXPECT_TRUE(fused.representative);
      EXPECT_THAT(fused.covers, ElementsAre(two[0].name, two[1].name));
      ASSERT_TRUE(fused.fused_with);
      EXPECT_EQ(fused.fused_with->kind, pattern.consumer);
      EXPECT_EQ(fused.fused_with->first_operand, two[0].operands.size());
      EXPECT_EQ(fused.flops, two[0].flops + two[1].flops);
      const Tensor& between = both.made.tensors[both.ops[0].outputs[0]];
      EXPECT_EQ(fused.bytes,
                two[0].bytes + two[1].bytes - 2 * static_cast<double>(between.bytes()));
      for (const Operand& operand : fused.operands)
        EXPECT_NE(operand.target, OperandTarget(between.id));
    }
  }
}

TEST(FusedLowering, NamesTheTaskAfterItsProducerAndCoversBoth) {
  const std::vector<Task> tasks = ConvRelu().lowered();
  ASSERT_THAT(names_of(tasks), ElementsAre("conv1/CONV_FP32_FWD/Y"));
  EXPECT_THAT(tasks[0].covers, ElementsAre("conv1/CONV_FP32_FWD/Y", "relu1/RELU_FP32_FWD/Y"));
  EXPECT_EQ(tasks[0].layer, "conv1");
  EXPECT_TRUE(std::holds_alternative<Window>(tasks[0].attributes));
}

TEST(FusedLowering, KeepsTheProducersSlotsAndPutsTheMaskBehindThem) {
  for (const bool bias : {true, false}) {
    for (const bool training : {true, false}) {
      const ConvRelu graph(bias, training);
      const Task task = graph.lowered().at(0);
      const std::size_t own = bias ? 4 : 3;
      EXPECT_EQ(task.fused_with->first_operand, own);
      ASSERT_EQ(task.operands.size(), own + (training ? 1 : 0));
      EXPECT_EQ(task.operands[ConvForwardSlots::X].target, OperandTarget(graph.x));
      EXPECT_EQ(task.operands[ConvForwardSlots::Y].target, OperandTarget(graph.y));
      EXPECT_EQ(task.operands[ConvForwardSlots::Y].mode, AccessMode::write);
      if (!training) continue;
      EXPECT_EQ(task.operands.back().target, OperandTarget(graph.mask));
      EXPECT_EQ(task.operands.back().mode, AccessMode::write);
    }
  }
}

TEST(FusedLowering, CountsFlopsAndBytesOfAConvolutionWithItsRelu) {
  const Task task = ConvRelu().lowered().at(0);
  EXPECT_EQ(task.flops, 2.0 * 80 * 18 + 80 + 80);
  EXPECT_EQ(task.bytes, 4.0 * (32 + 90 + 5 + 80) + 80);
}

TEST(FusedLowering, NumbersTheTasksThatAreLeft) {
  ConvRelu graph;
  const TensorId dx = graph.add("relu1/dX", Shape{1, 4, 4, 5});
  graph.add_op(ComputeOp::RELU_FP32_BWD, "relu1", {graph.y, graph.mask}, {dx});
  const std::vector<Task> tasks = graph.lowered();
  ASSERT_THAT(names_of(tasks), ElementsAre("conv1/CONV_FP32_FWD/Y", "relu1/RELU_FP32_BWD/dX"));
  EXPECT_EQ(tasks[1].id, TaskId(1));
  EXPECT_EQ(tasks[1].op, OpId(2));
  EXPECT_FALSE(tasks[1].fused_with);
}

TEST(FusedLowering, FusesAcrossAnOpThatHasNothingToDoWithThePair) {
  ConvRelu graph;
  const TensorId sum = graph.add("sum", Shape{1, 4, 4, 2});
  graph.add_op(ComputeOp::ADD_FP32_FWD, "add", {graph.x, graph.x}, {sum});
  std::swap(graph.ops[1], graph.ops[2]);
  EXPECT_THAT(names_of(graph.lowered()),
              ElementsAre("conv1/CONV_FP32_FWD/Y", "add/ADD_FP32_FWD/Y"));
}

TEST(FusedLowering, TheArticlesLoweringFusesNothing) {
  const std::vector<Task> tasks = ConvRelu().lowered(Lowering::article);
  EXPECT_THAT(names_of(tasks), ElementsAre("conv1/CONV_FP32_FWD/Y", "relu1/RELU_FP32_FWD/Y"));
  EXPECT_FALSE(tasks[0].fused_with);
}

TEST(FindFusions, LeavesAnOutputWithTwoConsumersAlone) {
  ConvRelu graph;
  const TensorId sum = graph.add("sum", Shape{1, 4, 4, 5});
  graph.add_op(ComputeOp::ADD_FP32_FWD, "add", {graph.between, graph.y}, {sum});
  EXPECT_THAT(find_fusions(graph.ops, graph.tensors), IsEmpty());
}

TEST(FindFusions, CountsAConsumerOfAViewOfTheOutput) {
  ConvRelu graph;
  Tensor view = graph.tensors[graph.between];
  view.view_of = graph.between;
  const TensorId flat = graph.tensors.add(view);
  const TensorId sum = graph.add("sum", Shape{1, 4, 4, 5});
  graph.add_op(ComputeOp::ADD_FP32_FWD, "add", {flat, graph.y}, {sum});
  EXPECT_THAT(find_fusions(graph.ops, graph.tensors), IsEmpty());
}

TEST(FindFusions, CountsAConsumerInAnotherSubGraph) {
  ConvRelu graph;
  const TensorId sum = graph.add("sum", Shape{1, 4, 4, 5});
  graph.add_op(ComputeOp::ADD_FP32_FWD, "add", {graph.between, graph.between}, {sum}).graph =
      GraphId::METRICS_A;
  EXPECT_THAT(find_fusions(graph.ops, graph.tensors), IsEmpty());
}

TEST(FindFusions, StaysWithinASubGraph) {
  ConvRelu graph;
  graph.ops[0].graph = GraphId::FIRST_LAYER_FWD_A;
  EXPECT_THAT(find_fusions(graph.ops, graph.tensors), IsEmpty());
}

TEST(FindFusions, StaysWithinAShape) {
  ConvRelu graph;
  graph.ops[0].shape = ShapeId(2);
  EXPECT_THAT(find_fusions(graph.ops, graph.tensors), IsEmpty());
}

TEST(FindFusions, LeavesAnOutputThatTwoOpsWriteAlone) {
  ConvRelu graph;
  Op twin = graph.ops[0];
  twin.graph = GraphId::FIRST_LAYER_FWD_B;
  graph.ops.insert(graph.ops.begin(), twin);
  EXPECT_THAT(find_fusions(graph.ops, graph.tensors), IsEmpty());
}

/// The first layer on batch A and on batch B, then the ReLU that begins the rest.
ConvRelu first_layer() {
  ConvRelu graph;
  graph.ops[0].graph = GraphId::FIRST_LAYER_FWD_A;
  Op twin = graph.ops[0];
  twin.graph = GraphId::FIRST_LAYER_FWD_B;
  graph.ops.insert(graph.ops.begin() + 1, twin);
  return graph;
}

TEST(FusedLowering, LetsTheFirstLayerOnEitherBatchDoTheWorkOfTheRelu) {
  const ConvRelu graph = first_layer();
  const std::vector<Task> tasks = graph.lowered();
  ASSERT_THAT(names_of(tasks), ElementsAre("conv1/CONV_FP32_FWD/Y", "conv1/CONV_FP32_FWD/Y"));
  EXPECT_EQ(tasks[0].graph, GraphId::FIRST_LAYER_FWD_A);
  EXPECT_EQ(tasks[1].graph, GraphId::FIRST_LAYER_FWD_B);
  for (const Task& task : tasks) {
    EXPECT_THAT(task.covers, ElementsAre("conv1/CONV_FP32_FWD/Y", "relu1/RELU_FP32_FWD/Y"));
    EXPECT_EQ(task.operands[ConvForwardSlots::Y].target, OperandTarget(graph.y));
    EXPECT_EQ(task.operands.back().target, OperandTarget(graph.mask));
  }
}

TEST(FindFusions, WantsBothBatchesBeforeTheirConsumerAndAllElseOfThemAlike) {
  ConvRelu late = first_layer();
  std::swap(late.ops[1], late.ops[2]);
  EXPECT_THAT(find_fusions(late.ops, late.tensors), IsEmpty());
  ConvRelu elsewhere = first_layer();
  elsewhere.ops[2].graph = GraphId::METRICS_A;
  EXPECT_THAT(find_fusions(elsewhere.ops, elsewhere.tensors), IsEmpty());
  ConvRelu one_batch = first_layer();
  one_batch.ops[1].graph = GraphId::FIRST_LAYER_FWD_A;
  EXPECT_THAT(find_fusions(one_batch.ops, one_batch.tensors), IsEmpty());
  ConvRelu other_shape = first_layer();
  other_shape.ops[1].shape = ShapeId(2);
  EXPECT_THAT(find_fusions(other_shape.ops, other_shape.tensors), IsEmpty());
}

TEST(FindFusions, WantsTheProducerFirst) {
  ConvRelu graph;
  std::swap(graph.ops[0], graph.ops[1]);
  EXPECT_THAT(find_fusions(graph.ops, graph.tensors), IsEmpty());
}

TEST(FindFusions, DoesNotWriteTheReluAheadOfOneWhoStillReadsItsOldValue) {
  ConvRelu graph;
  const TensorId sum = graph.add("sum", Shape{1, 4, 4, 5});
  graph.add_op(ComputeOp::ADD_FP32_FWD, "add", {graph.y, graph.y}, {sum});
  std::swap(graph.ops[1], graph.ops[2]);
  EXPECT_THAT(find_fusions(graph.ops, graph.tensors), IsEmpty());
}

TEST(FindFusions, LeavesAloneWhatARangeOpWorksOn) {
  ConvRelu graph;
  graph.add_op(RangeOp::RANGE_CLEAR, "features", {}, {}).regions = {RegionKind::FEATURES};
  EXPECT_THAT(find_fusions(graph.ops, graph.tensors), IsEmpty());
}

TEST(FindFusions, LeavesPairsAloneThatThePatternsDoNotList) {
  ConvRelu graph;
  graph.ops[1].kind = ComputeOp::RELU_AMP_FWD;  // of another number format
  EXPECT_THAT(find_fusions(graph.ops, graph.tensors), IsEmpty());
  graph.ops[1].kind = ComputeOp::TANH_FP32_FWD;
  EXPECT_THAT(find_fusions(graph.ops, graph.tensors), IsEmpty());
}

}  // namespace

}  // namespace quintet
