// Which tasks of a fully connected layer do the backward of the ReLU before it, and what they are.
#include "runtime/ops/fused_relu_backward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/ops/op_catalog.h"
#include "tests/runtime/ops/fused_case.h"

namespace quintet {

namespace {

using ::testing::ElementsAre;

FusedCase a_pair(std::uint64_t seed = 71) {
  TestRandom random(seed);
  return with_relu_backward(make_op_case(ComputeOp::FC_FP32_BWD, random).value());
}

std::vector<Task> lowered(const FusedCase& both, Lowering lowering = Lowering::fused) {
  return lower(both.ops, both.made.tensors, lowering).value();
}

bool fused(const FusedCase& both) {
  return lowered(both).size() < lowered(both, Lowering::article).size();
}

TensorId another(FusedCase& both, TensorId like) {
  Tensor tensor = both.made.tensors[like];
  tensor.name = "another";
  return both.made.tensors.add(tensor);
}

Op addition(TensorId a, TensorId b, TensorId sum) {
  Op op;
  op.id = OpId(2);
  op.kind = ComputeOp::ADD_FP32_BWD;
  op.layer = "add";
  op.inputs = {a, b};
  op.outputs = {sum};
  return op;
}

TEST(FusedReluBackward, IsThePartDxWithTheMaskBehindItsOwnOperands) {
  const FusedCase both = a_pair();
  const std::vector<Task> two = lowered(both, Lowering::article);
  const std::vector<Task> one = lowered(both);
  ASSERT_EQ(one.size() + 1, two.size());
  const Task& gradient = two[two.size() - 2];
  const Task& relu = two.back();
  const Task& task = one.back();
  using Slots = FusedReluBackwardSlots;
  EXPECT_EQ(task.name, gradient.name);
  EXPECT_EQ(task.part, TaskPart::dX);
  EXPECT_TRUE(task.representative);
  EXPECT_THAT(task.covers, ElementsAre(gradient.name, relu.name));
  ASSERT_TRUE(task.fused_with);
  EXPECT_EQ(task.fused_with->kind, OpKind(ComputeOp::RELU_FP32_BWD));
  EXPECT_EQ(task.fused_with->first_operand, std::size_t{Slots::mask});
  ASSERT_EQ(task.operands.size(), Slots::mask + 1);
  EXPECT_EQ(task.operands[Slots::dX].target, OperandTarget(both.ops[1].outputs[0]));
  EXPECT_EQ(task.operands[Slots::mask].target, OperandTarget(both.ops[1].inputs[1]));
  EXPECT_EQ(task.operands[Slots::mask].mode, AccessMode::read);
  EXPECT_EQ(task.flops, gradient.flops + relu.flops);
  const Tensor& between = both.made.tensors[both.ops[0].outputs.back()];
  EXPECT_EQ(task.bytes, gradient.bytes + relu.bytes - 2 * static_cast<double>(between.bytes()));
}

TEST(FusedReluBackward, LeavesAGradientWithASecondReaderAlone) {
  FusedCase both = a_pair();
  const TensorId between = both.ops[0].outputs.back();
  both.ops.push_back(addition(between, between, another(both, between)));
  EXPECT_FALSE(fused(both));
}

TEST(FusedReluBackward, LeavesASumOfGradientsAlone) {
  FusedCase both = a_pair();
  const TensorId between = both.ops[0].outputs.back();
  const TensorId other = another(both, between);
  both.ops.insert(both.ops.begin(), addition(other, other, between));
  EXPECT_FALSE(fused(both));
}

TEST(FusedReluBackward, StaysWithinASubGraphAndAShape) {
  FusedCase graph = a_pair();
  graph.ops[1].graph = GraphId::FIRST_LAYER_BWD_A;
  EXPECT_FALSE(fused(graph));
  FusedCase shape = a_pair();
  shape.ops[1].shape = ShapeId(2);
  EXPECT_FALSE(fused(shape));
}

TEST(FusedReluBackward, DoesNotWriteAheadOfOneWhoStillReadsTheOldValue) {
  FusedCase both = a_pair();
  const TensorId dx = both.ops[1].outputs[0];
  both.ops.insert(both.ops.begin() + 1, addition(dx, dx, another(both, dx)));
  EXPECT_FALSE(fused(both));
}

TEST(FusedReluBackward, DoesNotReadAMaskThatIsWrittenBetweenTheTwo) {
  FusedCase both = a_pair();
  const TensorId between = both.ops[0].outputs.back();
  Op forward;
  forward.id = OpId(2);
  forward.kind = ComputeOp::RELU_FP32_FWD;
  forward.layer = "relu";
  forward.inputs = {another(both, between)};
  forward.outputs = {another(both, between), both.ops[1].inputs[1]};
  both.ops.insert(both.ops.begin() + 1, forward);
  EXPECT_FALSE(fused(both));
  std::swap(both.ops[0], both.ops[1]);
  EXPECT_TRUE(fused(both));
}

TEST(FusedReluBackward, LeavesAReluOfAnotherNumberFormatAlone) {
  FusedCase both = a_pair();
  both.ops[1].kind = ComputeOp::RELU_AMP_BWD;
  EXPECT_FALSE(fused(both));
}

}  // namespace

}  // namespace quintet
