#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>

#include "runtime/ops/op_catalog.h"
#include "tests/runtime/ops/planned_op.h"
#include "tests/runtime/ops/small_run.h"

namespace quintet {

namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pointwise;
using Values = std::vector<double>;

constexpr double kInf = std::numeric_limits<double>::infinity();

/// A few tensors that keep their values from one op to the next.
class SmallStep {
 public:
  TensorId add(RegionKind region, Values values, DType dtype = DType::F32) {
    Tensor tensor;
    tensor.shape = Shape{static_cast<std::int64_t>(values.size())};
    tensor.dtype = dtype;
    tensor.region = region;
    if (dtype == DType::F32) {
      for (double& value : values)
        value = static_cast<double>(static_cast<float>(value));
    }
    values_[tensors_.add(tensor)] = std::move(values);
    return tensors_.all().back().id;
  }
  const Values& operator[](TensorId id) const { return values_.at(id); }
  void set(TensorId id, Values values) { values_[id] = std::move(values); }

  void run(OpKind kind, std::vector<TensorId> inputs, std::vector<TensorId> outputs,
           std::vector<RegionKind> regions, OpAttributes attributes = {}) {
    OpCase made;
    made.tensors = tensors_;
    made.op.kind = kind;
    made.op.layer = "step";
    made.op.inputs = std::move(inputs);
    made.op.outputs = std::move(outputs);
    made.op.regions = std::move(regions);
    made.op.attributes = attributes;
    const auto planned = plan_op(std::move(made));
    TaskArena arena(planned->op_case.tensors, planned->memory);
    for (const auto& [id, values] : values_)
      arena.set(id, values);
    planned->run(arena);
    for (auto& [id, values] : values_)
      values = arena.values(id);
  }

 private:
  TensorTable tensors_;
  std::map<TensorId, Values> values_;
};

// What one step must give was computed in double by PyTorch's formulas, from the same inputs rounded
// to float: w, g, m below, lr 0.1, momentum 0.9, weight decay 0.01.
const Values kWeights = {0.5, -1.25, 2.0, 0.0};
const Values kGradients = {0.1, -0.2, 0.3, 0.4};
const Values kMomentum = {0.05, 0.0, -0.1, 0.2};
constexpr double kClose = 2e-7;

struct Weights {
  SmallStep step;
  TensorId w, g, m, v, lr;

  explicit Weights(const Values& momentum = {0, 0, 0, 0}) {
    w = step.add(RegionKind::DEEP_WEIGHTS, kWeights);
    g = step.add(RegionKind::DEEP_GRADIENTS, kGradients);
    m = step.add(RegionKind::DEEP_MOMENTUM, momentum);
    v = step.add(RegionKind::DEEP_VARIANCE, {0, 0, 0, 0});
    lr = step.add(RegionKind::SCALARS, {0.1});
  }
};

const std::vector<RegionKind> kSgdRegions = {RegionKind::DEEP_WEIGHTS, RegionKind::DEEP_GRADIENTS,
                                             RegionKind::DEEP_MOMENTUM};
const std::vector<RegionKind> kAdamRegions = {RegionKind::DEEP_WEIGHTS, RegionKind::DEEP_GRADIENTS,
                                              RegionKind::DEEP_MOMENTUM, RegionKind::DEEP_VARIANCE};

TEST(HostSgd, LooksAheadAsNesterovDoes) {
  Weights t(kMomentum);
  t.step.run(RangeOp::RANGE_SGD_UPDATE, {t.lr}, {}, kSgdRegions, SgdHyper{0.9F, 0.01F, true});
  EXPECT_THAT(t.step[t.w],
              Pointwise(DoubleNear(kClose), Values{0.476, -1.209625, 1.9473, -0.0922000009}));
  EXPECT_THAT(t.step[t.m], Pointwise(DoubleNear(kClose),
                                     Values{0.150000001, -0.212500003, 0.230000013, 0.580000004}));
}

/// Two steps from the state of zeros, the second with its own bias correction.
void run_adam(Weights& t, OpKind kind) {
  AdamHyper hyper;
  hyper.weight_decay = 0.01F;
  const TensorId count = t.step.add(RegionKind::SCALARS, {0}, DType::I64);
  const TensorId correction = t.step.add(RegionKind::SCALARS, {0, 0});
  for (const Values& wanted :
       {Values{9.999997615814777, 1000.012874769029}, {5.263156705946427, 500.25656244543484}}) {
    t.step.run(ComputeOp::ADAM_BIAS_CORRECTION, {}, {count, correction}, {}, hyper);
    EXPECT_FLOAT_EQ(static_cast<float>(t.step[correction][0]), static_cast<float>(wanted[0]));
    EXPECT_FLOAT_EQ(static_cast<float>(t.step[correction][1]), static_cast<float>(wanted[1]));
    t.step.run(kind, {t.lr, correction}, {}, kAdamRegions, hyper);
  }
  EXPECT_THAT(t.step[count], ElementsAre(2));
}

TEST(HostAdam, TakesTwoStepsAsPyTorchDoes) {
  Weights t;
  run_adam(t, RangeOp::RANGE_ADAM_UPDATE);
  EXPECT_THAT(t.step[t.w], Pointwise(DoubleNear(kClose),
                                     Values{0.300026104, -1.05001258, 1.80000828, -0.199993395}));
  EXPECT_THAT(t.step[t.m], Pointwise(DoubleNear(1e-8), Values{0.0198500048, -0.0402750096,
                                                              0.0607000159, 0.0759000183}));
  EXPECT_THAT(t.step[t.v], Pointwise(DoubleNear(1e-10), Values{2.18296947e-05, 8.98421899e-05,
                                                               0.000204055989, 0.000319036904}));
}

TEST(HostAdamW, DecaysTheWeightAndNotTheGradient) {
  Weights t;
  run_adam(t, RangeOp::RANGE_ADAMW_UPDATE);
  EXPECT_THAT(t.step[t.w], Pointwise(DoubleNear(kClose),
                                     Values{0.299100517, -1.04760126, 1.796102, -0.199899998}));
  EXPECT_THAT(t.step[t.m], Pointwise(DoubleNear(1e-8), Values{0.0190000046, -0.0380000091,
                                                              0.0570000151, 0.0760000183}));
  EXPECT_THAT(t.step[t.v], Pointwise(DoubleNear(1e-10), Values{1.99897434e-05, 7.99589734e-05,
                                                               0.000179907699, 0.000319835894}));
}

TEST(HostLars, ScalesTheRateOfEachTensorByItsOwnNorms) {
  Weights t(kMomentum);
  // Weights of norm 0, as biases start: the plain rate.
  const TensorId bias = t.step.add(RegionKind::DEEP_WEIGHTS, {0, 0, 0, 0});
  const TensorId bias_gradient = t.step.add(RegionKind::DEEP_GRADIENTS, kGradients);
  const TensorId bias_momentum = t.step.add(RegionKind::DEEP_MOMENTUM, kMomentum);
  t.step.run(ComputeOp::LARS_UPDATE_DEEP, {t.lr, t.g, bias_gradient},
             {t.w, t.m, bias, bias_momentum}, {}, LarsHyper{0.9F, 0.01F, 0.02F, 1e-9F});
  EXPECT_THAT(t.step[t.w], Pointwise(DoubleNear(kClose),
                                     Values{0.498735163, -1.24820815, 1.99806058, -0.00489070251}));
  EXPECT_THAT(t.step[t.m], Pointwise(DoubleNear(kClose),
                                     Values{0.150000001, -0.212500003, 0.230000013, 0.580000004}));
  EXPECT_THAT(t.step[bias], Pointwise(DoubleNear(kClose), Values{-0.0145000003, 0.0200000006,
                                                                 -0.0210000016, -0.0580000013}));
}

TEST(HostLars, TakesThePlainRateWhereTheGradientIsZero) {
  SmallStep step;
  const TensorId lr = step.add(RegionKind::SCALARS, {0.5});
  const TensorId g = step.add(RegionKind::FIRST_GRADIENTS, {0, 0});
  const TensorId w = step.add(RegionKind::FIRST_WEIGHTS, {1, 2});
  const TensorId m = step.add(RegionKind::FIRST_MOMENTUM, {2, 0});
  step.run(ComputeOp::LARS_UPDATE_FIRST, {lr, g}, {w, m}, {}, LarsHyper{0.5F, 0.0F, 0.02F, 1e-9F});
  EXPECT_THAT(step[w], ElementsAre(0.5, 2));
}

TEST(HostEma, MovesTheAverageTowardsTheWeights) {
  SmallStep step;
  const TensorId average = step.add(RegionKind::DEEP_EMA, {1.0, 2.0, -3.0, 0.5});
  const TensorId w = step.add(RegionKind::DEEP_WEIGHTS, kWeights);
  step.run(RangeOp::RANGE_EMA_PARAM_UPDATE, {}, {},
           {RegionKind::DEEP_EMA, RegionKind::DEEP_WEIGHTS}, EmaHyper{0.99F});
  EXPECT_THAT(step[average], Pointwise(DoubleNear(3e-7),
                                       Values{0.995000005, 1.96750003, -2.95000005, 0.495000005}));
  EXPECT_EQ(step[w], kWeights);
}

/// The AMP end of a step, op by op: cast, check, unscale, Adam, average, new scale.
struct AmpStep {
  SmallStep step;
  TensorId w, g16, g, m, v, average, lr, count, correction, found_inf, loss_scale, good_steps;

  explicit AmpStep(const Values& gradients) {
    w = step.add(RegionKind::DEEP_WEIGHTS, kWeights);
    g16 = step.add(RegionKind::DEEP_GRADIENTS_FP16, gradients, DType::F16);
    g = step.add(RegionKind::DEEP_GRADIENTS, {0, 0, 0, 0});
    m = step.add(RegionKind::DEEP_MOMENTUM, kMomentum);
    v = step.add(RegionKind::DEEP_VARIANCE, {0.01, 0.02, 0.03, 0.04});
    average = step.add(RegionKind::DEEP_EMA, kWeights);
    lr = step.add(RegionKind::SCALARS, {0.1});
    count = step.add(RegionKind::SCALARS, {7}, DType::I64);
    correction = step.add(RegionKind::SCALARS, {2, 3});
    found_inf = step.add(RegionKind::SCALARS, {5}, DType::I32);
    loss_scale = step.add(RegionKind::SCALARS, {1024});
    good_steps = step.add(RegionKind::SCALARS, {1998}, DType::I32);
  }

  void run() {
    const AdamHyper hyper;
    step.run(RangeOp::RANGE_CAST_FP16_TO_FP32, {g16}, {g}, {});
    step.run(RangeOp::RANGE_CHECK_NAN, {}, {found_inf}, {RegionKind::DEEP_GRADIENTS});
    step.run(RangeOp::RANGE_SCALE_GRADIENTS, {loss_scale, found_inf}, {},
             {RegionKind::DEEP_GRADIENTS}, GradientScaleHyper{});
    step.run(ComputeOp::ADAM_BIAS_CORRECTION, {found_inf}, {count, correction}, {}, hyper);
    step.run(RangeOp::RANGE_ADAM_UPDATE, {lr, correction, found_inf}, {}, kAdamRegions, hyper);
    step.run(RangeOp::RANGE_EMA_PARAM_UPDATE, {found_inf}, {},
             {RegionKind::DEEP_EMA, RegionKind::DEEP_WEIGHTS}, EmaHyper{});
    step.run(ComputeOp::LOSS_SCALE_UPDATE, {found_inf}, {loss_scale, good_steps}, {},
             LossScaleHyper{});
  }
};

TEST(HostAmpStep, ChangesNothingAfterAnOverflowButHalvesTheScale) {
  for (const double bad : {kInf, -kInf, std::numeric_limits<double>::quiet_NaN()}) {
    AmpStep t({100, -200, bad, 400});
    const AmpStep before = t;
    t.run();
    EXPECT_THAT(t.step[t.found_inf], ElementsAre(1));
    for (const TensorId kept : {t.w, t.m, t.v, t.average, t.count, t.correction})
      EXPECT_EQ(t.step[kept], before.step[kept]);
    EXPECT_THAT(t.step[t.loss_scale], ElementsAre(512));
    EXPECT_THAT(t.step[t.good_steps], ElementsAre(0));
  }
}

TEST(HostAmpStep, UpdatesWithTheScaleTakenOutAndDoublesItAfterEnoughGoodSteps) {
  AmpStep t({102.4, -204.8, 307.2, 409.6});
  t.run();
  EXPECT_THAT(t.step[t.found_inf], ElementsAre(0));
  EXPECT_THAT(t.step[t.g], Pointwise(DoubleNear(0x1p-12), kGradients)) << "half rounding";
  EXPECT_THAT(t.step[t.count], ElementsAre(8));
  EXPECT_NE(t.step[t.w], kWeights);
  EXPECT_NE(t.step[t.average], kWeights);
  EXPECT_THAT(t.step[t.loss_scale], ElementsAre(1024));
  EXPECT_THAT(t.step[t.good_steps], ElementsAre(1999));
  t.step.run(ComputeOp::LOSS_SCALE_UPDATE, {t.found_inf}, {t.loss_scale, t.good_steps}, {},
             LossScaleHyper{});
  EXPECT_THAT(t.step[t.loss_scale], ElementsAre(2048));
  EXPECT_THAT(t.step[t.good_steps], ElementsAre(0));
}

TEST(HostLossScale, StaysWithinItsBounds) {
  SmallStep step;
  const TensorId found_inf = step.add(RegionKind::SCALARS, {1}, DType::I32);
  const TensorId scale = step.add(RegionKind::SCALARS, {1});
  const TensorId good = step.add(RegionKind::SCALARS, {3}, DType::I32);
  LossScaleHyper hyper;
  hyper.growth_interval = 1;
  step.run(ComputeOp::LOSS_SCALE_UPDATE, {found_inf}, {scale, good}, {}, hyper);
  EXPECT_THAT(step[scale], ElementsAre(1));
  step.set(found_inf, {0});
  step.set(scale, {16777216});
  step.run(ComputeOp::LOSS_SCALE_UPDATE, {found_inf}, {scale, good}, {}, hyper);
  EXPECT_THAT(step[scale], ElementsAre(16777216));
}

TEST(HostCheckNan, FindsOneBadValueAnywhere) {
  for (const double bad : {kInf, -kInf, std::numeric_limits<double>::quiet_NaN()}) {
    for (const DType dtype : {DType::F32, DType::F16}) {
      for (std::size_t at = 0; at < 19; ++at) {
        SmallStep step;
        Values values(19, 60000.0);
        values[at] = bad;
        const TensorId x = step.add(RegionKind::FEATURES, values, dtype);
        const TensorId fine = step.add(RegionKind::DEEP_GRADIENTS, {1, 2});
        const TensorId found_inf = step.add(RegionKind::SCALARS, {7}, DType::I32);
        step.run(RangeOp::RANGE_CHECK_NAN, {x}, {found_inf}, {RegionKind::DEEP_GRADIENTS});
        EXPECT_THAT(step[found_inf], ElementsAre(1)) << name_of(dtype) << " " << at;
        step.run(RangeOp::RANGE_CHECK_NAN, {fine}, {found_inf}, {});
        EXPECT_THAT(step[found_inf], ElementsAre(0));
      }
    }
  }
}

TEST(HostScaleGradients, DividesByTheScaleAndTheMicroBatchesOrByThoseAlone) {
  SmallStep step;
  const TensorId g = step.add(RegionKind::DEEP_GRADIENTS, {8, -16});
  const TensorId scale = step.add(RegionKind::SCALARS, {2});
  step.run(RangeOp::RANGE_SCALE_GRADIENTS, {scale}, {}, {RegionKind::DEEP_GRADIENTS},
           GradientScaleHyper{4});
  EXPECT_THAT(step[g], ElementsAre(1, -2));
  step.run(RangeOp::RANGE_SCALE_GRADIENTS, {}, {}, {RegionKind::DEEP_GRADIENTS},
           GradientScaleHyper{2});
  EXPECT_THAT(step[g], ElementsAre(0.5, -1));
}

/// Every kind that knows found_inf as an input, whatever its place.
TEST(FoundInf, LeavesEveryByteAsItWasInAllThatTakeIt) {
  TestRandom random(31);
  int seen = 0;
  for (const OpDefinition& definition : op_catalog()) {
    if (definition.kind == OpKind(ComputeOp::LOSS_SCALE_UPDATE)) continue;
    for (int i = 0; i < 8; ++i) {
      const std::optional<OpCase> made = make_op_case(definition.kind, random);
      ASSERT_TRUE(made) << name_of(definition.kind);
      if (made->op.inputs.empty() || made->tensors[made->op.inputs.back()].name != "found_inf")
        continue;
      const auto planned = plan_op(*made);
      TaskArena arena(planned->op_case.tensors, planned->memory);
      arena.scramble(random);
      arena.set(made->op.inputs.back(), Values{1});
      const std::vector<std::byte> before(arena.all().begin(), arena.all().end());
      planned->run(arena);
      EXPECT_EQ(std::memcmp(before.data(), arena.all().data(), before.size()), 0) << text_of(*made);
      ++seen;
    }
  }
  EXPECT_GT(seen, 20);
}

TEST(HostAmp, RoundsOnceWhatItAddsTo) {
  // 2048 + 1 and again + 1: in halves each is a tie that goes back to 2048; one rounding of the sum
  // of both gives 2050.
  SmallRun run(ComputeOp::FC_AMP_BWD_FIRST_LAYER);
  run.input(Shape{2, 1}, {1, 1}, DType::F16);
  run.input(Shape{2, 1}, {1, 1}, DType::F16);
  run.output(Shape{1, 1}, DType::F16);
  run.output(Shape{1}, DType::F16);
  for (const TensorId output : run.made.op.outputs)
    run.given.emplace_back(output, Values{2048});
  const auto outputs = run.run();
  EXPECT_THAT(outputs[0], ElementsAre(2050));
  EXPECT_THAT(outputs[1], ElementsAre(2050));
}

TEST(HostAmp, OverflowsToInfinityAndKeepsSubnormals) {
  SmallRun run(ComputeOp::FC_AMP_FWD);
  run.input(Shape{3, 1}, {512, 0x1p-14, 1}, DType::F16);
  run.input(Shape{1, 2}, {512, 0x1p-10}, DType::F16);
  run.input(Shape{2}, {0, 0}, DType::F16);
  run.output(Shape{3, 2}, DType::F16);
  EXPECT_THAT(run.run()[0], ElementsAre(kInf, 0.5, 0x1p-5, 0x1p-24, 512, 0x1p-10));
}

TEST(HostAmp, TakesFloatsBesideHalves) {
  SmallRun run(ComputeOp::RELU_AMP_FWD);
  run.input(Shape{1, 3}, {1.0 + 0x1p-12, -1, 0.5});
  run.output(Shape{1, 3}, DType::F16);
  run.output(Shape{1, 3}, DType::U8);
  const auto outputs = run.run();
  EXPECT_THAT(outputs[0], ElementsAre(1, 0, 0.5));
  EXPECT_THAT(outputs[1], ElementsAre(1, 0, 1));
}

TEST(HostSoftmaxCe, MultipliesTheGradientByTheLossScaleInAmp) {
  SmallRun run(ComputeOp::SOFTMAX_CE_AMP_BWD);
  run.input(Shape{2, 2}, {0.25, 0.75, 0.5, 0.5});
  run.input(Shape{2}, {0, 1}, DType::I32);
  run.input(Shape{1}, {1024});
  run.output(Shape{2, 2}, DType::F16);
  EXPECT_THAT(run.run()[0], ElementsAre(-384, 384, 256, -256));
}

}  // namespace

}  // namespace quintet
