#include <algorithm>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/last_block.cuh"
#include "runtime/ops/loss_scale.h"
#include "runtime/ops/overflow_flag.cuh"
#include "runtime/ops/overflow_flag.h"
#include "runtime/ops/tensor_chunks.cuh"

namespace quintet {

namespace {

/// Floats or halves that are looked at as words of 32 bits.
struct CheckedSegment {
  const std::byte* values = nullptr;
  std::uint64_t elements = 0;
  std::uint64_t element_bytes = 0;
};

/// NaN and infinity have all exponent bits set: of a float, or of one of the two halves of a word.
struct ExponentBits {
  std::uint32_t low;
  std::uint32_t high;

  __device__ bool all_set(std::uint32_t word) const {
    return (word & low) == low || (word & high) == high;
  }
  __device__ bool all_set(const uint4& words) const {
    return all_set(words.x) || all_set(words.y) || all_set(words.z) || all_set(words.w);
  }
};

__device__ ExponentBits exponent_bits(bool halves) {
  return halves ? ExponentBits{0x00007C00U, 0x7C000000U} : ExponentBits{0x7F800000U, 0x7F800000U};
}

/// Blocks that saw a value that is not finite, and how many arrived. Both are 0 between launches.
struct CheckState {
  std::int32_t bad;
  unsigned arrived;
};

/// Stores 1 where a value is not finite, else 0: the block that arrives last does, so nothing need
/// be cleared before.
__global__ void __launch_bounds__(kChunkThreads)
    check_nan(ChunkTable<CheckedSegment> table, CheckState* state, std::int32_t* found_inf) {
  constexpr unsigned kWords = 4;  // an access
  constexpr unsigned kAccesses = kChunkElements / kWords / kChunkThreads;
  const Chunk<CheckedSegment> chunk = chunk_of_block(table);
  const auto element_bytes = static_cast<unsigned>(chunk.segment.element_bytes);
  const bool halves = element_bytes < sizeof(float);
  const ExponentBits exponent = exponent_bits(halves);
  const std::byte* const values = chunk.segment.values + chunk.begin * element_bytes;
  const auto* const words = reinterpret_cast<const std::uint32_t*>(values);
  const unsigned word_count = chunk.count * element_bytes / sizeof(std::uint32_t);
  uint4 loaded[kAccesses];
#pragma unroll
  for (unsigned access = 0; access < kAccesses; ++access) {
    const unsigned first = (access * kChunkThreads + threadIdx.x) * kWords;
    loaded[access] = first + kWords <= word_count ? *reinterpret_cast<const uint4*>(words + first)
                                                  : make_uint4(0, 0, 0, 0);
  }
  bool bad = false;
#pragma unroll
  for (unsigned access = 0; access < kAccesses; ++access)
    bad |= exponent.all_set(loaded[access]);
  // What fills no access: fewer words than that, and half a word.
  const unsigned tail = word_count / kWords * kWords + threadIdx.x;
  if (tail < word_count) bad |= exponent.all_set(words[tail]);
  if (halves && chunk.count % 2 == 1 && threadIdx.x == 0)
    bad |= exponent.all_set(reinterpret_cast<const std::uint16_t*>(values)[chunk.count - 1]);
  const bool block_is_bad = __syncthreads_or(bad ? 1 : 0) != 0;
  if (threadIdx.x != 0) return;
  if (block_is_bad) atomicOr(&state->bad, 1);
  if (arrives_last(&state->arrived)) *found_inf = atomicExch(&state->bad, 0);
}

DType dtype_of(const OperandTarget& target, const TensorTable& tensors) {
  if (const auto* tensor = std::get_if<TensorId>(&target)) return tensors[*tensor].dtype;
  return name_of(std::get<RegionKind>(target)).ends_with("_FP16") ? DType::F16 : DType::F32;
}

class CheckNan final : public CudaKernel {
 public:
  /// `element_bytes` of each operand that is checked.
  explicit CheckNan(std::vector<std::uint64_t> element_bytes)
      : element_bytes_(std::move(element_bytes)) {}

  void bind(const TaskArgs& args) override {
    std::vector<CheckedSegment> segments;
    for (std::size_t slot = 0; slot < element_bytes_.size(); ++slot) {
      segments.push_back({args.read<std::byte>(slot), args.bytes(slot) / element_bytes_[slot],
                          element_bytes_[slot]});
    }
    chunks_ = TensorChunks<CheckedSegment>(segments);
    if (state_.data() == nullptr)
      state_ = CudaMemory(MemoryKind::device, sizeof(CheckState), "state of a check for NaN");
  }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    auto* const found_inf = args.write<std::int32_t>(CheckNanSlots::found_inf(args.size()));
    if (chunks_.count() == 0) {
      check(cudaMemsetAsync(found_inf, 0, sizeof(std::int32_t), on.stream), "clearing found_inf");
      return;
    }
    check_nan<<<chunks_.count(), kChunkThreads, 0, on.stream>>>(
        chunks_.table(), reinterpret_cast<CheckState*>(state_.data()), found_inf);
    check(cudaGetLastError(), "launching check_nan");
  }

 private:
  std::vector<std::uint64_t> element_bytes_;
  TensorChunks<CheckedSegment> chunks_;
  CudaMemory state_;
};

struct ScaledSegment {
  float* values = nullptr;
  std::uint64_t elements = 0;
};

struct ScaleStep {
  float factor;
  __device__ void operator()(float& value) const { value *= factor; }
};

__global__ void __launch_bounds__(kChunkThreads)
    scale_gradients(ChunkTable<ScaledSegment> table, double micro_batches, const float* loss_scale,
                    const std::int32_t* found_inf) {
  if (overflow_noted(found_inf)) return;
  const Chunk<ScaledSegment> chunk = chunk_of_block(table);
  double divisor = micro_batches;
  if (loss_scale != nullptr) divisor *= static_cast<double>(*loss_scale);
  step_over_chunk(ScaleStep{static_cast<float>(1 / divisor)}, chunk.count,
                  chunk.segment.values + chunk.begin);
}

class ScaleGradients final : public CudaKernel {
 public:
  ScaleGradients(ScaleGradientsSlots slots, const GradientScaleHyper& hyper)
      : slots_(slots), micro_batches_(static_cast<double>(hyper.micro_batches)) {}

  void bind(const TaskArgs& args) override {
    std::vector<ScaledSegment> segments;
    for (std::size_t region = 0; region < slots_.regions; ++region)
      segments.push_back({args.write<float>(region), args.bytes(region) / sizeof(float)});
    chunks_ = TensorChunks<ScaledSegment>(segments);
  }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    if (chunks_.count() == 0) return;
    const float* const loss_scale =
        args.size() > slots_.loss_scale() ? args.read<float>(slots_.loss_scale()) : nullptr;
    scale_gradients<<<chunks_.count(), kChunkThreads, 0, on.stream>>>(
        chunks_.table(), micro_batches_, loss_scale, overflow_flag(args, slots_.found_inf()));
    check(cudaGetLastError(), "launching scale_gradients");
  }

 private:
  ScaleGradientsSlots slots_;
  double micro_batches_;
  TensorChunks<ScaledSegment> chunks_;
};

__global__ void loss_scale_update(LossScaleHyper hyper, const std::int32_t* found_inf,
                                  float* loss_scale, std::int32_t* good_steps) {
  const LossScaleState next =
      after_step({*loss_scale, *good_steps}, overflow_noted(found_inf), hyper);
  *loss_scale = next.scale;
  *good_steps = next.good_steps;
}

class LossScaleUpdate final : public CudaKernel {
 public:
  explicit LossScaleUpdate(const LossScaleHyper& hyper) : hyper_(hyper) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = LossScaleUpdateSlots;
    loss_scale_update<<<1, 1, 0, on.stream>>>(hyper_, args.read<std::int32_t>(Slots::found_inf),
                                              args.write<float>(Slots::loss_scale),
                                              args.write<std::int32_t>(Slots::good_steps));
    check(cudaGetLastError(), "launching loss_scale_update");
  }

 private:
  LossScaleHyper hyper_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_check_nan_cuda(const Task& task, const TensorTable& tensors,
                                                KernelPlanner& /*planner*/) {
  std::vector<std::uint64_t> element_bytes;
  for (std::size_t slot = 0; slot + 1 < task.operands.size(); ++slot)
    element_bytes.push_back(bytes_of(dtype_of(task.operands[slot].target, tensors)));
  return std::make_unique<CheckNan>(std::move(element_bytes));
}

std::unique_ptr<CudaKernel> make_scale_gradients_cuda(const Task& task,
                                                      const TensorTable& /*tensors*/,
                                                      KernelPlanner& /*planner*/) {
  const auto regions = std::count_if(
      task.operands.begin(), task.operands.end(),
      [](const Operand& operand) { return std::holds_alternative<RegionKind>(operand.target); });
  return std::make_unique<ScaleGradients>(ScaleGradientsSlots{static_cast<std::size_t>(regions)},
                                          std::get<GradientScaleHyper>(task.attributes));
}

std::unique_ptr<CudaKernel> make_loss_scale_update_cuda(const Task& task,
                                                        const TensorTable& /*tensors*/,
                                                        KernelPlanner& /*planner*/) {
  return std::make_unique<LossScaleUpdate>(std::get<LossScaleHyper>(task.attributes));
}

}  // namespace quintet
