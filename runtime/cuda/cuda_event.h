/// CUDA events: one for order alone, one that also knows its time.
#pragma once

#include <cuda_runtime_api.h>

#include "runtime/cuda/cuda_stream.h"

namespace quintet {

/// Owns an event without a time stamp. Throws CudaError. Usage: Event done; done.record(stream);
/// done.make_wait(other);
class Event {
 public:
  Event() : Event(cudaEventDisableTiming) {}
  ~Event();
  Event(Event&& other) noexcept : native_(other.native_) { other.native_ = nullptr; }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  Event& operator=(Event&&) = delete;

  [[nodiscard]] cudaEvent_t get() const { return native_; }
  void record(StreamRef stream) const;
  /// `stream` goes on when what was recorded last has happened.
  void make_wait(StreamRef stream) const;
  /// Blocks the calling thread.
  void synchronize() const;
  [[nodiscard]] bool happened() const;

 protected:
  explicit Event(unsigned flags);

 private:
  cudaEvent_t native_ = nullptr;
};

/// An event with a time stamp of the device.
class TimedEvent : public Event {
 public:
  TimedEvent() : Event(cudaEventDefault) {}
  /// Milliseconds from `begin` to this; both must have happened.
  [[nodiscard]] double ms_since(const TimedEvent& begin) const;
};

}  // namespace quintet
