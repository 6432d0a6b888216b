#include <cassert>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/block_reduction.cuh"
#include "runtime/ops/lars.h"
#include "runtime/ops/overflow_flag.cuh"
#include "runtime/ops/overflow_flag.h"
#include "runtime/ops/task_parts.h"
#include "runtime/ops/tensor_chunks.cuh"

namespace quintet {

namespace {

struct LarsSegment {
  const float* gradient = nullptr;
  float* weight = nullptr;
  float* momentum = nullptr;
  std::uint64_t elements = 0;
  std::uint64_t first_chunk = 0;
};
using LarsTable = ChunkTable<LarsSegment>;

/// Sums of squares: of a chunk, then of a tensor.
struct SquareSums {
  double weight;
  double gradient;
};

/// Over the threads of a block; the result is in every thread.
__device__ SquareSums block_sums(const SquareSums& of_thread) {
  __shared__ double shared[kMaxWarps];
  return {reduced_over_block(of_thread.weight, Plus{}, shared),
          reduced_over_block(of_thread.gradient, Plus{}, shared)};
}

__device__ double square(float value) {
  return static_cast<double>(value) * static_cast<double>(value);
}

/// Adds an element to the sums of a thread; changes neither array.
struct SquareStep {
  SquareSums* sums;
  __device__ void operator()(const float& w, const float& g) const {
    sums->weight += square(w);
    sums->gradient += square(g);
  }
};

/// The sums of each chunk, by its place in the table.
__global__ void __launch_bounds__(kChunkThreads)
    lars_square_sums(LarsTable table, SquareSums* chunk_sums, const std::int32_t* found_inf) {
  if (overflow_noted(found_inf)) return;
  const Chunk<LarsSegment> chunk = chunk_of_block(table);
  const float* const w = chunk.segment.weight + chunk.begin;
  const float* const g = chunk.segment.gradient + chunk.begin;
  SquareSums sums{0, 0};
  step_over_chunk(SquareStep{&sums}, chunk.count, w, g);
  sums = block_sums(sums);
  if (threadIdx.x == 0) chunk_sums[blockIdx.x] = sums;
}

/// One block for each tensor: its rate, from the sums of its chunks.
__global__ void __launch_bounds__(kChunkThreads)
    lars_rates(LarsTable table, const SquareSums* chunk_sums, LarsHyper hyper, const float* lr,
               const std::int32_t* found_inf, float* rates) {
  if (overflow_noted(found_inf)) return;
  const LarsSegment& tensor = table.segments[blockIdx.x];
  const SquareSums* const of_tensor = chunk_sums + tensor.first_chunk;
  const std::uint64_t chunks = chunks_of(tensor.elements);
  SquareSums sums{0, 0};
  for (std::uint64_t i = threadIdx.x; i < chunks; i += kChunkThreads)
    sums = {sums.weight + of_tensor[i].weight, sums.gradient + of_tensor[i].gradient};
  sums = block_sums(sums);
  if (threadIdx.x != 0) return;
  const double weight_norm = sqrt(sums.weight);
  const double gradient_norm = sqrt(sums.gradient);
  const bool plain = weight_norm == 0 || gradient_norm == 0;
  const double ratio = static_cast<double>(hyper.trust) * weight_norm /
                       (gradient_norm + static_cast<double>(hyper.weight_decay) * weight_norm +
                        static_cast<double>(hyper.epsilon));
  rates[blockIdx.x] = static_cast<float>(static_cast<double>(*lr) * (plain ? 1.0 : ratio));
}

struct LarsStep {
  float rate;
  float momentum;
  float weight_decay;

  __device__ void operator()(float& w, const float& g, float& m) const {
    m = momentum * m + (g + weight_decay * w);
    w -= rate * m;
  }
};

__global__ void __launch_bounds__(kChunkThreads)
    lars_update(LarsTable table, const float* rates, LarsHyper hyper,
                const std::int32_t* found_inf) {
  if (overflow_noted(found_inf)) return;
  const Chunk<LarsSegment> chunk = chunk_of_block(table);
  const float* const g = chunk.segment.gradient + chunk.begin;
  const LarsStep step{rates[chunk.tensor], hyper.momentum, hyper.weight_decay};
  step_over_chunk(step, chunk.count, chunk.segment.weight + chunk.begin, g,
                  chunk.segment.momentum + chunk.begin);
}

/// The workspace: the sums of the chunks, then the rates of the tensors.
class Lars final : public CudaKernel {
 public:
  Lars(const LarsHyper& hyper, std::size_t tensors, std::uint64_t chunks)
      : hyper_(hyper), tensors_(tensors), chunk_sum_bytes_(chunks * sizeof(SquareSums)) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return chunk_sum_bytes_ + tensors_ * sizeof(float);
  }

  void bind(const TaskArgs& args) override {
    const LarsSlots slots = LarsSlots::of(args.size());
    assert(slots.tensors == tensors_);
    std::vector<LarsSegment> segments;
    std::uint64_t first_chunk = 0;
    for (std::size_t i = 0; i < tensors_; ++i) {
      const std::uint64_t bytes = args.bytes(slots.gradient(i));
      assert(args.bytes(slots.weight(i)) == bytes && args.bytes(slots.momentum(i)) == bytes);
      segments.push_back({args.read<float>(slots.gradient(i)), args.write<float>(slots.weight(i)),
                          args.write<float>(slots.momentum(i)), bytes / sizeof(float),
                          first_chunk});
      first_chunk += chunks_of(segments.back().elements);
    }
    assert(first_chunk * sizeof(SquareSums) == chunk_sum_bytes_);
    chunks_ = TensorChunks<LarsSegment>(segments);
  }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    assert(args.workspace().size() >= workspace_bytes());
    const LarsTable table = chunks_.table();
    const auto tensors = static_cast<unsigned>(tensors_);
    const std::int32_t* const found_inf =
        overflow_flag(args, LarsSlots::of(args.size()).found_inf());
    auto* const chunk_sums = reinterpret_cast<SquareSums*>(args.workspace().data());
    auto* const rates = reinterpret_cast<float*>(args.workspace().data() + chunk_sum_bytes_);
    lars_square_sums<<<chunks_.count(), kChunkThreads, 0, on.stream>>>(table, chunk_sums,
                                                                       found_inf);
    check(cudaGetLastError(), "launching lars_square_sums");
    lars_rates<<<tensors, kChunkThreads, 0, on.stream>>>(
        table, chunk_sums, hyper_, args.read<float>(LarsSlots::lr), found_inf, rates);
    check(cudaGetLastError(), "launching lars_rates");
    lars_update<<<chunks_.count(), kChunkThreads, 0, on.stream>>>(table, rates, hyper_, found_inf);
    check(cudaGetLastError(), "launching lars_update");
  }

 private:
  LarsHyper hyper_;
  std::size_t tensors_;
  std::uint64_t chunk_sum_bytes_;
  TensorChunks<LarsSegment> chunks_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_lars_cuda(const Task& task, const TensorTable& tensors,
                                           KernelPlanner& /*planner*/) {
  const LarsSlots slots = LarsSlots::of(task.operands.size());
  std::uint64_t chunks = 0;
  for (std::size_t i = 0; i < slots.tensors; ++i) {
    const Shape& shape = operand_shape(task, tensors, slots.gradient(i));
    chunks += chunks_of(static_cast<std::uint64_t>(shape.extent()));
  }
  return std::make_unique<Lars>(std::get<LarsHyper>(task.attributes), slots.tensors, chunks);
}

}  // namespace quintet
