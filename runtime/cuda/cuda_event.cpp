#include "runtime/cuda/cuda_event.h"

#include "runtime/cuda/cuda_error.h"

namespace quintet {

Event::Event(unsigned flags) {
  check(cudaEventCreateWithFlags(&native_, flags), "making an event");
}

Event::~Event() {
  if (native_ != nullptr) note_failure(cudaEventDestroy(native_), "destroying an event");
}

void Event::record(StreamRef stream) const {
  check(cudaEventRecord(native_, stream.get()), "recording an event");
}

void Event::make_wait(StreamRef stream) const {
  check(cudaStreamWaitEvent(stream.get(), native_, 0), "making a stream wait for an event");
}

void Event::synchronize() const {
  check(cudaEventSynchronize(native_), "waiting for an event");
}

bool Event::happened() const {
  const cudaError_t status = cudaEventQuery(native_);
  if (status == cudaErrorNotReady) return false;
  check(status, "asking for an event");
  return true;
}

double TimedEvent::ms_since(const TimedEvent& begin) const {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin.get(), get()), "measuring between two events");
  return static_cast<double>(ms);
}

}  // namespace quintet
