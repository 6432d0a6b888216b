#include "runtime/ops/op_catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "tests/runtime/ops/op_cases.h"

namespace quintet {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

OpCase case_of(OpKind kind) {
  TestRandom random(7);
  std::optional<OpCase> made = make_op_case(kind, random);
  EXPECT_TRUE(made) << "no test case for " << name_of(kind) << ": add a maker to op_cases.cpp";
  return made ? *std::move(made) : OpCase{};
}

std::vector<Task> lowered(const OpCase& op_case) {
  Result<std::vector<Task>> tasks =
      lower(std::vector<Op>{op_case.op}, op_case.tensors, Lowering::article);
  EXPECT_TRUE(tasks) << (tasks ? "" : to_string(tasks.error()));
  return tasks ? *std::move(tasks) : std::vector<Task>{};
}

/// A convolution's or fully connected layer's backward with a bias, or without one.
OpCase backward_case(OpKind kind, bool bias) {
  TestRandom random(8);
  for (;;) {
    std::optional<OpCase> made = make_op_case(kind, random);
    const std::size_t gradients = made->op.inputs.size() > 2 ? 2 : 1;  // dW, and dX with W
    if ((made->op.outputs.size() > gradients) == bias) return *std::move(made);
  }
}

std::vector<std::string> task_names(const std::vector<Task>& tasks) {
  std::vector<std::string> names;
  for (const Task& task : tasks)
    names.push_back(task.name);
  return names;
}

/// A layer of known size with all tensors a forward and backward op wants.
struct KnownLayer {
  TensorTable tensors;
  TensorId x, w, b, y, dw, db, dx;

  KnownLayer(const Shape& x_shape, const Shape& w_shape, const Shape& y_shape) {
    const auto add = [&](const Shape& shape) {
      Tensor tensor;
      tensor.shape = shape;
      return tensors.add(tensor);
    };
    x = add(x_shape);
    w = add(w_shape);
    b = add(Shape{y_shape.dim(-1)});
    y = add(y_shape);
    dw = add(w_shape);
    db = add(Shape{y_shape.dim(-1)});
    dx = add(x_shape);
  }

  [[nodiscard]] std::vector<Task> lower_as(OpKind kind, std::vector<TensorId> inputs,
                                           std::vector<TensorId> outputs,
                                           OpAttributes attributes = {}) const {
    Op op;
    op.kind = kind;
    op.layer = "known";
    op.inputs = std::move(inputs);
    op.outputs = std::move(outputs);
    op.attributes = attributes;
    return *lower(std::vector<Op>{op}, tensors, Lowering::article);
  }
};

TEST(OpCatalog, ListsEachKindOnceInTheOrderOfTheEnums) {
  std::vector<OpKind> kinds;
  for (const OpDefinition& definition : op_catalog())
    kinds.push_back(definition.kind);
  EXPECT_TRUE(std::is_sorted(kinds.begin(), kinds.end()));
  EXPECT_EQ(std::set<OpKind>(kinds.begin(), kinds.end()).size(), kinds.size());
}

TEST(OpCatalog, EveryDefinitionLowersAndOnlyViewsYieldNoTask) {
  for (const OpDefinition& definition : op_catalog()) {
    const OpCase op_case = case_of(definition.kind);
    EXPECT_EQ(lowered(op_case).empty(), definition.view) << text_of(op_case);
  }
}

TEST(OpCatalog, EachOpHasExactlyOneRepresentativeTask) {
  for (const OpDefinition& definition : op_catalog()) {
    if (definition.view) continue;
    const std::vector<Task> tasks = lowered(case_of(definition.kind));
    EXPECT_EQ(std::count_if(tasks.begin(), tasks.end(),
                            [](const Task& task) { return task.representative; }),
              1)
        << name_of(definition.kind);
  }
}

TEST(OpCatalog, EveryOutputOfAnOpIsWrittenByATaskOfIt) {
  for (const OpDefinition& definition : op_catalog()) {
    if (definition.view) continue;
    const OpCase op_case = case_of(definition.kind);
    std::set<TensorId> written;
    std::set<TensorId> read;
    for (const Task& task : lowered(op_case)) {
      for (const Operand& operand : task.operands) {
        const auto* id = std::get_if<TensorId>(&operand.target);
        if (id == nullptr) continue;
        if (writes(operand.mode)) written.insert(*id);
        if (reads(operand.mode)) read.insert(*id);
      }
    }
    for (const TensorId output : op_case.op.outputs)
      EXPECT_TRUE(written.contains(output)) << text_of(op_case);
    for (const TensorId input : op_case.op.inputs)
      EXPECT_TRUE(read.contains(input)) << text_of(op_case);
  }
}

TEST(OpCatalog, TasksMoveBytes) {
  for (const OpDefinition& definition : op_catalog()) {
    for (const Task& task : lowered(case_of(definition.kind)))
      EXPECT_GT(task.bytes, 0) << task.name;
  }
}

/// A kind that networks may name and no definition is listed for; nothing once all are implemented.
std::optional<OpKind> missing_kind() {
  for (const OpKind kind : all_op_kinds()) {
    if (!find_op(kind)) return kind;
  }
  return std::nullopt;
}

TEST(OpCatalog, AKindWithoutADefinitionIsAnErrorThatNamesItAndTheImplementedOnes) {
  const std::optional<OpKind> kind = missing_kind();
  if (!kind) GTEST_SKIP() << "every kind is implemented";
  const Result<const OpDefinition*> found = find_op(*kind);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "op " + std::string(name_of(*kind)) + " is not implemented");
  for (const OpDefinition& definition : op_catalog())
    EXPECT_THAT(found.error().cure, HasSubstr(std::string(name_of(definition.kind))));
}

TEST(Lower, RefusesAnOpThatIsNotImplemented) {
  const std::optional<OpKind> kind = missing_kind();
  if (!kind) GTEST_SKIP() << "every kind is implemented";
  Op op;
  op.kind = *kind;
  const auto tasks = lower(std::vector<Op>{op}, TensorTable(), Lowering::article);
  ASSERT_FALSE(tasks);
  EXPECT_THAT(tasks.error().message, HasSubstr(std::string(name_of(*kind))));
}

TEST(Lower, PutsTheWeightGradientFirstAndTheInputGradientLast) {
  EXPECT_THAT(
      task_names(lowered(backward_case(ComputeOp::CONV_FP32_BWD, true))),
      ElementsAre("layer/CONV_FP32_BWD/dW", "layer/CONV_FP32_BWD/dB", "layer/CONV_FP32_BWD/dX"));
  EXPECT_THAT(task_names(lowered(backward_case(ComputeOp::FC_FP32_BWD, true))),
              ElementsAre("layer/FC_FP32_BWD/dW", "layer/FC_FP32_BWD/dB", "layer/FC_FP32_BWD/dX"));
}

TEST(Lower, HasNoBiasGradientWhereThereIsNoBias) {
  EXPECT_THAT(task_names(lowered(backward_case(ComputeOp::CONV_FP32_BWD, false))),
              ElementsAre("layer/CONV_FP32_BWD/dW", "layer/CONV_FP32_BWD/dX"));
  EXPECT_THAT(task_names(lowered(backward_case(ComputeOp::FC_FP32_BWD, false))),
              ElementsAre("layer/FC_FP32_BWD/dW", "layer/FC_FP32_BWD/dX"));
  for (const OpKind kind :
       {ComputeOp::CONV_FP32_BWD_FIRST_LAYER, ComputeOp::FC_FP32_BWD_FIRST_LAYER}) {
    const std::vector<Task> tasks = lowered(backward_case(kind, false));
    ASSERT_EQ(tasks.size(), 1);
    EXPECT_EQ(tasks[0].part, TaskPart::dW);
    EXPECT_TRUE(tasks[0].representative);
  }
}

TEST(Lower, RepresentsABackwardByItsInputGradientAndTheFirstLayerByItsWeightGradient) {
  for (const OpKind kind : {ComputeOp::CONV_FP32_BWD, ComputeOp::FC_FP32_BWD}) {
    const std::vector<Task> tasks = lowered(backward_case(kind, true));
    EXPECT_EQ(tasks[2].part, TaskPart::dX);
    EXPECT_TRUE(tasks[2].representative);
  }
  for (const OpKind kind :
       {ComputeOp::CONV_FP32_BWD_FIRST_LAYER, ComputeOp::FC_FP32_BWD_FIRST_LAYER}) {
    const std::vector<Task> tasks = lowered(backward_case(kind, true));
    EXPECT_THAT(task_names(tasks).size(), 2);
    EXPECT_EQ(tasks[0].part, TaskPart::dW);
    EXPECT_TRUE(tasks[0].representative);
  }
}

TEST(Lower, AccumulatesIntoWeightGradientsAndOverwritesInputGradients) {
  for (const OpKind kind : {ComputeOp::CONV_FP32_BWD, ComputeOp::FC_FP32_BWD}) {
    const std::vector<Task> tasks = lowered(backward_case(kind, true));
    EXPECT_EQ(tasks[0].operands.back().mode, AccessMode::update);
    EXPECT_EQ(tasks[1].operands.back().mode, AccessMode::update);
    EXPECT_EQ(tasks[2].operands.back().mode, AccessMode::write);
  }
}

TEST(Lower, InputGradientDoesNotReadTheInputSoThatItMayTakeItsBytes) {
  for (const OpKind kind : {ComputeOp::CONV_FP32_BWD, ComputeOp::FC_FP32_BWD}) {
    const OpCase op_case = backward_case(kind, true);
    const TensorId x = op_case.op.inputs[1];
    const std::vector<Task> tasks = lowered(op_case);
    for (const Operand& operand : tasks[2].operands)
      EXPECT_NE(std::get<TensorId>(operand.target), x);
  }
}

TEST(Lower, NumbersTasksInProgramOrderAndHandsDownWhatTheOpSays) {
  OpCase op_case = backward_case(ComputeOp::CONV_FP32_BWD, true);
  op_case.op.id = OpId(0);
  op_case.op.layer = "conv2";
  op_case.op.graph = GraphId::DEEP_FWD_BWD;
  op_case.op.shape = ShapeId(3);
  Op second = op_case.op;
  second.id = OpId(1);
  second.layer = "conv1";
  const auto tasks = lower(std::vector<Op>{op_case.op, second}, op_case.tensors, Lowering::article);
  ASSERT_TRUE(tasks);
  ASSERT_EQ(tasks->size(), 6);
  for (std::size_t i = 0; i < tasks->size(); ++i) {
    const Task& task = (*tasks)[i];
    EXPECT_EQ(task.id, TaskId(static_cast<std::uint32_t>(i)));
    EXPECT_EQ(task.op, OpId(i < 3 ? 0 : 1));
    EXPECT_EQ(task.layer, i < 3 ? "conv2" : "conv1");
    EXPECT_EQ(task.kind, OpKind(ComputeOp::CONV_FP32_BWD));
    EXPECT_EQ(task.graph, GraphId::DEEP_FWD_BWD);
    EXPECT_EQ(task.shape, ShapeId(3));
    EXPECT_THAT(task.covers, ElementsAre(task.name));
    EXPECT_TRUE(std::holds_alternative<Window>(task.attributes));
  }
  EXPECT_EQ(tasks->back().name, "conv1/CONV_FP32_BWD/dX");
}

TEST(Lower, LeavesOutTheMaskWhereInferenceDoes) {
  OpCase op_case = case_of(ComputeOp::RELU_FP32_FWD);
  op_case.op.outputs.resize(1);
  EXPECT_EQ(lowered(op_case)[0].operands.size(), 2);
}

TEST(Lower, CountsFlopsAndBytesOfAConvolution) {
  // LeNet-5's second convolution on one image: 10x10x16 outputs of 5x5x6 taps.
  const KnownLayer layer(Shape{1, 14, 14, 6}, Shape{5, 5, 6, 16}, Shape{1, 10, 10, 16});
  const Window window{5, 5, 1, 1, 0, 0};
  const double taps = 2.0 * 1600 * 150;
  const std::vector<Task> forward =
      layer.lower_as(ComputeOp::CONV_FP32_FWD, {layer.x, layer.w, layer.b}, {layer.y}, window);
  EXPECT_EQ(forward[0].flops, taps + 1600);
  EXPECT_EQ(forward[0].bytes, 4.0 * (1176 + 2400 + 16 + 1600));
  const std::vector<Task> bare =
      layer.lower_as(ComputeOp::CONV_FP32_FWD, {layer.x, layer.w}, {layer.y}, window);
  EXPECT_EQ(bare[0].flops, taps);
  EXPECT_EQ(bare[0].bytes, 4.0 * (1176 + 2400 + 1600));
  const std::vector<Task> backward =
      layer.lower_as(ComputeOp::CONV_FP32_BWD, {layer.y, layer.x, layer.w},
                     {layer.dw, layer.db, layer.dx}, window);
  EXPECT_EQ(backward[0].flops, taps);
  EXPECT_EQ(backward[0].bytes, 4.0 * (1176 + 1600 + 2 * 2400));
  EXPECT_EQ(backward[1].flops, 1600);
  EXPECT_EQ(backward[1].bytes, 4.0 * (1600 + 2 * 16));
  EXPECT_EQ(backward[2].flops, taps);
  EXPECT_EQ(backward[2].bytes, 4.0 * (1600 + 2400 + 1176));
}

TEST(Lower, CountsFlopsAndBytesOfAFullyConnectedLayer) {
  const KnownLayer layer(Shape{8, 5, 5, 16}, Shape{400, 120}, Shape{8, 120});
  const double products = 2.0 * 8 * 400 * 120;
  const std::vector<Task> forward =
      layer.lower_as(ComputeOp::FC_FP32_FWD, {layer.x, layer.w, layer.b}, {layer.y});
  EXPECT_EQ(forward[0].flops, products + 8 * 120);
  EXPECT_EQ(forward[0].bytes, 4.0 * (3200 + 48000 + 120 + 960));
  const std::vector<Task> backward = layer.lower_as(
      ComputeOp::FC_FP32_BWD, {layer.y, layer.x, layer.w}, {layer.dw, layer.db, layer.dx});
  EXPECT_EQ(backward[0].flops, products);
  EXPECT_EQ(backward[2].flops, products);
}

TEST(Lower, CountsOneEntryOfTheLearningRateTable) {
  const OpCase op_case = case_of(ComputeOp::LR_FROM_TABLE);
  const Task task = lowered(op_case)[0];
  EXPECT_EQ(task.bytes, 4 + 8 + 4);
  EXPECT_EQ(task.operands[0].bound, AccessBound::upper);
}

TEST(Lower, CountsTheTensorsOfTheRegionsThatSgdUpdates) {
  TensorTable tensors;
  for (const RegionKind region :
       {RegionKind::DEEP_WEIGHTS, RegionKind::DEEP_GRADIENTS, RegionKind::DEEP_MOMENTUM}) {
    Tensor tensor;
    tensor.shape = Shape{100};
    tensor.region = region;
    tensors.add(tensor);
  }
  Op op;
  op.kind = RangeOp::RANGE_SGD_UPDATE;
  op.inputs = {tensors.add(Tensor{})};
  op.regions = {RegionKind::DEEP_WEIGHTS, RegionKind::DEEP_GRADIENTS, RegionKind::DEEP_MOMENTUM};
  op.attributes = SgdHyper{0.9F, 0.0F, false};
  const auto tasks = lower(std::vector<Op>{op}, tensors, Lowering::article);
  ASSERT_TRUE(tasks);
  EXPECT_EQ(tasks->front().flops, 400);
  EXPECT_EQ(tasks->front().bytes, 4.0 * 100 * (2 + 1 + 2) + 4);
}

}  // namespace

}  // namespace quintet
