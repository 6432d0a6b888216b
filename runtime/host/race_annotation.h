/// Tells ThreadSanitizer what a task touches, since it cannot see into generated code. Nothing in
/// other builds.
#pragma once

#include <cstddef>

#include "runtime/model/access.h"

#if defined(__SANITIZE_THREAD__)
extern "C" {
void __tsan_read_range(void* address, unsigned long size);
void __tsan_write_range(void* address, unsigned long size);
}
#endif

namespace quintet {

/// Announces that the calling thread reads or writes the range now.
inline void announce_access([[maybe_unused]] std::byte* data, [[maybe_unused]] std::size_t bytes,
                            [[maybe_unused]] AccessMode mode) {
#if defined(__SANITIZE_THREAD__)
  if (bytes == 0) return;
  if (writes(mode)) {
    __tsan_write_range(data, bytes);
  } else {
    __tsan_read_range(data, bytes);
  }
#endif
}

}  // namespace quintet
