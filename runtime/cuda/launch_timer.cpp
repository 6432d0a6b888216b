#include "runtime/cuda/launch_timer.h"

#include <algorithm>
#include <array>
#include <cuda_runtime_api.h>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_event.h"

namespace quintet {

namespace {

constexpr std::size_t kTimedRuns = 5;

/// Small numbers of both signs: as halves and as floats finite and far from zero, so that no
/// datapath idles on zeros.
std::vector<std::uint32_t> noise(std::uint64_t words) {
  std::vector<std::uint32_t> values(static_cast<std::size_t>(words));
  std::uint32_t state = 0x9E3779B9U;
  for (std::uint32_t& value : values) {
    state = state * 1664525U + 1013904223U;
    // Each half: sign and mantissa at random, exponent of 0.25 to 1.
    value = ((state & 0x83FF83FFU) | 0x34003400U) ^ ((state >> 3) & 0x04000400U);
  }
  return values;
}

}  // namespace

LaunchTimer::LaunchTimer(const std::vector<std::uint64_t>& sizes, std::uint64_t workspace_bytes)
    : stream_(0), workspace_(MemoryKind::device, workspace_bytes, "workspace of a timing run") {
  constexpr std::uint64_t kPattern = std::uint64_t{1} << 20;
  const std::vector<std::uint32_t> pattern = noise(kPattern / sizeof(std::uint32_t));
  for (const std::uint64_t bytes : sizes) {
    const CudaMemory& buffer =
        buffers_.emplace_back(MemoryKind::device, bytes, "buffer of a timing run");
    for (std::uint64_t at = 0; at < bytes; at += kPattern) {
      check(cudaMemcpyAsync(buffer.data() + at, pattern.data(), std::min(kPattern, bytes - at),
                            cudaMemcpyHostToDevice, stream_.get()),
            "filling a buffer of a timing run");
    }
  }
  stream_.synchronize();
}

std::vector<void*> LaunchTimer::buffers() const {
  std::vector<void*> pointers;
  for (const CudaMemory& buffer : buffers_)
    pointers.push_back(buffer.data());
  return pointers;
}

double LaunchTimer::median_us(const std::function<void()>& launch) {
  const TimedEvent begin;
  const TimedEvent end;
  for (int warm = 0; warm < 2; ++warm)
    launch();
  std::array<double, kTimedRuns> times{};
  for (double& time : times) {
    begin.record(stream_.ref());
    launch();
    end.record(stream_.ref());
    end.synchronize();
    time = end.ms_since(begin) * 1000;
  }
  std::nth_element(times.begin(), times.begin() + kTimedRuns / 2, times.end());
  return times[kTimedRuns / 2];
}

}  // namespace quintet
