#include "tests/runtime/ops/cuda_duel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <utility>

namespace quintet {

namespace {

/// What an operand holds, as numbers: a tensor, or the whole of a region, gaps included.
struct Contents {
  std::string name;
  DType dtype = DType::F32;
  std::vector<double> values;
};

Contents contents_of(const OperandTarget& target, const TensorTable& tensors, TaskArena& arena) {
  if (const auto* tensor = std::get_if<TensorId>(&target))
    return {tensors[*tensor].name, tensors[*tensor].dtype, arena.values(*tensor)};
  const RegionKind region = std::get<RegionKind>(target);
  const std::span<const std::byte> bytes = arena.bytes_of(region);
  std::vector<float> floats(bytes.size() / sizeof(float));
  if (!floats.empty()) std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
  return {std::string(name_of(region)), DType::F32, {floats.begin(), floats.end()}};
}

bool is_number(DType dtype) {
  return dtype == DType::F64 || dtype == DType::F32 || dtype == DType::F16;
}

/// The norm counts as at least 0.01 an element: what is left where sums cancel below that is no
/// better known on the host.
double relative_error(const std::vector<double>& got, const std::vector<double>& wanted) {
  double difference = 0;
  double norm = 1e-4 * static_cast<double>(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    difference += (got[i] - wanted[i]) * (got[i] - wanted[i]);
    norm += wanted[i] * wanted[i];
  }
  return std::sqrt(difference / norm);
}

void expect_near(const Contents& got, const Contents& wanted, const std::string& where) {
  ASSERT_EQ(got.values.size(), wanted.values.size());
  if (!is_number(wanted.dtype)) {
    EXPECT_TRUE(got.values == wanted.values) << wanted.name << " differs in " << where;
    return;
  }
  const double error = relative_error(got.values, wanted.values);
  EXPECT_TRUE(error < (wanted.dtype == DType::F16 ? 5e-3 : 1e-5))  // false for NaN
      << wanted.name << " is off by " << error << " in " << where;
}

/// The bytes of all regions but the workspaces.
std::vector<std::byte> results_of(PlannedCudaOp& planned) {
  std::vector<std::byte> bytes;
  for (const Region& region : planned.memory.regions()) {
    if (region.stream) continue;
    const std::span<const std::byte> of_region = planned.arena->bytes_of(region.id);
    bytes.insert(bytes.end(), of_region.begin(), of_region.end());
  }
  return bytes;
}

}  // namespace

CudaDuel::CudaDuel(CudaDuelist duelist, CudaTestDevice& device, TestRandom& random)
    : duelist_(std::move(duelist)),
      device_(device),
      where_(text_of(duelist_.op_case)),
      host_(plan_ops(duelist_.op_case, duelist_.ops, duelist_.lowering)),
      cuda_(plan_cuda_ops(duelist_.op_case, duelist_.ops, duelist_.lowering, device)),
      before_(host_->op_case.tensors, host_->memory),
      after_(host_->op_case.tensors, host_->memory) {
  std::memset(before_.all().data(), 0xFF, before_.all().size());
  for (const Task& task : host_->tasks)
    fill_inputs(before_, task, host_->op_case.tensors, random);
  std::copy(before_.all().begin(), before_.all().end(), after_.all().begin());
  host_->run(after_);
  run(*cuda_);
}

void CudaDuel::run(PlannedCudaOp& planned) {
  planned.take(before_, host_->memory);
  planned.run();
}

void CudaDuel::expect_agreement(std::size_t end) {
  const TensorTable& tensors = host_->op_case.tensors;
  for (const Task& task : host_->tasks) {
    for (std::size_t slot = 0; slot < std::min(end, task.operands.size()); ++slot) {
      const Operand& operand = task.operands[slot];
      if (!writes(operand.mode)) continue;
      expect_near(contents_of(operand.target, tensors, *cuda_->arena),
                  contents_of(operand.target, tensors, after_), where_);
    }
  }
}

void CudaDuel::expect_same_bits_again() {
  const std::vector<std::byte> first = results_of(*cuda_);
  run(*cuda_);
  EXPECT_TRUE(results_of(*cuda_) == first) << "the second run gives other bits in " << where_;
  const auto anew = plan_cuda_ops(duelist_.op_case, duelist_.ops, duelist_.lowering, device_);
  run(*anew);
  EXPECT_TRUE(results_of(*anew) == first) << "other addresses give other bits in " << where_;
}

}  // namespace quintet
