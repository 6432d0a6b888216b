#include <cassert>

#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/copy.h"
#include "runtime/ops/cuda_elementwise.cuh"

namespace quintet {

namespace {

struct LabelsBody {
  static constexpr int kWidth = kVectorWidth<std::int32_t>;
  const std::int32_t* source;
  std::int32_t* target;

  template <int width>
  __device__ Packed<std::int32_t, width> load(std::int64_t first) const {
    return load_packed<width>(source + first);
  }
  template <int width>
  __device__ void finish(std::int64_t first, const Packed<std::int32_t, width>& labels) const {
    store_packed(target + first, labels);
  }
};

/// A kernel, not a copy of the driver's: what begins the chain of a step must begin at once.
class StageLabels final : public CudaKernel {
 public:
  void launch(const TaskArgs& args, const StreamResources& on) override {
    assert(args.bytes(CopySlots::source) == args.bytes(CopySlots::target));
    launch_elementwise(
        LabelsBody{args.read<std::int32_t>(CopySlots::source),
                   args.write<std::int32_t>(CopySlots::target)},
        static_cast<std::int64_t>(args.bytes(CopySlots::target) / sizeof(std::int32_t)), on.stream,
        "launching the staging of labels");
  }
};

}  // namespace

std::unique_ptr<CudaKernel> make_stage_labels_cuda(const Task& /*task*/,
                                                   const TensorTable& /*tensors*/,
                                                   KernelPlanner& /*planner*/) {
  return std::make_unique<StageLabels>();
}

}  // namespace quintet
