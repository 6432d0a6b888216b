#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/ops/fused_case.h"
#include "tests/runtime/ops/op_expectations.h"
#include "tests/runtime/ops/planned_op.h"
#include "tests/support/access_audit.h"

namespace quintet {

namespace {

using ::testing::IsEmpty;

constexpr int kFusedShapes = 20;

/// The ops planned under one lowering, with the inputs that `seed` gives.
struct PreparedRun {
  std::unique_ptr<PlannedOp> planned;
  TaskArena arena;

  PreparedRun(const FusedCase& both, Lowering lowering, std::uint64_t seed, bool nan)
      : planned(plan_ops(both.made, both.ops, lowering)),
        arena(planned->op_case.tensors, planned->memory) {
    std::memset(arena.all().data(), 0xFF, arena.all().size());
    TestRandom random(seed);
    fill_inputs(arena, planned->tasks[0], planned->op_case.tensors, random);
    if (!nan) return;
    std::vector<double> x = arena.values(both.ops[0].inputs[0]);
    x[x.size() / 2] = kNan;
    arena.set(both.ops[0].inputs[0], x);
  }
};

class EveryFusion : public ::testing::TestWithParam<FusionPattern> {};

TEST_P(EveryFusion, GivesTheBitsOfTheTwoTasks) {
  TestRandom random(32);
  for (std::uint64_t i = 0; i < kFusedShapes; ++i) {
    const FusedCase both = make_fused_case(GetParam(), random);
    for (const bool nan : {false, true}) {
      PreparedRun two(both, Lowering::article, i, nan);
      PreparedRun one(both, Lowering::fused, i, nan);
      two.planned->run(two.arena);
      one.planned->run(one.arena);
      std::vector<TensorId> outputs(both.ops[0].outputs.begin() + 1, both.ops[0].outputs.end());
      outputs.insert(outputs.end(), both.ops[1].outputs.begin(), both.ops[1].outputs.end());
      for (const TensorId output : outputs) {
        const auto wanted = two.arena.bytes_of(output);
        const auto got = one.arena.bytes_of(output);
        EXPECT_TRUE(std::equal(got.begin(), got.end(), wanted.begin(), wanted.end()))
            << both.made.tensors[output].name << (nan ? " with NaN of " : " of ")
            << text_of(both.made);
      }
    }
  }
}

/// Relative to the norm: the kernels' errors, and those of rounding to halves where Y holds them.
double tolerance(DType dtype) {
  return dtype == DType::F16 ? 0x1p-11 + 2e-4 : 1e-4;
}

TEST_P(EveryFusion, AgreesWithTheReferenceOfTheProducerAndTheDefinitionOfRelu) {
  TestRandom random(33);
  for (std::uint64_t i = 0; i < kFusedShapes; ++i) {
    const FusedCase both = make_fused_case(GetParam(), random);
    PreparedRun run(both, Lowering::fused, i, false);
    TensorValues before;
    for (const Tensor& tensor : both.made.tensors.all())
      before[tensor.id] = run.arena.values(tensor.id);
    const auto expected = expected_outputs(both.made, before);
    ASSERT_TRUE(expected) << text_of(both.made);
    run.planned->run(run.arena);
    const std::vector<double>& between = expected->at(both.ops[0].outputs[0]);
    const std::vector<double> y = run.arena.values(both.ops[1].outputs[0]);
    double difference = 0;
    double norm = 0;
    for (std::size_t k = 0; k < y.size(); ++k) {
      difference += std::pow(y[k] - std::max(0.0, between[k]), 2);
      norm += between[k] * between[k];
    }
    const DType dtype = both.made.tensors[both.ops[1].outputs[0]].dtype;
    EXPECT_TRUE(std::sqrt(difference) <= tolerance(dtype) * std::sqrt(norm)) << text_of(both.made);
    if (both.ops[1].outputs.size() < 2) continue;
    const std::vector<double> mask = run.arena.values(both.ops[1].outputs[1]);
    for (std::size_t k = 0; k < y.size(); ++k)
      EXPECT_EQ(mask[k], y[k] > 0 ? 1.0 : 0.0);
  }
}

TEST_P(EveryFusion, TouchesWhatItDeclares) {
  TestRandom random(34);
  for (int i = 0; i < 8; ++i) {
    const FusedCase both = make_fused_case(GetParam(), random);
    const auto planned = plan_ops(both.made, both.ops, Lowering::fused);
    ASSERT_EQ(planned->tasks.size(), 1);
    EXPECT_THAT(audit_accesses(planned->tasks[0], PlannedOp::kStream, planned->op_case.tensors,
                               planned->memory, *planned->kernels[0], random.engine()()),
                IsEmpty())
        << text_of(both.made);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryFusion, ::testing::ValuesIn(fusion_catalog()),
                         [](const auto& tested) {
                           return std::string(name_of(tested.param.producer)) + "_" +
                                  std::string(name_of(tested.param.consumer));
                         });

}  // namespace

}  // namespace quintet
