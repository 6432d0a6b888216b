#include "tests/support/task_arena.h"

#include <cassert>
#include <cstring>
#include <stdexcept>

#include "runtime/host/half.h"
#include "runtime/ops/batch_norm_stats.h"
#include "runtime/ops/maxpool.h"

namespace quintet {

namespace {

constexpr std::uint64_t kAlignment = 64;
// What a workspace on a GPU is aligned to, seen from the begin of the arena.
constexpr std::uint64_t kRegionAlignment = 256;
constexpr std::uint64_t kGuard = 256;
// Workspaces come last: a kernel that overruns its scratch should be reported, not crash the test.
constexpr std::uint64_t kLastGuard = 16384;

template <class T>
std::vector<double> as_doubles(std::span<const std::byte> bytes) {
  std::vector<double> values(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return values;
}

template <class T>
void from_doubles(std::span<const double> values, std::span<std::byte> bytes) {
  if (values.size() * sizeof(T) != bytes.size()) throw std::invalid_argument("tensor size");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T value = static_cast<T>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

std::vector<double> halves_as_doubles(std::span<const std::byte> bytes) {
  std::vector<double> values;
  for (const double bits : as_doubles<std::uint16_t>(bytes))
    values.push_back(static_cast<double>(float_from_half(Half{static_cast<std::uint16_t>(bits)})));
  return values;
}

void halves_from_doubles(std::span<const double> values, std::span<std::byte> bytes) {
  std::vector<double> bits;
  for (const double value : values)
    bits.push_back(half_from_float(static_cast<float>(value)).bits);
  from_doubles<std::uint16_t>(bits, bytes);
}

/// The whole of a region, gaps between its tensors included; variances are not negative.
void fill_region(TaskArena& arena, RegionKind region, TestRandom& random) {
  const std::span<std::byte> bytes = arena.bytes_of(region);
  const bool variance = region == RegionKind::FIRST_VARIANCE || region == RegionKind::DEEP_VARIANCE;
  if (name_of(region).ends_with("_FP16")) {
    halves_from_doubles(random.reals(bytes.size() / sizeof(Half), -1, 1), bytes);
  } else {
    from_doubles<float>(random.reals(bytes.size() / sizeof(float), variance ? 0 : -1, 1), bytes);
  }
}

void fill_argmax(TaskArena& arena, const Task& task, const TensorTable& tensors,
                 TestRandom& random) {
  using Slots = MaxpoolBackwardSlots;
  const auto id = std::get<TensorId>(task.operands[Slots::argmax].target);
  const Shape& y = tensors[id].shape;
  const Shape& x = tensors[std::get<TensorId>(task.operands[Slots::dX].target)].shape;
  const auto& window = std::get<Window>(task.attributes);
  std::vector<double> cells;
  const auto inside = [](std::int64_t origin, std::int64_t cell, std::int64_t extent) {
    return origin + cell >= 0 && origin + cell < extent;
  };
  for (std::int64_t pixel = 0; pixel < y.elements(); ++pixel) {
    const std::int64_t column = pixel / y.dim(3) % y.dim(2);
    const std::int64_t row = pixel / y.dim(3) / y.dim(2) % y.dim(1);
    std::int64_t r = 0;
    std::int64_t q = 0;
    do {
      r = random.integer(0, window.kernel_h - 1);
      q = random.integer(0, window.kernel_w - 1);
    } while (!inside(row * window.stride_h - window.pad_h, r, x.dim(1)) ||
             !inside(column * window.stride_w - window.pad_w, q, x.dim(2)));
    cells.push_back(static_cast<double>(r * window.kernel_w + q));
  }
  arena.set(id, cells);
}

/// Means of either sign, variances above zero.
void fill_running_stats(TaskArena& arena, const Task& task, const TensorTable& tensors,
                        TestRandom& random) {
  const auto id = std::get<TensorId>(task.operands[BatchNormEqSlots::running].target);
  const auto channels = static_cast<std::size_t>(tensors[id].shape.dim(1));
  std::vector<double> values = random.reals(channels, -1, 1);
  const std::vector<double> variances = random.reals(channels, 0.01, 2);
  values.insert(values.end(), variances.begin(), variances.end());
  arena.set(id, values);
}

/// The class count of a task that reads labels: the last dimension of its first F32 matrix.
std::int64_t classes_of(const Task& task, const TensorTable& tensors) {
  for (const Operand& operand : task.operands) {
    const auto* id = std::get_if<TensorId>(&operand.target);
    if (id == nullptr) continue;
    const Tensor& tensor = tensors[*id];
    if (tensor.dtype == DType::F32 && tensor.shape.rank() == 2) return tensor.shape.dim(1);
  }
  return 1;
}

void fill_tensor(TaskArena& arena, const Task& task, const Tensor& tensor,
                 const TensorTable& tensors, TestRandom& random) {
  const bool scalar = tensor.region == RegionKind::SCALARS;
  std::vector<double> values(static_cast<std::size_t>(tensor.shape.elements()));
  for (double& value : values) {
    switch (tensor.dtype) {
      case DType::F64:
      case DType::F32:
      case DType::F16:
        // Rates, scales and corrections are positive.
        value = scalar ? random.real(0.25, 2) : random.real(-1, 1);
        break;
      case DType::I64:
        value = static_cast<double>(random.integer(0, 3));
        break;
      case DType::I32:
        // A flag or a counter, or a label.
        value = static_cast<double>(random.integer(0, scalar ? 1 : classes_of(task, tensors) - 1));
        break;
      case DType::U8:
        value = static_cast<double>(random.integer(0, 1));
        break;
      case DType::BF16:
      case DType::F8E4M3:
      case DType::F8E5M2:
        throw std::invalid_argument("no host kernel reads this dtype");
    }
  }
  arena.set(tensor.id, values);
}

}  // namespace

TaskArena::TaskArena(const TensorTable& tensors, const MemoryPlan& plan, std::uint64_t shift)
    : tensors_(tensors), plan_(plan) {
  assert(shift % kAlignment == 0);
  std::uint64_t next = kGuard;
  for (const Region& region : plan.regions()) {
    begins_.push_back(next);
    next += (region.bytes + kRegionAlignment - 1) / kRegionAlignment * kRegionAlignment + kGuard;
  }
  size_ = next + kLastGuard;
  storage_.resize(size_ + shift + kAlignment);
  void* base = storage_.data();
  std::size_t space = storage_.size();
  std::align(kAlignment, size_ + shift, base, space);
  data_ = static_cast<std::byte*>(base) + shift;
}

std::span<std::byte> TaskArena::bytes_of(RegionId region) {
  return all().subspan(begins_[region.value()], plan_.region(region).bytes);
}

std::span<std::byte> TaskArena::bytes_of(TensorId tensor) {
  const Placement& at = plan_.placement(tensor);
  return bytes_of(at.region).subspan(at.offset, at.bytes);
}

std::vector<double> TaskArena::values(TensorId tensor) {
  const std::span<const std::byte> bytes = bytes_of(tensor);
  switch (tensors_[tensor].dtype) {
    case DType::F64:
      return as_doubles<double>(bytes);
    case DType::F32:
      return as_doubles<float>(bytes);
    case DType::F16:
      return halves_as_doubles(bytes);
    case DType::I64:
      return as_doubles<std::int64_t>(bytes);
    case DType::I32:
      return as_doubles<std::int32_t>(bytes);
    case DType::U8:
      return as_doubles<std::uint8_t>(bytes);
    case DType::BF16:
    case DType::F8E4M3:
    case DType::F8E5M2:
      break;
  }
  throw std::invalid_argument("dtype without a C++ type");
}

void TaskArena::set(TensorId tensor, std::span<const double> values) {
  const std::span<std::byte> bytes = bytes_of(tensor);
  switch (tensors_[tensor].dtype) {
    case DType::F64:
      return from_doubles<double>(values, bytes);
    case DType::F32:
      return from_doubles<float>(values, bytes);
    case DType::F16:
      return halves_from_doubles(values, bytes);
    case DType::I64:
      return from_doubles<std::int64_t>(values, bytes);
    case DType::I32:
      return from_doubles<std::int32_t>(values, bytes);
    case DType::U8:
      return from_doubles<std::uint8_t>(values, bytes);
    case DType::BF16:
    case DType::F8E4M3:
    case DType::F8E5M2:
      break;
  }
  throw std::invalid_argument("dtype without a C++ type");
}

void TaskArena::scramble(TestRandom& random) {
  for (std::byte& byte : all())
    byte = static_cast<std::byte>(random.engine()());
}

void TaskArena::run(const Task& task, StreamKind stream, HostKernel& kernel) {
  const std::vector<Access> accesses = resolve_accesses(task, stream, plan_);
  std::vector<BoundOperand> bound;
  for (std::size_t slot = 0; slot < task.operands.size(); ++slot) {
    const Access& access = accesses[slot];
    bound.push_back({bytes_of(access.region).data() + access.offset, access.bytes, access.mode});
  }
  std::span<std::byte> workspace;
  if (task.workspace_bytes > 0) {
    workspace = bytes_of(plan_.workspace(stream).id).first(task.workspace_bytes);
  }
  kernel.run(TaskArgs(bound, workspace), RunContext{});
}

void fill_inputs(TaskArena& arena, const Task& task, const TensorTable& tensors,
                 TestRandom& random) {
  for (std::size_t slot = 0; slot < task.operands.size(); ++slot) {
    const Operand& operand = task.operands[slot];
    if (!reads(operand.mode)) continue;
    if (const auto* id = std::get_if<TensorId>(&operand.target)) {
      const bool maxpool = task.kind == OpKind(ComputeOp::MAXPOOL_FP32_BWD) ||
                           task.kind == OpKind(ComputeOp::MAXPOOL_AMP_BWD);
      if (maxpool && slot == MaxpoolBackwardSlots::argmax) {
        fill_argmax(arena, task, tensors, random);
      } else if (task.kind == OpKind(ComputeOp::BN_UPDATE_EQ_PARAMS) &&
                 slot == BatchNormEqSlots::running) {
        fill_running_stats(arena, task, tensors, random);
      } else {
        fill_tensor(arena, task, tensors[*id], tensors, random);
      }
      continue;
    }
    fill_region(arena, std::get<RegionKind>(operand.target), random);
  }
}

}  // namespace quintet
