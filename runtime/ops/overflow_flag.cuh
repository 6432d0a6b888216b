/// The flag of AMP as kernels read it: overflow is known on the device alone, so that is where an
/// update is skipped.
#pragma once

#include <cstdint>

namespace quintet {

/// True where there is a flag (overflow_flag()) and it is not 0.
__device__ inline bool overflow_noted(const std::int32_t* found_inf) {
  return found_inf != nullptr && *found_inf != 0;
}

}  // namespace quintet
