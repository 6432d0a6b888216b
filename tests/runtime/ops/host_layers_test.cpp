// Activations, normalisation, average-pooling and dropout on the host, beside what every op is
// tested for: figures computed elsewhere, extremes, and what random numbers must and must not do.
// The figures are those of NumPy in double from the formulas of the ops' headers.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/ops/vector_math.h"
#include "tests/runtime/ops/small_run.h"

namespace quintet {

namespace {

using ::testing::Pointwise;

using Doubles = std::vector<double>;

MATCHER_P(NearlyEach, tolerance, "") {
  const auto& [got, wanted] = arg;
  return std::abs(got - wanted) <= tolerance * std::max(1.0, std::abs(wanted));
}

// A few units in the last place of a float.
const auto kFloatClose = NearlyEach(5e-7);

const Doubles kArguments = {-4.0, -2.5, -0.75, -0.125, 0.375, 1.5, 4.0, 7.0};

struct ActivationFigures {
  ComputeOp forward, backward;
  DType saved;
  OpAttributes attributes;
  Doubles values, slopes;
};

const ActivationFigures kFigures[] = {
    {ComputeOp::RELU6_FP32_FWD,
     ComputeOp::RELU6_FP32_BWD,
     DType::U8,
     {},
     {0, 0, 0, 0, 0.375, 1.5, 4, 6},
     {0, 0, 0, 0, 1, 1, 1, 0}},
    {ComputeOp::LEAKY_RELU_FP32_FWD,
     ComputeOp::LEAKY_RELU_FP32_BWD,
     DType::U8,
     SlopeHyper{0.25F},
     {-1, -0.625, -0.1875, -0.03125, 0.375, 1.5, 4, 7},
     {0.25, 0.25, 0.25, 0.25, 1, 1, 1, 1}},
    {ComputeOp::TANH_FP32_FWD,
     ComputeOp::TANH_FP32_BWD,
     DType::F32,
     {},
     {-0.999329299739067, -0.9866142981514303, -0.6351489523872873, -0.12435300177159621,
      0.35835739835078595, 0.9051482536448665, 0.999329299739067, 0.9999983369439447},
     {0.0013409506830258655, 0.026592226683160525, 0.5965858082813315, 0.9845363309503934,
      0.8715799750472562, 0.18070663892364836, 0.0013409506830258655, 3.3261093448366807e-06}},
    {ComputeOp::SILU_FP32_FWD,
     ComputeOp::SILU_FP32_BWD,
     DType::F32,
     {},
     {-0.07194483984836623, -0.18964545005310887, -0.24061597561845527, -0.05859882832828047,
      0.22224997498277613, 1.2263617142904655, 3.928055160151634, 6.993622641639195},
     {-0.05266461489107291, -0.09940111134152682, 0.1574000555032465, 0.4376623797495416,
      0.6831964379239268, 1.041294154299143, 1.0526646148910728, 1.0054604970664518}},
    {ComputeOp::SIGMOID_FP32_FWD,
     ComputeOp::SIGMOID_FP32_BWD,
     DType::F32,
     {},
     {0.01798620996209156, 0.07585818002124355, 0.320821300824607, 0.46879062662624377,
      0.5926665999540697, 0.8175744761936437, 0.9820137900379085, 0.9990889488055994},
     {0.017662706213291118, 0.07010371654510815, 0.21789499376181404, 0.24902597501361745,
      0.24141290125295242, 0.14914645207033286, 0.017662706213291107, 0.000910221180121784}},
    {ComputeOp::HARDSWISH_FP32_FWD,
     ComputeOp::HARDSWISH_FP32_BWD,
     DType::F32,
     {},
     {0, -0.20833333333333334, -0.28125, -0.059895833333333336, 0.2109375, 1.125, 4, 7},
     {0, -0.3333333333333333, 0.25, 0.4583333333333333, 0.625, 1, 1, 1}},
    {ComputeOp::ELU_FP32_FWD,
     ComputeOp::ELU_FP32_BWD,
     DType::F32,
     SlopeHyper{0.5F},
     {-0.4908421805556329, -0.4589575006880506, -0.26381672362949266, -0.0587515487077023, 0.375,
      1.5, 4, 7},
     {0.00915781944436709, 0.0410424993119494, 0.23618327637050734, 0.44124845129229767, 1, 1, 1,
      1}},
};

/// {Y, saved} of X.
std::vector<Doubles> activate(const ActivationFigures& figures, const Doubles& x) {
  const Shape shape{1, static_cast<std::int64_t>(x.size())};
  SmallRun run(figures.forward);
  run.made.op.attributes = figures.attributes;
  run.input(shape, x);
  run.output(shape);
  run.output(shape, figures.saved);
  return run.run();
}

TEST(HostActivation, MatchesFiguresOfForwardAndBackwardFromNumPy) {
  for (const ActivationFigures& figures : kFigures) {
    const std::vector<Doubles> forward = activate(figures, kArguments);
    EXPECT_THAT(forward[0], Pointwise(kFloatClose, figures.values)) << name_of(figures.forward);
    const Shape shape{1, 8};
    SmallRun backward(figures.backward);
    backward.made.op.attributes = figures.attributes;
    backward.input(shape, {1, -1, 2, 1, 1, 4, 1, 1});
    backward.input(shape, forward[1], figures.saved);
    backward.output(shape);
    Doubles wanted = figures.slopes;
    wanted[1] *= -1;
    wanted[2] *= 2;
    wanted[5] *= 4;
    EXPECT_THAT(backward.run()[0], Pointwise(kFloatClose, wanted)) << name_of(figures.backward);
  }
}

TEST(HostActivation, LetsNanPass) {
  for (const ActivationFigures& figures : kFigures)
    EXPECT_TRUE(std::isnan(activate(figures, {0.5, kNan, -0.5})[0][1])) << name_of(figures.forward);
}

TEST(HostActivation, StaysFiniteFarOut) {
  constexpr double kHuge = 1e38;
  for (const ActivationFigures& figures : kFigures) {
    for (const Doubles& output : activate(figures, {-kHuge, -1000, 1000, 0})) {
      for (const double value : output)
        EXPECT_TRUE(std::isfinite(value)) << name_of(figures.forward);
    }
  }
  const auto values = [](std::size_t i) { return activate(kFigures[i], {-kHuge, -1000, 1000})[0]; };
  EXPECT_EQ(values(2), (Doubles{-1, -1, 1}));
  EXPECT_EQ(values(3), (Doubles{0, 0, 1000}));
  EXPECT_EQ(values(4), (Doubles{0, 0, 1}));
  EXPECT_EQ(values(6), (Doubles{-0.5, -0.5, 1000}));
}

TEST(ExpOfNonpositive, IsExactToAUnitInTheLastPlaceAlsoNearZero) {
  double worst_exp = 0;
  double worst_minus_1 = 0;
  for (double exponent = -30; exponent <= 6.4; exponent += 0.0007) {
    const auto x = static_cast<float>(-std::exp2(exponent));
    const Exponential got = exp_of_nonpositive(x);
    const double exact = std::exp(static_cast<double>(x));
    const double exact_minus_1 = std::expm1(static_cast<double>(x));
    worst_exp = std::max(worst_exp, std::abs(static_cast<double>(got.exp) / exact - 1));
    worst_minus_1 =
        std::max(worst_minus_1, std::abs(static_cast<double>(got.exp_minus_1) / exact_minus_1 - 1));
  }
  // Two units: 2^-23 each.
  EXPECT_LE(worst_exp, 2.4e-7);
  EXPECT_LE(worst_minus_1, 2.4e-7);
  EXPECT_EQ(exp_of_nonpositive(0.0F).exp, 1.0F);
  EXPECT_EQ(exp_of_nonpositive(-0.0F).exp_minus_1, 0.0F);
  EXPECT_EQ(exp_of_nonpositive(-88.0F).exp, 0.0F);
}

// A batch of four rows and two channels, and one step of it.
const Shape kRows{4, 2};
const Shape kChannels{2};
const Doubles kX = {0.5, -1.25, 2.0, 0.75, -1.5, 3.0, 0.25, -0.5};
const Doubles kGamma = {1.5, -0.75};
const Doubles kBeta = {0.25, 2.0};
const Doubles kMean = {0.3125, 0.5};
const Doubles kInvStd = {0.8050447599342572, 0.62091922361353};
const Doubles kBatchStats = {0.3125, 0.5, 2.0572916666666665, 3.4583333333333335};
const Doubles kRunningAfter = {0.4812499997206032, -0.3999999985098839, 1.105729168242154,
                               2.145833335506419};

TEST(HostBatchNorm, MatchesAForwardFromNumPy) {
  SmallRun run(ComputeOp::BN1D_FP32_FWD);
  run.made.op.attributes = BatchNormHyper{};
  run.input(kRows, kX);
  run.input(kChannels, kGamma);
  run.input(kChannels, kBeta);
  run.output(kRows);
  run.output(kChannels);
  run.output(kChannels);
  run.output(Shape{2, 2});
  const auto outputs = run.run();
  EXPECT_THAT(outputs[0], Pointwise(kFloatClose, Doubles{0.4764188387315098, 2.814956480992758,
                                                         2.2877695485835887, 1.883577645572463,
                                                         -1.9387154410712615, 0.8357764557246312,
                                                         0.1745270537561634, 2.4656894177101476}));
  EXPECT_THAT(outputs[1], Pointwise(kFloatClose, kMean));
  EXPECT_THAT(outputs[2], Pointwise(kFloatClose, kInvStd));
  EXPECT_THAT(outputs[3], Pointwise(kFloatClose, kBatchStats));
}

TEST(HostBatchNorm, MatchesABackwardFromNumPyAndAddsToTheWeightGradients) {
  SmallRun run(ComputeOp::BN1D_FP32_BWD);
  run.input(kRows, {1, -0.5, 0.25, 2, -0.75, 0.5, 0.5, 1.25});
  run.input(kRows, kX);
  run.input(kChannels, kGamma);
  run.input(kChannels, kMean);
  run.input(kChannels, kInvStd);
  run.output(kChannels);
  run.output(kChannels);
  run.output(kRows);
  run.given.emplace_back(run.made.op.outputs[0], Doubles{10, 20});
  run.given.emplace_back(run.made.op.outputs[1], Doubles{-10, -20});
  const auto outputs = run.run();
  EXPECT_THAT(outputs[0],
              Pointwise(kFloatClose, Doubles{10 + 1.5597742223726232, 20 + 0.8537639324686036}));
  EXPECT_THAT(outputs[1], Pointwise(kFloatClose, Doubles{-10 + 1, -20 + 3.25}));
  EXPECT_THAT(outputs[2], Pointwise(kFloatClose, Doubles{0.8345974965883317, 0.5032114965392112,
                                                         -0.6397007250393677, -0.5375767743586063,
                                                         -0.5204811759702129, 0.29982203475636027,
                                                         0.3255844044212489, -0.2654567569369652}));
}

TEST(HostBatchNorm, MatchesTheRunningStatisticsAndTheInferenceFromNumPy) {
  SmallRun stats(RangeOp::RANGE_BN_STATS_UPDATE);
  stats.made.op.attributes = BatchNormHyper{};
  stats.made.op.regions = {RegionKind::BN_RUNNING_STATS, RegionKind::BN_BATCH_STATS};
  const auto add_stats = [&](RegionKind region, const Doubles& values) {
    Tensor tensor;
    tensor.shape = Shape{2, 2};
    tensor.region = region;
    stats.given.emplace_back(stats.made.tensors.add(tensor), values);
    return stats.given.back().first;
  };
  const TensorId running = add_stats(RegionKind::BN_RUNNING_STATS, {0.5, -0.5, 1.0, 2.0});
  add_stats(RegionKind::BN_BATCH_STATS, kBatchStats);
  const auto planned = plan_op(stats.made);
  TaskArena arena(planned->op_case.tensors, planned->memory);
  for (const auto& [id, values] : stats.given)
    arena.set(id, values);
  planned->run(arena);
  EXPECT_THAT(arena.values(running), Pointwise(kFloatClose, kRunningAfter));

  SmallRun eq(ComputeOp::BN_UPDATE_EQ_PARAMS);
  eq.made.op.attributes = BatchNormHyper{};
  eq.input(kChannels, kGamma);
  eq.input(kChannels, kBeta);
  eq.input(Shape{2, 2}, kRunningAfter);
  eq.output(Shape{2, 2});
  EXPECT_THAT(eq.run()[0], Pointwise(kFloatClose, Doubles{1.4264774550606363, -0.5119909183433433,
                                                          -0.436492274849378, 1.7952036334255885}));
}

/// {Y, mean, inv_std, batch_stats} with gamma 1 and beta 0.
std::vector<Doubles> normalise(const Shape& shape, const Doubles& x) {
  const Shape channels{shape.dim(-1)};
  const auto count = static_cast<std::size_t>(shape.dim(-1));
  SmallRun run(shape.rank() == 2 ? ComputeOp::BN1D_FP32_FWD : ComputeOp::BN2D_FP32_FWD);
  run.made.op.attributes = BatchNormHyper{};
  run.input(shape, x);
  run.input(channels, Doubles(count, 1.0));
  run.input(channels, Doubles(count, 0.0));
  run.output(shape);
  run.output(channels);
  run.output(channels);
  run.output(Shape{2, shape.dim(-1)});
  return run.run();
}

TEST(HostBatchNorm, HasVarianceZeroAndNoSlopeOnASingleRow) {
  const auto outputs = normalise(Shape{1, 3}, {5, -7, 0.1});
  EXPECT_EQ(outputs[0], (Doubles{0, 0, 0}));
  for (std::size_t c = 3; c < 6; ++c)
    EXPECT_EQ(outputs[3][c], 0.0);
}

TEST(HostBatchNorm, KeepsTheVarianceOfValuesFarFromZero) {
  // 4096 + {0, 1/16, ..., 15/16}: exact in float; E[x^2] - E[x]^2 in float would have no digit left.
  const Shape shape{10, 16, 10, 3};
  Doubles x;
  for (std::int64_t i = 0; i < shape.elements(); ++i)
    x.push_back(4096 + static_cast<double>((i / 3) % 16) / 16);
  const auto outputs = normalise(shape, x);
  const double rows = 1600;
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(outputs[1][c], 4096.46875, 1e-3);
    EXPECT_NEAR(outputs[3][3 + c], 255.0 / 12 / 256 * rows / (rows - 1), 1e-7);
  }
}

TEST(HostBatchNorm, KeepsTheVarianceWhereTheFirstRowsLieFarFromTheRest) {
  const std::int64_t rows = 20'000;
  Doubles x;
  for (std::int64_t i = 0; i < rows; ++i)
    x.push_back(i < 32 ? 30'000.0 : static_cast<double>(i % 2));
  double mean = 0;
  for (const double value : x)
    mean += value / static_cast<double>(rows);
  double variance = 0;
  for (const double value : x)
    variance += (value - mean) * (value - mean) / static_cast<double>(rows - 1);
  const auto outputs = normalise(Shape{rows, 1}, x);
  EXPECT_NEAR(outputs[1][0] / mean, 1, 1e-6);
  EXPECT_NEAR(outputs[3][1] / variance, 1, 1e-6);
}

TEST(HostAvgpool, LeavesPaddingOutOfTheMean) {
  SmallRun run(ComputeOp::AVGPOOL_FP32_FWD);
  run.made.op.attributes = Window{2, 2, 1, 1, 0, 1};
  run.input(Shape{1, 2, 2, 1}, {1, 2, 3, 4});
  run.output(Shape{1, 1, 3, 1});
  EXPECT_EQ(run.run()[0], (Doubles{2, 2.5, 3}));
}

TEST(HostGap, DoesNotDriftOverManyPixels) {
  // Sums of 32 in float, then double: at most 31 roundings of 2^-24, where a running float sum of
  // 3125 rows may be off by a hundred times that.
  SmallRun run(ComputeOp::GAP_FP32_FWD);
  run.input(Shape{1, 400, 500, 1}, Doubles(200'000, 0.1));
  run.output(Shape{1, 1});
  EXPECT_NEAR(run.run()[0][0], static_cast<double>(0.1F), 0.1 * 31 * 0x1p-24);
}

TEST(HostAdd, AddsATensorToItself) {
  SmallRun run(ComputeOp::ADD_FP32_FWD);
  run.input(Shape{3}, {1, -2, 0.5});
  run.made.op.inputs.push_back(run.made.op.inputs[0]);
  run.output(Shape{3});
  EXPECT_EQ(run.run()[0], (Doubles{2, -4, 1}));
}

TEST(HostSoftmaxCe, MatchesASmoothedLossFromNumPy) {
  SmallRun forward(ComputeOp::SOFTMAX_CE_FP32_FWD);
  forward.made.op.attributes = LossHyper{0.1F};
  forward.input(Shape{2, 3}, {1.0, -0.5, 2.0, 0.25, 0.75, -1.0});
  forward.input(Shape{2}, {2, 0}, DType::I32);
  forward.output(Shape{2, 3});
  forward.output(Shape{2});
  const auto outputs = forward.run();
  EXPECT_THAT(outputs[1], Pointwise(kFloatClose, Doubles{0.48820570025781823, 1.1017844754087625}));
  SmallRun backward(ComputeOp::SOFTMAX_CE_FP32_BWD);
  backward.made.op.attributes = LossHyper{0.1F};
  backward.input(Shape{2, 3}, outputs[0]);
  backward.input(Shape{2}, {2, 0}, DType::I32);
  backward.output(Shape{2, 3});
  EXPECT_THAT(backward.run()[0],
              Pointwise(kFloatClose,
                        Doubles{0.11019142390249327, 0.011639199205216291, -0.12183062310770948,
                                -0.29632203564016135, 0.26418414878901625, 0.03213788685114512}));
}

/// The mask of a step over `count` elements.
Doubles dropout_mask(const DropoutHyper& hyper, std::int64_t step, std::int64_t count) {
  SmallRun run(ComputeOp::DROPOUT_FP32_FWD);
  run.made.op.attributes = hyper;
  run.input(Shape{count}, Doubles(static_cast<std::size_t>(count), 1.0));
  run.input(Shape{1}, {static_cast<double>(step)}, DType::I64);
  run.output(Shape{count});
  run.output(Shape{count}, DType::U8);
  return run.run()[1];
}

double share_of_ones(const Doubles& mask) {
  double sum = 0;
  for (const double kept : mask)
    sum += kept;
  return sum / static_cast<double>(mask.size());
}

double share_of_equals(const Doubles& a, const Doubles& b) {
  double equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    equal += a[i] == b[i] ? 1 : 0;
  return equal / static_cast<double>(a.size());
}

constexpr std::int64_t kElements = 100'000;

/// Six standard deviations of the mean of kElements independent draws with that probability.
double six_sigma(double probability) {
  return 6 * std::sqrt(probability * (1 - probability) / static_cast<double>(kElements));
}

TEST(HostDropout, KeepsTheShareItShould) {
  for (const float p : {0.1F, 0.5F, 0.8F}) {
    const double kept = share_of_ones(dropout_mask({p, 7}, 3, kElements));
    EXPECT_NEAR(kept, 1 - static_cast<double>(p), six_sigma(static_cast<double>(p)));
  }
  EXPECT_EQ(share_of_ones(dropout_mask({0.0F, 7}, 3, 1001)), 1.0);
}

TEST(HostDropout, DrawsAnotherMaskForAnotherStepOrSeed) {
  // Two independent fair masks agree in half of their elements.
  const Doubles mask = dropout_mask({0.5F, 7}, 3, kElements);
  const std::int64_t far = std::int64_t{1} << 33;
  for (const Doubles& another :
       {dropout_mask({0.5F, 7}, 4, kElements), dropout_mask({0.5F, 7}, 3 + far, kElements),
        dropout_mask({0.5F, 8}, 3, kElements),
        dropout_mask({0.5F, 7 + (std::uint64_t{1} << 33)}, 3, kElements)}) {
    EXPECT_NEAR(share_of_equals(mask, another), 0.5, six_sigma(0.5));
  }
}

TEST(HostDropout, DrawsTheSameMaskWhateverRanBeforeAndHoweverLongTheTensor) {
  const Doubles mask = dropout_mask({0.5F, 7}, 3, kElements);
  dropout_mask({0.5F, 7}, 9, 50);
  const Doubles shorter = dropout_mask({0.5F, 7}, 3, 1003);
  EXPECT_EQ(shorter, Doubles(mask.begin(), mask.begin() + 1003));
}

TEST(HostDropout, NeighboursAreIndependent) {
  const Doubles mask = dropout_mask({0.5F, 7}, 3, kElements + 1);
  const Doubles from_second(mask.begin() + 1, mask.end());
  const Doubles but_last(mask.begin(), mask.end() - 1);
  EXPECT_NEAR(share_of_equals(but_last, from_second), 0.5, six_sigma(0.5));
}

}  // namespace

}  // namespace quintet
