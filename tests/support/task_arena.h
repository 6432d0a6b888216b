/// The memory of a plan, owned by a test: every region between guard bytes, tasks run alone in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/host/host_kernel.h"
#include "runtime/model/memory_plan.h"
#include "tests/support/random.h"

namespace quintet {

/// Owns: one zeroed buffer that holds all regions, each 64-byte aligned between guards. The plan
/// and the tensors must outlive it.
class TaskArena {
 public:
  /// `shift` moves all regions by that many bytes (a multiple of 64): same plan, other addresses.
  TaskArena(const TensorTable& tensors, const MemoryPlan& plan, std::uint64_t shift = 0);

  /// Everything, guards included.
  [[nodiscard]] std::span<std::byte> all() { return {data_, size_}; }
  [[nodiscard]] std::span<std::byte> bytes_of(RegionId region);
  [[nodiscard]] std::span<std::byte> bytes_of(RegionKind region) {
    return bytes_of(plan_.region(region).id);
  }
  [[nodiscard]] std::span<std::byte> bytes_of(TensorId tensor);
  /// Where a region begins in all().
  [[nodiscard]] std::uint64_t begin_of(RegionId region) const { return begins_[region.value()]; }

  /// A tensor's elements, converted from or to its dtype.
  [[nodiscard]] std::vector<double> values(TensorId tensor);
  void set(TensorId tensor, std::span<const double> values);

  /// Fills everything with random bytes.
  void scramble(TestRandom& random);
  /// Runs the task as if placed on `stream`.
  void run(const Task& task, StreamKind stream, HostKernel& kernel);

 private:
  const TensorTable& tensors_;
  const MemoryPlan& plan_;
  std::vector<std::uint64_t> begins_;
  std::vector<std::byte> storage_;
  std::byte* data_ = nullptr;
  std::uint64_t size_ = 0;
};

/// Fills what the task reads or updates with values that make sense: reals in [-1, 1), masks of 0
/// and 1, labels below the class count, argmax cells inside the input, small counters.
void fill_inputs(TaskArena& arena, const Task& task, const TensorTable& tensors,
                 TestRandom& random);

}  // namespace quintet
