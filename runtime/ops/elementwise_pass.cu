#include <cuda_fp16.h>

#include "runtime/ops/cuda_elementwise.cuh"
#include "runtime/ops/cuda_relu.cuh"
#include "runtime/ops/elementwise_pass.h"

namespace quintet {

namespace {

template <class T>
struct AddIntoBody {
  static constexpr int kWidth = kVectorWidth<T>;
  T* target;
  const T* source;

  template <int width>
  struct Loaded {
    Packed<T, width> target, source;
  };
  template <int width>
  __device__ Loaded<width> load(std::int64_t first) const {
    return {load_packed<width>(target + first), load_packed<width>(source + first)};
  }
  template <int width>
  __device__ void finish(std::int64_t first, const Loaded<width>& loaded) const {
    Floats<width> sums = widened(loaded.target);
    const Floats<width> added = widened(loaded.source);
#pragma unroll
    for (int i = 0; i < width; ++i)
      sums[i] += added[i];
    store_floats(target + first, sums);
  }
};

struct RoundBody {
  static constexpr int kWidth = kVectorWidth<float>;
  __half* target;
  const float* source;

  template <int width>
  __device__ Packed<float, width> load(std::int64_t first) const {
    return load_packed<width>(source + first);
  }
  template <int width>
  __device__ void finish(std::int64_t first, const Packed<float, width>& loaded) const {
    store_floats(target + first, widened(loaded));
  }
};

/// `width_limit`: 1 where rows are no whole vectors.
template <class T, int width_limit>
struct AddBiasBody {
  static constexpr int kWidth = width_limit;
  T* y;
  const T* bias;
  std::int64_t columns;

  template <int width>
  struct Loaded {
    Packed<T, width> y, bias;
  };
  template <int width>
  __device__ Loaded<width> load(std::int64_t first) const {
    return {load_packed<width>(y + first), load_packed<width>(bias + first % columns)};
  }
  template <int width>
  __device__ void finish(std::int64_t first, const Loaded<width>& loaded) const {
    Floats<width> sums = widened(loaded.y);
    const Floats<width> added = widened(loaded.bias);
#pragma unroll
    for (int i = 0; i < width; ++i)
      sums[i] += added[i];
    store_floats(y + first, sums);
  }
};

template <class T, Epilogue epilogue>
struct ReluBody {
  static constexpr int kWidth = kVectorWidth<T>;
  T* y;
  std::uint8_t* mask;

  template <int width>
  __device__ Packed<T, width> load(std::int64_t first) const {
    return load_packed<width>(y + first);
  }
  template <int width>
  __device__ void finish(std::int64_t first, const Packed<T, width>& loaded) const {
    store_result<epilogue>(widened(loaded), y + first, mask + first);
  }
};

template <class T>
struct MaskBody {
  static constexpr int kWidth = kVectorWidth<T>;
  T* values;
  const std::uint8_t* mask;

  template <int width>
  struct Loaded {
    Packed<T, width> values;
    Packed<std::uint8_t, width> mask;
  };
  template <int width>
  __device__ Loaded<width> load(std::int64_t first) const {
    return {load_packed<width>(values + first), load_packed<width>(mask + first)};
  }
  template <int width>
  __device__ void finish(std::int64_t first, Loaded<width> loaded) const {
#pragma unroll
    for (int i = 0; i < width; ++i) {
      if (loaded.mask.values[i] == 0) loaded.values.values[i] = T(0.0F);
    }
    store_packed(values + first, loaded.values);
  }
};

/// Calls visit(T*) with a null pointer of the element type.
template <class Visit>
void for_element_type(DType dtype, Visit visit) {
  if (dtype == DType::F16) return visit(static_cast<__half*>(nullptr));
  visit(static_cast<float*>(nullptr));
}

}  // namespace

void launch_add_into(DType dtype, void* target, const void* source, std::int64_t elements,
                     cudaStream_t stream) {
  for_element_type(dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    launch_elementwise(AddIntoBody<T>{static_cast<T*>(target), static_cast<const T*>(source)},
                       elements, stream, "launching an addition");
  });
}

void launch_round_to_half(void* target, const void* source, std::int64_t elements,
                          cudaStream_t stream) {
  launch_elementwise(RoundBody{static_cast<__half*>(target), static_cast<const float*>(source)},
                     elements, stream, "launching a rounding to halves");
}

void launch_add_bias(DType dtype, void* y, const void* bias, std::int64_t rows,
                     std::int64_t columns, cudaStream_t stream) {
  for_element_type(dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    constexpr int kWidth = kVectorWidth<T>;
    const auto launch = [&](auto body) {
      launch_elementwise(body, rows * columns, stream, "launching the addition of a bias");
    };
    if (columns % kWidth == 0) {
      launch(AddBiasBody<T, kWidth>{static_cast<T*>(y), static_cast<const T*>(bias), columns});
    } else {
      launch(AddBiasBody<T, 1>{static_cast<T*>(y), static_cast<const T*>(bias), columns});
    }
  });
}

void launch_relu_in_place(DType dtype, void* y, std::uint8_t* mask, std::int64_t elements,
                          cudaStream_t stream) {
  for_element_type(dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    if (mask != nullptr) {
      launch_elementwise(ReluBody<T, Epilogue::relu_with_mask>{static_cast<T*>(y), mask}, elements,
                         stream, "launching a ReLU in place");
    } else {
      launch_elementwise(ReluBody<T, Epilogue::relu>{static_cast<T*>(y), mask}, elements, stream,
                         "launching a ReLU in place");
    }
  });
}

void launch_mask_in_place(DType dtype, void* values, const std::uint8_t* mask,
                          std::int64_t elements, cudaStream_t stream) {
  for_element_type(dtype, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    launch_elementwise(MaskBody<T>{static_cast<T*>(values), mask}, elements, stream,
                       "launching a mask in place");
  });
}

}  // namespace quintet
