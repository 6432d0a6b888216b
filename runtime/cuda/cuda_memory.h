/// Device and pinned host memory, allocated before the run and never during it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace quintet {

enum class MemoryKind { device, pinned_host };

/// `unwritten`: what it holds is anything, and a memory checker knows that nobody wrote it.
enum class MemoryStart { zeros, unwritten };

/// Owns one allocation. Throws CudaError. Usage: CudaMemory memory(MemoryKind::device, bytes,
/// "arena");
class CudaMemory {
 public:
  CudaMemory() = default;
  CudaMemory(MemoryKind kind, std::uint64_t bytes, const char* what,
             MemoryStart start = MemoryStart::zeros);
  ~CudaMemory();
  CudaMemory(CudaMemory&& other) noexcept;
  CudaMemory& operator=(CudaMemory&& other) noexcept;
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Fills it with zeros, and waits.
  void clear() const;

 private:
  MemoryKind kind_ = MemoryKind::device;
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

/// Copies between host and device memory and waits; for set-up and tests, never inside a step.
void copy_and_wait(void* target, const void* source, std::uint64_t bytes);

}  // namespace quintet
