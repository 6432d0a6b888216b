/// A descriptor of cuDNN's backend API, owned; its attributes set and read by type.
#pragma once

#include <cstdint>
#include <cudnn.h>
#include <string_view>
#include <vector>

namespace quintet {

/// The attribute type that goes with a C++ type.
template <class T>
constexpr cudnnBackendAttributeType_t cudnn_type_of();

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

template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<std::int64_t>() {
  return CUDNN_TYPE_INT64;
}
template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<std::int32_t>() {
  return CUDNN_TYPE_INT32;
}
template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<float>() {
  return CUDNN_TYPE_FLOAT;
}
template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<bool>() {
  return CUDNN_TYPE_BOOLEAN;
}
template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<void*>() {
  return CUDNN_TYPE_VOID_PTR;
}
template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<cudnnHandle_t>() {
  return CUDNN_TYPE_HANDLE;
}
template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<cudnnDataType_t>() {
  return CUDNN_TYPE_DATA_TYPE;
}
template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<cudnnConvolutionMode_t>() {
  return CUDNN_TYPE_CONVOLUTION_MODE;
}
template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<cudnnPointwiseMode_t>() {
  return CUDNN_TYPE_POINTWISE_MODE;
}
template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<cudnnBackendHeurMode_t>() {
  return CUDNN_TYPE_HEUR_MODE;
}
template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<cudnnBackendNumericalNote_t>() {
  return CUDNN_TYPE_NUMERICAL_NOTE;
}
template <>
constexpr cudnnBackendAttributeType_t cudnn_type_of<cudnnBackendKnobType_t>() {
  return CUDNN_TYPE_KNOB_TYPE;
}

}  // namespace quintet
