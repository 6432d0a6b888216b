#include "tests/fuzz/memory_file.h"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace quintet {

MemoryFile::MemoryFile()
    : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)),
      path_("/proc/self/fd/" + std::to_string(descriptor_)) {
  if (descriptor_ < 0) std::abort();
}

MemoryFile::~MemoryFile() {
  close(descriptor_);
}

void MemoryFile::write(std::span<const std::uint8_t> bytes) const {
  if (ftruncate(descriptor_, 0) != 0) std::abort();
  const auto size = static_cast<ssize_t>(bytes.size());
  if (pwrite(descriptor_, bytes.data(), bytes.size(), 0) != size) std::abort();
}

}  // namespace quintet
