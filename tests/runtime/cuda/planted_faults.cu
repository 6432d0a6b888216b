// One fault for each tool of compute-sanitizer, in kernels of ours and in the same that are not: what a
// tool that sees tells of the first, and what must be left out of the second. Without a tool all of
// them pass; tests/sanitize_gpu.sh runs them before anything else.
#include <gtest/gtest.h>

#include "tests/support/gpu_fixture.h"

namespace foreign_library {

constexpr int kThreads = 64;

template <class Owner>
__global__ void write_behind(int* values) {
  values[kThreads + threadIdx.x] = 1;
}

template <class Owner>
__global__ void race(int* values) {
  __shared__ int shared[kThreads];
  shared[threadIdx.x] = static_cast<int>(threadIdx.x);
  // The other warp's entry: the barrier between is missing.
  values[threadIdx.x] = shared[(threadIdx.x + kThreads / 2) % kThreads];
}

template <class Owner>
__global__ void read_unwritten(const int* unwritten, int* values) {
  values[threadIdx.x] = unwritten[threadIdx.x];
}

template <class Owner>
__global__ void miss_barrier(int* values) {
  if (threadIdx.x < kThreads - 16) __syncthreads();
  values[threadIdx.x] = 1;
}

struct Foreign {};

}  // namespace foreign_library

namespace quintet::test {
namespace {

using foreign_library::kThreads;

/// Makes a kernel's mangled name one of ours.
struct Ours {};

/// What the calls return counts for nothing: a tool ends the context at the first fault.
template <class Owner>
class Faults : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (!has_gpu()) return;
    static_cast<void>(cudaMalloc(&values_, kThreads * sizeof(int)));
    static_cast<void>(cudaMemset(values_, 0, kThreads * sizeof(int)));
    static_cast<void>(cudaMalloc(&unwritten_, kThreads * sizeof(int)));
  }
  void TearDown() override {
    static_cast<void>(cudaDeviceSynchronize());
    static_cast<void>(cudaFree(unwritten_));
    static_cast<void>(cudaFree(values_));
    static_cast<void>(cudaGetLastError());
  }

  void write_behind() { foreign_library::write_behind<Owner><<<1, kThreads>>>(values_); }
  void race() { foreign_library::race<Owner><<<1, kThreads>>>(values_); }
  void read_unwritten() {
    foreign_library::read_unwritten<Owner><<<1, kThreads>>>(unwritten_, values_);
  }
  void miss_barrier() { foreign_library::miss_barrier<Owner><<<1, kThreads>>>(values_); }

 private:
  int* values_ = nullptr;
  int* unwritten_ = nullptr;
};

class PlantedFault : public Faults<Ours> {};
class ForeignFault : public Faults<foreign_library::Foreign> {};

TEST_F(PlantedFault, IsAWriteBehindAnAllocation) {
  write_behind();
}
TEST_F(PlantedFault, IsARaceInSharedMemory) {
  race();
}
TEST_F(PlantedFault, IsAReadOfUnwrittenMemory) {
  read_unwritten();
}
TEST_F(PlantedFault, IsABarrierThatThreadsOfAWarpMiss) {
  miss_barrier();
}
TEST_F(ForeignFault, IsAWriteBehindAnAllocation) {
  write_behind();
}
TEST_F(ForeignFault, IsARaceInSharedMemory) {
  race();
}
TEST_F(ForeignFault, IsAReadOfUnwrittenMemory) {
  read_unwritten();
}
TEST_F(ForeignFault, IsABarrierThatThreadsOfAWarpMiss) {
  miss_barrier();
}

}  // namespace
}  // namespace quintet::test
