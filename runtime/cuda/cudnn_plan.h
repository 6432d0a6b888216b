/// One planned operation graph of cuDNN, pinned: engine and knobs are chosen once and written down,
/// so that the same problem computes the same bits ever after.
#pragma once

#include <cudnn.h>
#include <optional>
#include <string>
#include <vector>

#include "runtime/cuda/cudnn_descriptor.h"
#include "runtime/cuda/kernel_planner.h"

namespace quintet {

/// A tensor of the graph that has memory: its uid, and how many bytes a timing run needs for it.
struct CudnnBinding {
  std::int64_t uid = 0;
  std::uint64_t bytes = 0;
};

/// Which engines may be taken. Engines that cuDNN notes as non-deterministic never are.
struct CudnnLimits {
  bool exact_fp32 = false;  ///< no tensor cores (TF32), no Winograd, no FFT, no reduced precision
  std::uint64_t workspace_bytes = std::uint64_t{256} << 20;
};

/// Owns the execution plan. Threads: one caller at a time. Throws CudaError.
class CudnnPlan {
 public:
  /// The pinned plan of `graph` (a finalized operation graph) under `key` of the planner's store,
  /// searched and stored where it is not there yet. Nothing = cuDNN has no engine within the limits.
  static std::optional<CudnnPlan> make(const CudnnDescriptor& graph,
                                       std::vector<CudnnBinding> bindings,
                                       const CudnnLimits& limits, const std::string& key,
                                       KernelPlanner& planner);

  [[nodiscard]] std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  /// "engine=38 knobs=2:1,5:0".
  [[nodiscard]] const std::string& pinned() const { return pinned_; }

  /// Enqueues on the handle's stream; `pointers` in the order of the bindings.
  void run(cudnnHandle_t handle, const std::vector<void*>& pointers, void* workspace);

 private:
  CudnnPlan(CudnnDescriptor plan, std::vector<CudnnBinding> bindings, std::string pinned);
  struct Choice;
  /// What the heuristics offer, best guess first.
  static std::vector<Choice> candidates(const CudnnDescriptor& graph, const CudnnLimits& limits);
  static std::optional<CudnnPlan> build(const CudnnDescriptor& graph,
                                        const std::vector<CudnnBinding>& bindings,
                                        const Choice& choice, const CudnnLimits& limits,
                                        KernelPlanner& planner);

  CudnnDescriptor plan_;
  std::vector<CudnnBinding> bindings_;
  std::string pinned_;
  std::uint64_t workspace_bytes_ = 0;
};

}  // namespace quintet
