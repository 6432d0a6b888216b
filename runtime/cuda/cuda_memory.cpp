#include "runtime/cuda/cuda_memory.h"

#include <cstring>
#include <cuda_runtime_api.h>
#include <utility>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_stream.h"

namespace quintet {

CudaMemory::CudaMemory(MemoryKind kind, std::uint64_t bytes, const char* what, MemoryStart start)
    : kind_(kind), bytes_(bytes) {
  if (bytes == 0) return;
  void* data = nullptr;
  if (kind == MemoryKind::device) {
    check(cudaMalloc(&data, bytes), what);
  } else {
    check(cudaMallocHost(&data, bytes), what);
  }
  data_ = static_cast<std::byte*>(data);
  if (start == MemoryStart::zeros) clear();
}

void CudaMemory::clear() const {
  if (bytes_ == 0) return;
  if (kind_ == MemoryKind::pinned_host) {
    std::memset(data_, 0, bytes_);
    return;
  }
  const Stream stream(0);
  check(cudaMemsetAsync(data_, 0, bytes_, stream.get()), "clearing memory");
  stream.synchronize();
}

CudaMemory::~CudaMemory() {
  if (data_ == nullptr) return;
  note_failure(kind_ == MemoryKind::device ? cudaFree(data_) : cudaFreeHost(data_),
               "freeing memory");
}

CudaMemory::CudaMemory(CudaMemory&& other) noexcept
    : kind_(other.kind_),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

CudaMemory& CudaMemory::operator=(CudaMemory&& other) noexcept {
  std::swap(kind_, other.kind_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void copy_and_wait(void* target, const void* source, std::uint64_t bytes) {
  if (bytes == 0) return;
  const Stream stream(0);
  check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, stream.get()), "copying memory");
  stream.synchronize();
}

}  // namespace quintet
