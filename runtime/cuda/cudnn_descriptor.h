/// A descriptor of cuDNN's backend API, owned; its attributes set and read by type.
#pragma once

#include <cstdint>
#include <cudnn.h>
#include <string_view>
#include <type_traits>
#include <vector>

namespace quintet {

/// The attribute type that goes with a C++ type; others do not compile.
template <class T>
constexpr cudnnBackendAttributeType_t cudnn_type_of() {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    return CUDNN_TYPE_INT64;
  } else if constexpr (std::is_same_v<T, float>) {
    return CUDNN_TYPE_FLOAT;
  } else if constexpr (std::is_same_v<T, bool>) {
    return CUDNN_TYPE_BOOLEAN;
  } else if constexpr (std::is_same_v<T, void*>) {
    return CUDNN_TYPE_VOID_PTR;
  } else if constexpr (std::is_same_v<T, cudnnHandle_t>) {
    return CUDNN_TYPE_HANDLE;
  } else if constexpr (std::is_same_v<T, cudnnDataType_t>) {
    return CUDNN_TYPE_DATA_TYPE;
  } else if constexpr (std::is_same_v<T, cudnnConvolutionMode_t>) {
    return CUDNN_TYPE_CONVOLUTION_MODE;
  } else if constexpr (std::is_same_v<T, cudnnPointwiseMode_t>) {
    return CUDNN_TYPE_POINTWISE_MODE;
  } else if constexpr (std::is_same_v<T, cudnnBackendHeurMode_t>) {
    return CUDNN_TYPE_HEUR_MODE;
  } else if constexpr (std::is_same_v<T, cudnnBackendNumericalNote_t>) {
    return CUDNN_TYPE_NUMERICAL_NOTE;
  } else {
    static_assert(std::is_same_v<T, cudnnBackendKnobType_t>);
    return CUDNN_TYPE_KNOB_TYPE;
  }
}

/// Owns one descriptor. Throws CudaError. Usage: CudnnDescriptor tensor(
/// CUDNN_BACKEND_TENSOR_DESCRIPTOR); tensor.set(...); tensor.finalize("the tensor");
class CudnnDescriptor {
 public:
  explicit CudnnDescriptor(cudnnBackendDescriptorType_t type);
  ~CudnnDescriptor();
  CudnnDescriptor(CudnnDescriptor&& other) noexcept : native_(other.native_) {
    other.native_ = nullptr;
  }
  CudnnDescriptor& operator=(CudnnDescriptor&& other) noexcept;
  CudnnDescriptor(const CudnnDescriptor&) = delete;
  CudnnDescriptor& operator=(const CudnnDescriptor&) = delete;

  [[nodiscard]] cudnnBackendDescriptor_t get() const { return native_; }

  template <class T>
  void set(cudnnBackendAttributeName_t name, const T& value) {
    set_bytes(name, cudnn_type_of<T>(), 1, &value);
  }
  template <class T>
  void set(cudnnBackendAttributeName_t name, const std::vector<T>& values) {
    set_bytes(name, cudnn_type_of<T>(), static_cast<std::int64_t>(values.size()), values.data());
  }
  void set(cudnnBackendAttributeName_t name, const CudnnDescriptor& other) {
    const cudnnBackendDescriptor_t native = other.get();
    set_bytes(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &native);
  }
  void set(cudnnBackendAttributeName_t name, const std::vector<CudnnDescriptor>& others);
  template <class T>
  [[nodiscard]] T get(cudnnBackendAttributeName_t name) const {
    T value{};
    get_bytes(name, cudnn_type_of<T>(), 1, &value);
    return value;
  }
  /// Up to `limit` values of a kind that is no descriptor.
  template <class T>
  [[nodiscard]] std::vector<T> list(cudnnBackendAttributeName_t name, std::int64_t limit) const {
    std::vector<T> values(static_cast<std::size_t>(limit));
    values.resize(
        static_cast<std::size_t>(get_bytes(name, cudnn_type_of<T>(), limit, values.data())));
    return values;
  }
  /// Copies a descriptor attribute into descriptors of that type; returns how many there were.
  std::int64_t copy_into(cudnnBackendAttributeName_t name,
                         std::vector<CudnnDescriptor>& targets) const;

  void finalize(std::string_view what);
  /// False where cuDNN does not support what the descriptor says.
  [[nodiscard]] bool try_finalize();

 private:
  void set_bytes(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                 std::int64_t count, const void* values);
  std::int64_t get_bytes(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                         std::int64_t limit, void* values) const;

  cudnnBackendDescriptor_t native_ = nullptr;
};

}  // namespace quintet
