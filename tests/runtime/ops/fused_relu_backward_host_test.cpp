// The input gradient that is masked in its own task, on the host: bits, NaN, and its word on memory.
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/runtime/ops/fused_case.h"
#include "tests/runtime/ops/planned_op.h"
#include "tests/support/access_audit.h"

namespace quintet {

namespace {

using ::testing::IsEmpty;

constexpr int kReluShapes = 12;

class FusedReluBackwardHost : public ::testing::TestWithParam<OpKind> {
 protected:
  static FusedCase a_pair(TestRandom& random) {
    return with_relu_backward(make_op_case(GetParam(), random).value());
  }
};

/// All the bytes that the tasks of one lowering leave; what they do not write is all ones before.
std::vector<std::byte> bits_of(const FusedCase& both, Lowering lowering, std::uint64_t seed,
                               bool nan) {
  const auto planned = plan_ops(both.made, both.ops, lowering);
  TaskArena arena(planned->op_case.tensors, planned->memory);
  std::memset(arena.all().data(), 0xFF, arena.all().size());
  TestRandom random(seed);
  for (const Op& op : both.ops) {
    for (const TensorId input : op.inputs) {
      if (input == both.ops[0].outputs.back()) continue;
      const Tensor& tensor = both.made.tensors[input];
      std::vector<double> values(static_cast<std::size_t>(tensor.shape.elements()));
      for (double& value : values) {
        value = tensor.dtype == DType::U8 ? static_cast<double>(random.integer(0, 1))
                                          : random.real(-1, 1);
      }
      if (nan && input == both.ops[0].inputs[0]) values[values.size() / 2] = kNan;
      arena.set(input, values);
    }
  }
  for (std::size_t i = 0; i + 1 < both.ops[0].outputs.size(); ++i) {  // what parts add to
    const Tensor& tensor = both.made.tensors[both.ops[0].outputs[i]];
    arena.set(tensor.id,
              std::vector<double>(static_cast<std::size_t>(tensor.shape.elements()), 0.5));
  }
  planned->run(arena);
  std::vector<std::byte> bits;
  std::vector<TensorId> outputs = both.ops[0].outputs;
  outputs.back() = both.ops[1].outputs[0];
  for (const TensorId output : outputs) {
    const auto of_output = arena.bytes_of(output);
    bits.insert(bits.end(), of_output.begin(), of_output.end());
  }
  return bits;
}

TEST_P(FusedReluBackwardHost, GivesTheBitsOfTheTwoTasks) {
  TestRandom random(72);
  for (std::uint64_t i = 0; i < kReluShapes; ++i) {
    const FusedCase both = a_pair(random);
    for (const bool nan : {false, true}) {
      EXPECT_TRUE(bits_of(both, Lowering::fused, i, nan) ==
                  bits_of(both, Lowering::article, i, nan))
          << text_of(both.made) << (nan ? " with NaN" : "");
    }
  }
}

TEST_P(FusedReluBackwardHost, TouchesWhatItDeclares) {
  TestRandom random(73);
  for (int i = 0; i < kReluShapes; ++i) {
    const FusedCase both = a_pair(random);
    const auto planned = plan_ops(both.made, both.ops, Lowering::fused);
    ASSERT_TRUE(planned->tasks.back().fused_with);
    EXPECT_THAT(audit_accesses(planned->tasks.back(), PlannedOp::kStream, planned->op_case.tensors,
                               planned->memory, *planned->kernels.back(), random.engine()()),
                IsEmpty())
        << text_of(both.made);
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, FusedReluBackwardHost,
                         ::testing::Values(ComputeOp::FC_FP32_BWD, ComputeOp::FC_AMP_BWD),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

}  // namespace

}  // namespace quintet
