/// A planned matrix product of cuBLASLt over row-major matrices, pinned to one algorithm.
#pragma once

#include <cstdint>
#include <cublasLt.h>
#include <optional>
#include <string>

#include "runtime/cuda/kernel_planner.h"
#include "runtime/model/dtype.h"

namespace quintet {

class LaunchTimer;

/// C[rows, columns] = A[rows, inner] B[inner, columns] (+ bias[columns]) (+ C). A transposed factor
/// is stored as its transpose, row-major. All of one type, F32 or F16; sums in F32 (no TF32), bias
/// and C added before the one rounding.
struct CudaMatmulProblem {
  DType dtype = DType::F32;
  std::int64_t rows = 1, inner = 1, columns = 1;
  bool transposed_a = false;
  bool transposed_b = false;
  bool bias = false;
  bool accumulate = false;
};

/// Owns descriptors and the algorithm. Threads: one caller at a time. Throws CudaError.
class MatmulPlan {
 public:
  MatmulPlan(const CudaMatmulProblem& problem, KernelPlanner& planner);
  ~MatmulPlan();
  MatmulPlan(const MatmulPlan&) = delete;
  MatmulPlan& operator=(const MatmulPlan&) = delete;

  [[nodiscard]] std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  [[nodiscard]] const std::string& pinned() const { return pinned_; }
  /// `bias` null where the problem has none.
  void run(cublasLtHandle_t handle, cudaStream_t stream, const void* a, const void* b, void* c,
           const void* bias, void* workspace);

 private:
  void describe();
  void choose(KernelPlanner& planner);
  /// Takes the algorithm that a text describes; false where it describes none that can run.
  bool pin(const std::string& text, KernelPlanner& planner);
  /// Of the pinned algorithm.
  double time_us(std::optional<LaunchTimer>& timer, KernelPlanner& planner);
  [[nodiscard]] std::string key(const KernelPlanner& planner) const;

  CudaMatmulProblem problem_;
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t first_ = nullptr;  ///< cuBLAS counts by columns: its first factor is our B
  cublasLtMatrixLayout_t second_ = nullptr;  ///< and its second our A
  cublasLtMatrixLayout_t result_ = nullptr;
  cublasLtMatmulAlgo_t algorithm_{};
  std::uint64_t workspace_bytes_ = 0;
  std::string pinned_;
};

}  // namespace quintet
