// Every CUDA kernel against the host's, on random shapes and on those of networks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>

#include "runtime/ops/cuda_kernel_catalog.h"
#include "runtime/ops/fusion.h"
#include "runtime/ops/host_kernel_catalog.h"
#include "runtime/ops/op_catalog.h"
#include "tests/runtime/ops/amp_cases.h"
#include "tests/runtime/ops/cuda_duel.h"
#include "tests/runtime/ops/fused_case.h"
#include "tests/runtime/ops/large_cases.h"
#include "tests/support/access_audit.h"

namespace quintet {

namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

constexpr int kCudaShapes = 6;

std::vector<std::pair<OpKind, TaskPart>> lines_of(const auto& catalog) {
  std::vector<std::pair<OpKind, TaskPart>> lines;
  for (const auto& entry : catalog)
    lines.emplace_back(entry.kind, entry.part);
  return lines;
}

std::vector<std::pair<OpKind, OpKind>> pairs_of(const auto& catalog) {
  std::vector<std::pair<OpKind, OpKind>> pairs;
  for (const auto& entry : catalog)
    pairs.emplace_back(entry.producer, entry.consumer);
  return pairs;
}

TEST(CudaKernelCatalog, HoldsExactlyTheKindsAndPartsOfTheHosts) {
  EXPECT_THAT(lines_of(cuda_kernel_catalog()),
              UnorderedElementsAreArray(lines_of(host_kernel_catalog())));
}

TEST(CudaKernelCatalog, HoldsExactlyWhatTheFusedLoweringYields) {
  EXPECT_THAT(pairs_of(fused_cuda_kernel_catalog()), UnorderedElementsAreArray(fused_kinds()));
}

/// Kinds that a kernel runs: neither views nor host tasks.
std::vector<OpKind> kinds_with_kernels() {
  std::vector<OpKind> kinds;
  for (const OpDefinition& definition : op_catalog()) {
    if (!definition.view && !runs_on_host(definition.kind)) kinds.push_back(definition.kind);
  }
  return kinds;
}

std::string name_of_parameter(const ::testing::TestParamInfo<OpKind>& tested) {
  return std::string(name_of(tested.param));
}

/// What a task touches beyond what it declares.
std::vector<std::string> audit(PlannedCudaOp& planned, std::size_t index, TestRandom& random) {
  const ArenaRun run = [&](TaskArena& arena) { planned.run_task(index, arena); };
  return audit_accesses(planned.tasks[index], PlannedCudaOp::kStream, planned.op_case.tensors,
                        planned.memory, run, random.engine()());
}

class EveryCudaOp : public CudaOpTest, public ::testing::WithParamInterface<OpKind> {};

TEST_P(EveryCudaOp, AgreesWithTheHostAndGivesTheSameBitsAgain) {
  TestRandom random(51);
  for (int i = 0; i < kCudaShapes; ++i) {
    CudaDuel duel(make_op_case(GetParam(), random).value(), device(), random);
    duel.expect_agreement();
    duel.expect_same_bits_again();
  }
}

TEST_P(EveryCudaOp, TouchesWhatItDeclares) {
  TestRandom random(52);
  for (int i = 0; i < kCudaShapes; ++i) {
    const auto planned = plan_cuda_op(make_op_case(GetParam(), random).value(), device());
    for (std::size_t k = 0; k < planned->tasks.size(); ++k)
      EXPECT_THAT(audit(*planned, k, random), IsEmpty()) << text_of(planned->op_case);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryCudaOp, ::testing::ValuesIn(kinds_with_kernels()),
                         name_of_parameter);

class EveryCudaFusion : public CudaOpTest, public ::testing::WithParamInterface<FusionPattern> {
 protected:
  static CudaDuelist duelist(TestRandom& random) {
    FusedCase both = make_fused_case(GetParam(), random);
    return {std::move(both.made), std::move(both.ops), Lowering::fused};
  }
};

/// The mask says what Y's own elements are: one that is 0 on one side and tiny on the other is
/// within the tolerance of Y.
void expect_mask_of_y(PlannedCudaOp& planned, TensorId y, TensorId mask, const std::string& where) {
  const std::vector<double> values = planned.arena->values(y);
  const std::vector<double> bits = planned.arena->values(mask);
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(bits[i], values[i] > 0 ? 1.0 : 0.0) << "element " << i << " of the mask in " << where;
}

TEST_P(EveryCudaFusion, AgreesWithTheHostAndGivesTheSameBitsAgain) {
  TestRandom random(53);
  for (int i = 0; i < kCudaShapes; ++i) {
    CudaDuelist given = duelist(random);
    const std::vector<TensorId> of_relu = given.ops[1].outputs;
    CudaDuel duel(std::move(given), device(), random);
    ASSERT_EQ(duel.cuda().tasks.size(), 1);
    duel.expect_agreement(duel.cuda().tasks[0].fused_with->first_operand);
    if (of_relu.size() > 1) expect_mask_of_y(duel.cuda(), of_relu[0], of_relu[1], duel.where());
    duel.expect_same_bits_again();
  }
}

TEST_P(EveryCudaFusion, TouchesWhatItDeclares) {
  TestRandom random(54);
  for (int i = 0; i < kCudaShapes; ++i) {
    const CudaDuelist given = duelist(random);
    const auto planned = plan_cuda_ops(given.op_case, given.ops, given.lowering, device());
    EXPECT_THAT(audit(*planned, 0, random), IsEmpty()) << text_of(given.op_case);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryCudaFusion, ::testing::ValuesIn(fusion_catalog()),
                         [](const auto& tested) {
                           return std::string(name_of(tested.param.producer)) + "_" +
                                  std::string(name_of(tested.param.consumer));
                         });

OpKind amp_twin_of(OpKind fp32) {
  std::string name(name_of(fp32));
  return op_kind_from_name(name.replace(name.find("_FP32_"), 6, "_AMP_")).value();
}

std::string name_of_case(const ::testing::TestParamInfo<LargeCase>& tested) {
  return tested.param.name;
}

class LargeCuda : public CudaOpTest, public ::testing::WithParamInterface<LargeCase> {};

TEST_P(LargeCuda, AgreesWithTheHostAndGivesTheSameBitsAgain) {
  TestRandom random(55);
  CudaDuel duel(GetParam().make(), device(), random);
  duel.expect_agreement();
  duel.expect_same_bits_again();
}

class LargeCudaAmp : public LargeCuda {};

TEST_P(LargeCudaAmp, AgreesWithTheHostAndGivesTheSameBitsAgain) {
  TestRandom random(56);
  const OpCase fp32 = GetParam().make();
  CudaDuel duel(in_amp(fp32, amp_twin_of(fp32.op.kind)), device(), random);
  duel.expect_agreement();
  duel.expect_same_bits_again();
}

INSTANTIATE_TEST_SUITE_P(Layers, LargeCuda, ::testing::ValuesIn(large_layer_cases()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Updates, LargeCuda, ::testing::ValuesIn(large_update_cases()),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(Layers, LargeCudaAmp, ::testing::ValuesIn(large_layer_cases()),
                         name_of_case);

class CudaKernels : public CudaOpTest {};

TEST_F(CudaKernels, AreNotTheProducersForAFusedTask) {
  Task task;
  task.name = "conv1/CONV_FP32_FWD/Y";
  task.kind = ComputeOp::CONV_FP32_FWD;
  task.fused_with = FusedOp{ComputeOp::TANH_FP32_FWD, 3};
  const auto kernel = make_cuda_kernel(task, TensorTable(), device().planner);
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().message, HasSubstr("part Y of CONV_FP32_FWD with TANH_FP32_FWD"));
}

}  // namespace

}  // namespace quintet
