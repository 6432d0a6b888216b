/// Times candidates of a plan on the device, on buffers of its own that are filled with numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/cuda/cuda_memory.h"
#include "runtime/cuda/cuda_stream.h"

namespace quintet {

/// Owns a stream, buffers of the sizes asked for (random bits that are finite in FP16 and FP32) and
/// a workspace. Throws CudaError.
class LaunchTimer {
 public:
  LaunchTimer(const std::vector<std::uint64_t>& sizes, std::uint64_t workspace_bytes);

  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
  [[nodiscard]] std::vector<void*> buffers() const;
  [[nodiscard]] void* workspace() const { return workspace_.data(); }
  /// Median of a few timed runs after two untimed ones, in microseconds. `launch` puts its work on
  /// stream().
  double median_us(const std::function<void()>& launch);

 private:
  Stream stream_;
  std::vector<CudaMemory> buffers_;
  CudaMemory workspace_;
};

}  // namespace quintet
