#include "runtime/ops/add.h"
#include "runtime/ops/cuda_element_type.h"
#include "runtime/ops/cuda_elementwise.cuh"
#include "runtime/ops/cuda_relu.cuh"

namespace quintet {

namespace {

template <class T, Epilogue epilogue>
struct AddBody {
  static constexpr int kWidth = kVectorWidth<T>;
  const T* a;
  const T* b;
  T* sum;
  std::uint8_t* mask;

  template <int width>
  struct Loaded {
    Packed<T, width> a, b;
  };
  template <int width>
  __device__ Loaded<width> load(std::int64_t first) const {
    return {load_packed<width>(a + first), load_packed<width>(b + first)};
  }
  template <int width>
  __device__ void finish(std::int64_t first, const Loaded<width>& loaded) const {
    Floats<width> values = widened(loaded.a);
    const Floats<width> others = widened(loaded.b);
#pragma unroll
    for (int i = 0; i < width; ++i)
      values[i] += others[i];
    store_result<epilogue>(values, sum + first, mask + first);
  }
};

template <class T>
class Add final : public CudaKernel {
 public:
  explicit Add(const Task& task) : end_(task) {}

  [[nodiscard]] std::string implementation() const override { return end_.implementation(); }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    const auto count = static_cast<std::int64_t>(args.bytes(AddSlots::sum) / sizeof(T));
    end_.visit([&](auto epilogue) {
      launch_elementwise(
          AddBody<T, epilogue()>{args.read<T>(AddSlots::first), args.read<T>(AddSlots::second),
                                 args.write<T>(AddSlots::sum), end_.mask(args)},
          count, on.stream, "launching addition");
    });
  }

 private:
  ReluEnd end_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_add_cuda(const Task& task, const TensorTable& tensors,
                                          KernelPlanner& /*planner*/) {
  return make_for_dtype<Add>(task, tensors, AddSlots::first, task);
}

}  // namespace quintet
