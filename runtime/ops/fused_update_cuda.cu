#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/cuda_vector.cuh"
#include "runtime/ops/fused_update.h"
#include "runtime/ops/tensor_chunks.cuh"

namespace quintet {

namespace {

/// One parameter. Of the gradients one is there; `half` may be null.
struct Segment {
  const __half* half_gradient = nullptr;
  const float* gradient = nullptr;
  float* weight = nullptr;
  float* momentum = nullptr;
  __half* half = nullptr;
  std::uint64_t elements = 0;
};

struct Scalars {
  const float* lr;
  const float* loss_scale;
  const std::int32_t* found_inf;
};

/// In the article's order and roundings: scale, decay, momentum, weight.
struct Step {
  float rate, factor, decay, momentum;
  bool nesterov;

  __device__ void operator()(float& w, float g, float& m) const {
    const float decayed = __fmul_rn(g, factor) + decay * w;
    m = momentum * m + decayed;
    w -= rate * (nesterov ? decayed + momentum * m : m);
  }
};

constexpr int kWidth = kVectorWidth<float>;

__device__ void update_one(const Segment& segment, std::uint64_t at, const Step& step) {
  const float g = segment.half_gradient != nullptr ? __half2float(segment.half_gradient[at])
                                                   : segment.gradient[at];
  float w = segment.weight[at];
  float m = segment.momentum[at];
  step(w, g, m);
  segment.weight[at] = w;
  segment.momentum[at] = m;
  if (segment.half != nullptr) segment.half[at] = __float2half_rn(w);
}

__global__ void __launch_bounds__(kChunkThreads)
    fused_update(ChunkTable<Segment> table, Scalars scalars, Step step) {
  if (*scalars.found_inf != 0) return;
  step.rate = *scalars.lr;
  step.factor = static_cast<float>(1.0 / static_cast<double>(*scalars.loss_scale));
  const Chunk<Segment> chunk = chunk_of_block(table);
  const Segment& segment = chunk.segment;
  // A quarter of a chunk a block, one vector a thread: all loads are in flight at once.
  const unsigned first = (blockIdx.y * kChunkThreads + threadIdx.x) * kWidth;
  if (first >= chunk.count) return;
  const std::uint64_t at = chunk.begin + first;
  if (first + kWidth > chunk.count) {
    for (unsigned i = 0; first + i < chunk.count; ++i)
      update_one(segment, at + i, step);
    return;
  }
  const Floats<kWidth> g = segment.half_gradient != nullptr
                               ? load_floats<kWidth>(segment.half_gradient + at)
                               : load_floats<kWidth>(segment.gradient + at);
  Floats<kWidth> w = load_floats<kWidth>(segment.weight + at);
  Floats<kWidth> m = load_floats<kWidth>(segment.momentum + at);
#pragma unroll
  for (int lane = 0; lane < kWidth; ++lane)
    step(w.values[lane], g.values[lane], m.values[lane]);
  store_floats(segment.weight + at, w);
  store_floats(segment.momentum + at, m);
  if (segment.half != nullptr) store_floats(segment.half + at, w);
}

class FusedUpdate final : public CudaKernel {
 public:
  FusedUpdate(FusedUpdateSlots slots, const SgdHyper& hyper) : slots_(slots), hyper_(hyper) {}

  void bind(const TaskArgs& args) override {
    std::vector<Segment> segments;
    for (std::size_t i = 0; i < slots_.count(); ++i) {
      Segment segment;
      segment.elements = args.bytes(slots_.weight(i)) / sizeof(float);
      segment.weight = args.write<float>(slots_.weight(i));
      segment.momentum = args.write<float>(slots_.momentum(i));
      if (slots_.has_half(i)) {
        segment.half_gradient = args.read<__half>(slots_.gradient(i));
        segment.half = args.write<__half>(slots_.half(i));
      } else {
        segment.gradient = args.read<float>(slots_.gradient(i));
      }
      segments.push_back(segment);
    }
    chunks_ = TensorChunks<Segment>(segments);
  }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    const Scalars scalars{args.read<float>(FusedUpdateSlots::lr),
                          args.read<float>(FusedUpdateSlots::loss_scale),
                          args.read<std::int32_t>(FusedUpdateSlots::found_inf)};
    const Step step{0, 0, hyper_.weight_decay, hyper_.momentum, hyper_.nesterov};
    const dim3 blocks(chunks_.count(), kChunkElements / (kChunkThreads * kWidth));
    fused_update<<<blocks, kChunkThreads, 0, on.stream>>>(chunks_.table(), scalars, step);
    check(cudaGetLastError(), "launching fused_update");
  }

 private:
  FusedUpdateSlots slots_;
  SgdHyper hyper_;
  TensorChunks<Segment> chunks_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_fused_update_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& /*planner*/) {
  return std::make_unique<FusedUpdate>(FusedUpdateSlots::of(task, tensors),
                                       std::get<SgdHyper>(task.attributes));
}

}  // namespace quintet
