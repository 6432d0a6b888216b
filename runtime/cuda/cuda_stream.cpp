#include "runtime/cuda/cuda_stream.h"

#include <algorithm>

#include "runtime/cuda/cuda_error.h"

namespace quintet {

Stream::Stream(int priority) {
  int least = 0;
  int greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for stream priorities");
  check(cudaStreamCreateWithPriority(&native_, cudaStreamNonBlocking,
                                     std::clamp(priority, greatest, least)),
        "making a stream");
}

Stream::~Stream() {
  if (native_ != nullptr) note_failure(cudaStreamDestroy(native_), "destroying a stream");
}

void Stream::synchronize() const {
  check(cudaStreamSynchronize(native_), "waiting for a stream");
}

}  // namespace quintet
