// Updates and extremes on the GPU, beside what every kernel is tested for: overflow on the device,
// NaN, infinities, ties, and roundings.
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "runtime/ops/op_catalog.h"
#include "tests/runtime/ops/planned_cuda_op.h"
#include "tests/runtime/ops/small_run.h"

namespace quintet {

namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::NanSensitiveDoubleNear;
using ::testing::Pointwise;

using Values = std::vector<double>;

constexpr double kInf = std::numeric_limits<double>::infinity();

class CudaUpdates : public CudaOpTest {
 protected:
  /// Values of the outputs, in order.
  static std::vector<Values> run(const SmallRun& given) {
    const auto planned = plan_cuda_op(given.made, device());
    std::memset(planned->arena->all().data(), 0xFF, planned->arena->all().size());
    for (const auto& [id, values] : given.given)
      planned->arena->set(id, values);
    planned->run();
    std::vector<Values> outputs;
    for (const TensorId id : given.made.op.outputs)
      outputs.push_back(planned->arena->values(id));
    return outputs;
  }

  /// Expects of the GPU what the host gives, NaN where it has NaN.
  static void expect_as_on_host(SmallRun given, double tolerance) {
    const std::vector<Values> wanted = given.run();
    const std::vector<Values> got = run(given);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_THAT(got[i], Pointwise(NanSensitiveDoubleNear(tolerance), wanted[i]))
          << "output " << i << " of " << name_of(given.made.op.kind);
    }
  }
};

/// The extremes of the other ops.
class CudaExtremes : public CudaUpdates {};

TEST_F(CudaUpdates, LeaveEveryByteAsItWasWhereFoundInfIsSet) {
  TestRandom random(61);
  int seen = 0;
  for (const OpDefinition& definition : op_catalog()) {
    if (definition.kind == OpKind(ComputeOp::LOSS_SCALE_UPDATE)) continue;
    for (int i = 0; i < 8; ++i) {
      const std::optional<OpCase> made = make_op_case(definition.kind, random);
      ASSERT_TRUE(made) << name_of(definition.kind);
      if (made->op.inputs.empty() || made->tensors[made->op.inputs.back()].name != "found_inf")
        continue;
      const auto planned = plan_cuda_op(*made, device());
      TaskArena& arena = *planned->arena;
      arena.scramble(random);
      arena.set(made->op.inputs.back(), Values{1});
      const std::vector<std::byte> before(arena.all().begin(), arena.all().end());
      planned->run_task(0, arena);
      EXPECT_EQ(std::memcmp(before.data(), arena.all().data(), before.size()), 0) << text_of(*made);
      ++seen;
    }
  }
  EXPECT_GT(seen, 20);
}

TEST_F(CudaUpdates, FindOneBadValueAnywhereAndNoneElsewhere) {
  for (const DType dtype : {DType::F32, DType::F16}) {
    for (const std::int64_t size : {19, 4096, 8195}) {
      for (const std::int64_t at :
           {std::int64_t{0}, std::int64_t{3}, size / 2, size - 2, size - 1}) {
        for (const double bad : {kInf, -kInf, kNan, 60000.0}) {
          SmallRun check(RangeOp::RANGE_CHECK_NAN);
          Values values(static_cast<std::size_t>(size), -60000.0);
          values[static_cast<std::size_t>(at)] = bad;
          check.input(Shape{7}, Values(7, 1.0));
          check.input(Shape{size}, values, dtype);
          check.output(Shape{1}, DType::I32);
          EXPECT_THAT(run(check)[0], ElementsAre(std::isfinite(bad) ? 0 : 1))
              << bad << " as " << name_of(dtype) << " at " << at << " of " << size;
        }
      }
    }
  }
}

/// W of LARS over one tensor of two elements, from `w` and `g`.
SmallRun lars_of(Values w, Values g) {
  SmallRun lars(ComputeOp::LARS_UPDATE_FIRST);
  lars.made.op.attributes = LarsHyper{0.5F, 0.0F, 0.02F, 1e-9F};
  lars.input(Shape{}, {0.5});
  lars.input(Shape{2}, std::move(g));
  lars.output(Shape{2});
  lars.given.emplace_back(lars.made.op.outputs.back(), std::move(w));
  lars.output(Shape{2});
  lars.given.emplace_back(lars.made.op.outputs.back(), Values{2, 0});
  return lars;
}

TEST_F(CudaUpdates, TakeThePlainRateOfLarsWhereANormIsZero) {
  EXPECT_THAT(run(lars_of({1, 2}, {0, 0}))[0], ElementsAre(0.5, 2));
  expect_as_on_host(lars_of({0, 0}, {1, -3}), 0);
  expect_as_on_host(lars_of({1e-30, 0}, {1e30, 1}), 1e-6);
  expect_as_on_host(lars_of({kNan, 1}, {1, 1}), 1e-6);
}

TEST_F(CudaUpdates, TakeTheNearestEntryForACounterOutsideTheTable) {
  for (const auto& [counter, rate] : {std::pair{-4.0, 0.5}, {1.0, 0.25}, {99.0, 0.125}}) {
    SmallRun table(ComputeOp::LR_FROM_TABLE);
    table.input(Shape{3}, {0.5, 0.25, 0.125});
    table.input(Shape{}, {counter}, DType::I64);
    table.output(Shape{});
    EXPECT_THAT(run(table)[0], ElementsAre(rate));
  }
}

TEST_F(CudaUpdates, RoundToTheNearestEvenHalf) {
  const Values floats = {65519, 65520, -1e9, 0x1p-24, 0x1p-25, 0x1.8p-24,
                         2049,  2051,  kInf, kNan,    -0.0};
  SmallRun cast(RangeOp::RANGE_CAST_FP32_TO_FP16);
  cast.input(Shape{11}, floats);
  cast.output(Shape{11}, DType::F16);
  EXPECT_THAT(run(cast)[0],
              Pointwise(NanSensitiveDoubleNear(0), Values{65504, kInf, -kInf, 0x1p-24, 0, 0x1p-23,
                                                          2048, 2052, kInf, kNan, 0}));
  expect_as_on_host(cast, 0);
}

TEST_F(CudaUpdates, RoundOnceWhatIsAddedToInHalves) {
  // 2048 + 1 and again + 1: in halves each is a tie that goes back to 2048.
  SmallRun gradients(ComputeOp::FC_AMP_BWD_FIRST_LAYER);
  gradients.input(Shape{2, 1}, {1, 1}, DType::F16);
  gradients.input(Shape{2, 1}, {1, 1}, DType::F16);
  gradients.output(Shape{1, 1}, DType::F16);
  gradients.output(Shape{1}, DType::F16);
  for (const TensorId output : gradients.made.op.outputs)
    gradients.given.emplace_back(output, Values{2048});
  const std::vector<Values> outputs = run(gradients);
  EXPECT_THAT(outputs[0], ElementsAre(2050));
  EXPECT_THAT(outputs[1], ElementsAre(2050));
}

TEST_F(CudaUpdates, SumABiasGradientExactlyOverManyRowsOfFewColumns) {
  constexpr std::int64_t kRows = 100'000;
  for (const std::int64_t columns : {1, 3, 8, 24}) {
    const auto count = static_cast<std::size_t>(kRows * columns);
    SmallRun gradients(ComputeOp::FC_FP32_BWD_FIRST_LAYER);
    gradients.input(Shape{kRows, columns}, Values(count, 0.1));
    gradients.input(Shape{kRows, 1}, Values(kRows, 0.0));
    gradients.output(Shape{1, columns});
    gradients.output(Shape{columns});
    for (const TensorId output : gradients.made.op.outputs)
      gradients.given.emplace_back(output, Values(static_cast<std::size_t>(columns), 0.0));
    const double wanted = static_cast<double>(0.1F) * kRows;
    EXPECT_THAT(run(gradients)[1], Each(::testing::DoubleNear(wanted, 1e-2)));
  }
}

TEST_F(CudaExtremes, AreTheHostsInActivations) {
  const Values x = {kNan, 0.0, -0.0, 2.0, -3.0, 6.0, 1e38, -1e38, 1000, -1000, 0.25, -0.25};
  const Shape shape{1, static_cast<std::int64_t>(x.size())};
  const std::pair<ComputeOp, DType> kinds[] = {
      {ComputeOp::RELU_FP32_FWD, DType::U8},       {ComputeOp::RELU6_FP32_FWD, DType::U8},
      {ComputeOp::LEAKY_RELU_FP32_FWD, DType::U8}, {ComputeOp::TANH_FP32_FWD, DType::F32},
      {ComputeOp::SILU_FP32_FWD, DType::F32},      {ComputeOp::SIGMOID_FP32_FWD, DType::F32},
      {ComputeOp::HARDSWISH_FP32_FWD, DType::F32}, {ComputeOp::ELU_FP32_FWD, DType::F32}};
  for (const auto& [kind, saved] : kinds) {
    SmallRun forward(kind);
    if (kind == ComputeOp::LEAKY_RELU_FP32_FWD || kind == ComputeOp::ELU_FP32_FWD)
      forward.made.op.attributes = SlopeHyper{0.25F};
    forward.input(shape, x);
    forward.output(shape);
    forward.output(shape, saved);
    expect_as_on_host(forward, 2e-6);
  }
}

TEST_F(CudaExtremes, LetNanWinAMaximumAndTakeTheFirstOfEquals) {
  SmallRun pool(ComputeOp::MAXPOOL_FP32_FWD);
  pool.made.op.attributes = Window{1, 3, 1, 3, 0, 0};
  pool.input(Shape{1, 1, 9, 1}, {5, kNan, 7, 1, 4, 4, -9, -8, -8});
  pool.output(Shape{1, 1, 3, 1});
  pool.output(Shape{1, 1, 3, 1}, DType::U8);
  EXPECT_THAT(run(pool)[1], ElementsAre(1, 1, 1));
  expect_as_on_host(pool, 0);
}

TEST_F(CudaExtremes, KeepTheLossFiniteOnHugeScoresAndNanForALabelThatIsNoClass) {
  SmallRun loss(ComputeOp::SOFTMAX_CE_FP32_FWD);
  loss.input(Shape{5, 3}, {1e30, 0, -1e30, 500, 499, -700, 0, 0, 0, 0, 0, 0, kNan, 0, 0});
  loss.input(Shape{5}, {0, 2, -1, 3, 1}, DType::I32);
  loss.output(Shape{5, 3});
  loss.output(Shape{5});
  EXPECT_TRUE(std::isnan(run(loss)[1][2]));
  expect_as_on_host(loss, 1e-3);
}

TEST_F(CudaExtremes, CountTheFirstOfEqualProbabilitiesAsTheGuess) {
  SmallRun metrics(ComputeOp::METRICS);
  metrics.input(Shape{3}, {0.5, 0.25, 0.75});
  metrics.input(Shape{3, 2}, {0.5, 0.5, 0.5, 0.5, 0.25, 0.75});
  metrics.input(Shape{3}, {0, 1, 1}, DType::I32);
  metrics.output(Shape{2}, DType::F64);
  EXPECT_THAT(run(metrics)[0], ElementsAre(0.5, 2));
}

}  // namespace

}  // namespace quintet
