/// Work that takes a given time and does nothing.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>

namespace quintet {

/// Enqueues one thread that waits until so many nanoseconds of the device's timer have passed (its
/// resolution is about a microsecond). May be captured. Throws CudaError.
void enqueue_delay(cudaStream_t stream, std::int64_t nanoseconds);

}  // namespace quintet
