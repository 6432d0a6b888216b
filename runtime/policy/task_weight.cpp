#include "runtime/policy/task_weight.h"

#include <algorithm>

namespace quintet {

namespace {

// What large kernels reach on an NVIDIA H200, rounded: half precision tensor cores are faster, FP32
// without them is slower.
constexpr double kFlopsPerNs = 200e3;
constexpr double kBytesPerNs = 3500;
constexpr double kHostLinkBytesPerNs = 50;
constexpr double kLeastNs = 2000;
/// Threads that the device keeps resident; a task with fewer elements does not fill it.
constexpr double kResidentThreads = 132.0 * 2048;
constexpr double kLeastShare = 0.05;
/// An element is read and written once: eight bytes.
constexpr double kBytesPerElement = 8;
/// Flops for each byte at which arithmetic takes as long as memory does.
constexpr double kBalance = kFlopsPerNs / kBytesPerNs;

TaskWeight estimated(const Task& task) {
  if (task.part == TaskPart::copy) {
    return {std::max(kLeastNs, task.bytes / kHostLinkBytesPerNs), 0, 0};
  }
  const double memory_ns = task.bytes / kBytesPerNs;
  TaskWeight weight;
  weight.alone_ns = std::max({kLeastNs, memory_ns, task.flops / kFlopsPerNs});
  weight.sm_share = std::clamp(task.bytes / kBytesPerElement / kResidentThreads, kLeastShare, 1.0);
  weight.bandwidth_share = std::min(1.0, memory_ns / weight.alone_ns);
  return weight;
}

}  // namespace

TaskWeights estimated_weights(std::span<const Task> tasks) {
  TaskWeights weights;
  weights.source = "estimated from flops and bytes";
  for (const Task& task : tasks)
    weights.of_task.push_back(estimated(task));
  return weights;
}

bool is_memory_bound(const Task& task) {
  return task.flops < kBalance * task.bytes;
}

}  // namespace quintet
