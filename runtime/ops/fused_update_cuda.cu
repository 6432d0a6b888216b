#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/cuda_vector.cuh"
#include "runtime/ops/fused_update.h"
#include "runtime/ops/last_block.cuh"
#include "runtime/ops/loss_scale.h"
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
  float* loss_scale;
  const std::int32_t* found_inf;
  std::int32_t* good_steps;
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

/// A quarter of a chunk, one vector a thread: all that a thread has to do with it.
class VectorUpdate {
 public:
  __device__ explicit VectorUpdate(const Chunk<Segment>& chunk)
      : segment_(chunk.segment),
        first_((blockIdx.y * kChunkThreads + threadIdx.x) * kWidth),
        count_(chunk.count),
        at_(chunk.begin + first_) {
    if (!whole()) return;
    g_ = segment_.half_gradient != nullptr ? load_floats<kWidth>(segment_.half_gradient + at_)
                                           : load_floats<kWidth>(segment_.gradient + at_);
    w_ = load_floats<kWidth>(segment_.weight + at_);
    m_ = load_floats<kWidth>(segment_.momentum + at_);
  }
  __device__ void finish(const Step& step) {
    if (!whole()) {
      for (unsigned i = 0; first_ + i < count_; ++i)
        update_one(segment_, at_ + i, step);
      return;
    }
#pragma unroll
    for (int lane = 0; lane < kWidth; ++lane)
      step(w_.values[lane], g_.values[lane], m_.values[lane]);
    store_floats(segment_.weight + at_, w_);
    store_floats(segment_.momentum + at_, m_);
    if (segment_.half != nullptr) store_floats(segment_.half + at_, w_);
  }

 private:
  __device__ bool whole() const {
    return first_ + kWidth <= count_;
  }

  Segment segment_;
  unsigned first_, count_;
  std::uint64_t at_;
  Floats<kWidth> g_, w_, m_;
};

/// One thread of a block reads the loss scale and says so; of the last block to say it, that thread
/// changes it. All other loads are in flight meanwhile.
__global__ void __launch_bounds__(kChunkThreads)
    fused_update(ChunkTable<Segment> table, Scalars scalars, Step step, LossScaleHyper scaling,
                 unsigned* arrived) {
  __shared__ float scale;
  const bool overflow = *scalars.found_inf != 0;
  VectorUpdate vector(chunk_of_block(table));
  if (threadIdx.x == 0) scale = *scalars.loss_scale;
  step.rate = *scalars.lr;
  __syncthreads();
  const bool last = threadIdx.x == 0 && arrives_last(arrived);
  step.factor = static_cast<float>(1.0 / static_cast<double>(scale));
  if (!overflow) vector.finish(step);
  if (!last) return;
  const LossScaleState next = after_step({scale, *scalars.good_steps}, overflow, scaling);
  *scalars.loss_scale = next.scale;
  *scalars.good_steps = next.good_steps;
}

class FusedUpdate final : public CudaKernel {
 public:
  FusedUpdate(FusedUpdateSlots slots, const ScaledSgdHyper& hyper)
      : slots_(slots), hyper_(hyper.sgd), scaling_(hyper.loss_scale) {}

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
    if (arrived_.data() == nullptr)
      arrived_ = CudaMemory(MemoryKind::device, sizeof(unsigned), "arrivals of an update");
  }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    const Scalars scalars{args.read<float>(FusedUpdateSlots::lr),
                          args.write<float>(FusedUpdateSlots::loss_scale),
                          args.read<std::int32_t>(FusedUpdateSlots::found_inf),
                          args.write<std::int32_t>(FusedUpdateSlots::good_steps)};
    const Step step{0, 0, hyper_.weight_decay, hyper_.momentum, hyper_.nesterov};
    const dim3 blocks(chunks_.count(), kChunkElements / (kChunkThreads * kWidth));
    fused_update<<<blocks, kChunkThreads, 0, on.stream>>>(
        chunks_.table(), scalars, step, scaling_, reinterpret_cast<unsigned*>(arrived_.data()));
    check(cudaGetLastError(), "launching fused_update");
  }

 private:
  FusedUpdateSlots slots_;
  SgdHyper hyper_;
  LossScaleHyper scaling_;
  TensorChunks<Segment> chunks_;
  CudaMemory arrived_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_fused_update_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& /*planner*/) {
  return std::make_unique<FusedUpdate>(FusedUpdateSlots::of(task, tensors),
                                       std::get<ScaledSgdHyper>(task.attributes));
}

}  // namespace quintet
