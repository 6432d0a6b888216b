/// What the planning of a GPU kernel may ask: the device, and library handles of its own, which no
/// stream of a run shares.
#pragma once

#include <cublasLt.h>
#include <cudnn.h>
#include <string>

namespace quintet {

class PlanStore;

/// Owns the planning handles; refers to a store of pinned plans, which must live longer. Threads:
/// one caller. Throws CudaError.
class KernelPlanner {
 public:
  /// Of the current CUDA device.
  explicit KernelPlanner(PlanStore& plans);
  ~KernelPlanner();
  KernelPlanner(const KernelPlanner&) = delete;
  KernelPlanner& operator=(const KernelPlanner&) = delete;

  /// What every plan's key begins with: device, its multiprocessors, library versions.
  [[nodiscard]] const std::string& identity() const { return identity_; }
  [[nodiscard]] int multiprocessors() const { return multiprocessors_; }
  [[nodiscard]] cudnnHandle_t cudnn() const { return cudnn_; }
  [[nodiscard]] cublasLtHandle_t cublas() const { return cublas_; }
  [[nodiscard]] PlanStore& plans() const { return plans_; }

 private:
  PlanStore& plans_;
  std::string identity_;
  int multiprocessors_ = 1;
  cudnnHandle_t cudnn_ = nullptr;
  cublasLtHandle_t cublas_ = nullptr;
};

}  // namespace quintet
