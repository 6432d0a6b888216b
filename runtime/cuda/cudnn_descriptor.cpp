#include "runtime/cuda/cudnn_descriptor.h"

#include <algorithm>
#include <utility>

#include "runtime/cuda/cuda_error.h"

namespace quintet {

CudnnDescriptor::CudnnDescriptor(cudnnBackendDescriptorType_t type) {
  check(cudnnBackendCreateDescriptor(type, &native_), "making a cuDNN descriptor");
}

CudnnDescriptor::~CudnnDescriptor() {
  if (native_ != nullptr) static_cast<void>(cudnnBackendDestroyDescriptor(native_));
}

CudnnDescriptor& CudnnDescriptor::operator=(CudnnDescriptor&& other) noexcept {
  std::swap(native_, other.native_);
  return *this;
}

void CudnnDescriptor::set_bytes(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                                std::int64_t count, const void* values) {
  check(cudnnBackendSetAttribute(native_, name, type, count, values),
        "setting an attribute of a cuDNN descriptor");
}

std::int64_t CudnnDescriptor::get_bytes(cudnnBackendAttributeName_t name,
                                        cudnnBackendAttributeType_t type, std::int64_t limit,
                                        void* values) const {
  std::int64_t count = 0;
  check(cudnnBackendGetAttribute(native_, name, type, limit, &count, values),
        "reading an attribute of a cuDNN descriptor");
  return std::min(count, limit);
}

std::int64_t CudnnDescriptor::copy_into(cudnnBackendAttributeName_t name,
                                        std::vector<CudnnDescriptor>& targets) const {
  std::vector<cudnnBackendDescriptor_t> natives;
  natives.reserve(targets.size());
  for (const CudnnDescriptor& target : targets)
    natives.push_back(target.get());
  return get_bytes(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, static_cast<std::int64_t>(natives.size()),
                   natives.data());
}

void CudnnDescriptor::set(cudnnBackendAttributeName_t name,
                          const std::vector<CudnnDescriptor>& others) {
  std::vector<cudnnBackendDescriptor_t> natives;
  natives.reserve(others.size());
  for (const CudnnDescriptor& other : others)
    natives.push_back(other.get());
  set_bytes(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, static_cast<std::int64_t>(natives.size()),
            natives.data());
}

void CudnnDescriptor::finalize(std::string_view what) {
  check(cudnnBackendFinalize(native_), what);
}

bool CudnnDescriptor::try_finalize() {
  return cudnnBackendFinalize(native_) == CUDNN_STATUS_SUCCESS;
}

}  // namespace quintet
