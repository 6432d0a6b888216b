#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

#include "runtime/host/openmp_pin.h"
#include "runtime/ops/fusion.h"
#include "runtime/ops/host_kernel_catalog.h"
#include "runtime/ops/op_catalog.h"
#include "tests/runtime/ops/op_expectations.h"
#include "tests/runtime/ops/planned_op.h"
#include "tests/runtime/ops/small_run.h"

namespace quintet {

namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr int kKernelShapes = 40;
constexpr double kTolerance = 1e-4;

/// Kinds that a kernel runs: neither views nor host tasks.
std::vector<OpKind> kinds_with_kernels() {
  std::vector<OpKind> kinds;
  for (const OpDefinition& definition : op_catalog()) {
    if (!definition.view && !runs_on_host(definition.kind)) kinds.push_back(definition.kind);
  }
  return kinds;
}

/// All bits of what the op writes become 1 (a NaN), what it reads gets sensible values.
void prepare(PlannedOp& planned, TaskArena& arena, TestRandom& random) {
  std::memset(arena.all().data(), 0xFF, arena.all().size());
  for (const Task& task : planned.tasks)
    fill_inputs(arena, task, planned.op_case.tensors, random);
}

TensorValues values_of_all(const PlannedOp& planned, TaskArena& arena) {
  TensorValues values;
  for (const Tensor& tensor : planned.op_case.tensors.all())
    values[tensor.id] = arena.values(tensor.id);
  return values;
}

double relative_error(const std::vector<double>& got, const std::vector<double>& wanted) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    difference += (got[i] - wanted[i]) * (got[i] - wanted[i]);
    norm += wanted[i] * wanted[i];
  }
  if (difference == 0) return 0;
  return std::sqrt(difference / norm);
}

double norm_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values)
    sum += value * value;
  return std::sqrt(sum);
}

/// How far an FP16 tensor may be off. Halves widen to floats exactly, so the only errors are those
/// of the FP32 kernel (a relative kTolerance in the norm, as in FP32) and one rounding of each
/// element at the end. That rounding adds at most u = 2^-11 of the element where it is normal (half a
/// unit in the last of 11 places) and at most half of the least subnormal, 2^-25, where it is not;
/// over n elements: ||got - wanted|| <= (u + (1 + u) kTolerance) ||wanted|| + sqrt(n) 2^-25.
double half_tolerance(const std::vector<double>& wanted) {
  constexpr double kUnitRoundoff = 0x1p-11;
  const double norm = norm_of(wanted);
  if (norm == 0) return 0;
  return kUnitRoundoff + (1 + kUnitRoundoff) * kTolerance +
         std::sqrt(static_cast<double>(wanted.size())) * 0x1p-25 / norm;
}

void compare(const Tensor& tensor, const std::vector<double>& got,
             const std::vector<double>& wanted, const OpCase& op_case) {
  ASSERT_EQ(got.size(), wanted.size());
  if (tensor.dtype == DType::F16) {
    const double error = relative_error(got, wanted);
    EXPECT_TRUE(error <= half_tolerance(wanted))  // false for NaN
        << tensor.name << " is off by " << error << " in " << text_of(op_case);
  } else if (tensor.dtype == DType::F32 || tensor.dtype == DType::F64) {
    const double error = relative_error(got, wanted);
    EXPECT_TRUE(error <= kTolerance)  // false for NaN
        << tensor.name << " is off by " << error << " in " << text_of(op_case);
  } else {
    EXPECT_EQ(got, wanted) << tensor.name << " in " << text_of(op_case);
  }
}

class EveryOp : public ::testing::TestWithParam<OpKind> {};

TEST_P(EveryOp, AgreesWithItsReferenceOnRandomShapes) {
  TestRandom random(11);
  for (int i = 0; i < kKernelShapes; ++i) {
    const auto planned = plan_op(GetParam(), random);
    TaskArena arena(planned->op_case.tensors, planned->memory);
    prepare(*planned, arena, random);
    const auto wanted = expected_outputs(planned->op_case, values_of_all(*planned, arena));
    ASSERT_TRUE(wanted) << "no reference: add one to op_expectations.cpp";
    planned->run(arena);
    for (const auto& [id, values] : *wanted) {
      compare(planned->op_case.tensors[id], arena.values(id), values, planned->op_case);
    }
  }
}

TEST_P(EveryOp, HasAKernelForEachPartThatIsNoReferenceImplementation) {
  TestRandom random(12);
  for (int i = 0; i < kKernelShapes; ++i) {
    const auto planned = plan_op(GetParam(), random);
    for (std::size_t k = 0; k < planned->tasks.size(); ++k) {
      EXPECT_THAT(planned->kernels[k]->implementation(), Not(StartsWith("ref")))
          << text_of(planned->op_case);
    }
  }
}

/// The bytes of the op's outputs after a run in an arena moved by `shift`, from seed-given inputs.
std::vector<std::byte> output_bytes(PlannedOp& planned, std::uint64_t shift, std::uint64_t seed) {
  TestRandom random(seed);
  TaskArena arena(planned.op_case.tensors, planned.memory, shift);
  prepare(planned, arena, random);
  planned.run(arena);
  std::vector<std::byte> bytes;
  for (const Task& task : planned.tasks) {
    for (const Operand& operand : task.operands) {
      if (!writes(operand.mode)) continue;
      const auto* id = std::get_if<TensorId>(&operand.target);
      const auto written = id != nullptr ? arena.bytes_of(*id)
                                         : arena.bytes_of(std::get<RegionKind>(operand.target));
      bytes.insert(bytes.end(), written.begin(), written.end());
    }
  }
  return bytes;
}

TEST_P(EveryOp, GivesTheSameBitsAtOtherAddressesFromOtherThreadsAndAgain) {
  TestRandom random(13);
  for (std::uint64_t i = 0; i < 6; ++i) {
    const auto planned = plan_op(GetParam(), random);
    const std::vector<std::byte> here = output_bytes(*planned, 0, i);
    EXPECT_EQ(output_bytes(*planned, 64 * (2 * i + 1), i), here) << text_of(planned->op_case);
    std::vector<std::byte> elsewhere;
    std::thread([&] {
      pin_openmp_to_one_thread();
      const auto again = plan_op(planned->op_case);
      elsewhere = output_bytes(*again, 4096 + 64 * i, i);
    }).join();
    EXPECT_EQ(elsewhere, here) << text_of(planned->op_case);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryOp, ::testing::ValuesIn(kinds_with_kernels()),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

TEST(HostKernelCatalog, HoldsExactlyTheKindsAndPartsThatTheOpCatalogYields) {
  std::set<std::pair<OpKind, TaskPart>> yielded;
  for (const OpKind kind : kinds_with_kernels()) {
    TestRandom random(14);
    for (int i = 0; i < 8; ++i) {  // optional parts are there in some of them
      const auto planned = plan_op(kind, random);
      for (const Task& task : planned->tasks)
        yielded.insert({task.kind, task.part});
    }
  }
  std::set<std::pair<OpKind, TaskPart>> listed;
  for (const HostKernelEntry& entry : host_kernel_catalog())
    listed.insert({entry.kind, entry.part});
  EXPECT_EQ(listed, yielded);
  EXPECT_EQ(listed.size(), host_kernel_catalog().size());
}

TEST(FusedKernelCatalog, HoldsExactlyWhatTheFusedLoweringYields) {
  std::vector<std::pair<OpKind, OpKind>> listed;
  for (const FusedKernelEntry& entry : fused_kernel_catalog())
    listed.emplace_back(entry.producer, entry.consumer);
  EXPECT_THAT(listed, ::testing::UnorderedElementsAreArray(fused_kinds()));
}

TEST(HostKernelCatalog, NamesTheTaskThatHasNoKernel) {
  Task task;
  task.name = "batch/HOST_FILL_BATCH/host";
  task.kind = ComputeOp::HOST_FILL_BATCH;
  task.part = TaskPart::host;
  const auto kernel = make_host_kernel(task, TensorTable());
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().message, HasSubstr("batch/HOST_FILL_BATCH/host has no host kernel"));
}

TEST(HostKernelCatalog, DoesNotTakeTheProducersKernelForAFusedTask) {
  Task task;
  task.name = "conv1/CONV_FP32_FWD/Y";
  task.kind = ComputeOp::CONV_FP32_FWD;
  task.fused_with = FusedOp{ComputeOp::TANH_FP32_FWD, 3};
  const auto kernel = make_host_kernel(task, TensorTable());
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().message, HasSubstr("part Y of CONV_FP32_FWD with TANH_FP32_FWD"));
}

TEST(HostRelu, LetsNanPassAndBlocksZero) {
  SmallRun run(ComputeOp::RELU_FP32_FWD);
  run.input(Shape{1, 5}, {kNan, 0.0, -0.0, 2.0, -3.0});
  run.output(Shape{1, 5});
  run.output(Shape{1, 5}, DType::U8);
  const auto outputs = run.run();
  EXPECT_TRUE(std::isnan(outputs[0][0]));
  EXPECT_EQ(outputs[0][3], 2.0);
  EXPECT_EQ(outputs[0][4], 0.0);
  EXPECT_EQ(outputs[1], (std::vector<double>{1, 0, 0, 1, 0}));
}

TEST(HostMaxpool, LetsNanWinAndTakesTheFirstOfEquals) {
  SmallRun run(ComputeOp::MAXPOOL_FP32_FWD);
  run.made.op.attributes = Window{1, 3, 1, 3, 0, 0};
  run.input(Shape{1, 1, 9, 1}, {5, kNan, 7, 1, 4, 4, -9, -8, -8});
  run.output(Shape{1, 1, 3, 1});
  run.output(Shape{1, 1, 3, 1}, DType::U8);
  const auto outputs = run.run();
  EXPECT_TRUE(std::isnan(outputs[0][0]));
  EXPECT_EQ(outputs[1], (std::vector<double>{1, 1, 1}));
}

TEST(HostMaxpool, AddsTheGradientsOfOverlappingWindows) {
  SmallRun run(ComputeOp::MAXPOOL_FP32_BWD);
  run.made.op.attributes = Window{1, 2, 1, 1, 0, 0};
  run.input(Shape{1, 1, 2, 1}, {10, 100});
  run.input(Shape{1, 1, 2, 1}, {1, 0}, DType::U8);
  run.output(Shape{1, 1, 3, 1});
  EXPECT_EQ(run.run()[0], (std::vector<double>{0, 110, 0}));
}

TEST(HostSoftmaxCe, StaysFiniteOnHugeLogits) {
  SmallRun run(ComputeOp::SOFTMAX_CE_FP32_FWD);
  run.input(Shape{2, 3}, {1e30, 0, -1e30, 500, 499, -700});
  run.input(Shape{2}, {0, 2}, DType::I32);
  run.output(Shape{2, 3});
  run.output(Shape{2});
  const auto outputs = run.run();
  EXPECT_EQ(outputs[1][0], 0.0);
  EXPECT_NEAR(outputs[1][1], 1200.3132617, 1e-3);
}

TEST(HostSoftmaxCe, GivesNanForALabelThatIsNoClass) {
  SmallRun run(ComputeOp::SOFTMAX_CE_FP32_FWD);
  run.input(Shape{3, 2}, {0, 0, 0, 0, 0, 0});
  run.input(Shape{3}, {-1, 1, 2}, DType::I32);
  run.output(Shape{3, 2});
  run.output(Shape{3});
  const auto losses = run.run()[1];
  EXPECT_TRUE(std::isnan(losses[0]));
  EXPECT_NEAR(losses[1], std::log(2.0), 1e-6);
  EXPECT_TRUE(std::isnan(losses[2]));
}

TEST(HostMetrics, CountsTheFirstOfEqualProbabilitiesAsTheGuess) {
  SmallRun run(ComputeOp::METRICS);
  run.input(Shape{3}, {0.5, 0.25, 0.75});
  run.input(Shape{3, 2}, {0.5, 0.5, 0.5, 0.5, 0.25, 0.75});
  run.input(Shape{3}, {0, 1, 1}, DType::I32);
  run.output(Shape{2}, DType::F64);
  EXPECT_EQ(run.run()[0], (std::vector<double>{0.5, 2}));
}

TEST(HostLearningRate, TakesTheNearestEntryForACounterOutsideTheTable) {
  for (const auto& [counter, rate] : {std::pair{-4.0, 0.5}, {1.0, 0.25}, {99.0, 0.125}}) {
    SmallRun run(ComputeOp::LR_FROM_TABLE);
    run.input(Shape{3}, {0.5, 0.25, 0.125});
    run.input(Shape{}, {counter}, DType::I64);
    run.output(Shape{});
    EXPECT_EQ(run.run()[0][0], rate);
  }
}

TEST(HostBiasGradient, IsExactOverManyRowsOfFewColumns) {
  // 0.1F a hundred thousand times: a running float sum would drift in the third digit.
  SmallRun run(ComputeOp::FC_FP32_BWD_FIRST_LAYER);
  constexpr std::int64_t kRows = 100'000;
  run.input(Shape{kRows, 3}, std::vector<double>(kRows * 3, 0.1));
  run.input(Shape{kRows, 1}, std::vector<double>(kRows, 0.0));
  run.output(Shape{1, 3});
  run.output(Shape{3});
  const auto outputs = run.run();
  for (const double sum : outputs[1])
    EXPECT_NEAR(sum, static_cast<double>(0.1F) * kRows, 1e-2);
}

}  // namespace

}  // namespace quintet
