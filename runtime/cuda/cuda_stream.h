/// A non-blocking CUDA stream: nothing put on it ever synchronises with the legacy default stream.
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>

namespace quintet {

/// Refers to a stream that somebody else owns.
class StreamRef {
 public:
  explicit StreamRef(cudaStream_t native) : native_(native) {}
  StreamRef(std::nullptr_t) = delete;
  [[nodiscard]] cudaStream_t get() const { return native_; }
  friend bool operator==(StreamRef, StreamRef) = default;

 private:
  cudaStream_t native_;
};

/// Owns a stream. Throws CudaError. Usage: Stream stream(0); stream.ref();
class Stream {
 public:
  /// `priority`: a lower number is more urgent; clamped to what the device has.
  explicit Stream(int priority);
  ~Stream();
  Stream(Stream&& other) noexcept : native_(other.native_) { other.native_ = nullptr; }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  Stream& operator=(Stream&&) = delete;

  [[nodiscard]] StreamRef ref() const { return StreamRef(native_); }
  [[nodiscard]] cudaStream_t get() const { return native_; }
  void synchronize() const;

 private:
  cudaStream_t native_ = nullptr;
};

}  // namespace quintet
