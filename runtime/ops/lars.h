/// LARS in FP32: SGD with momentum at a rate of its own for each tensor, biases included. With
/// trust' = trust * |w| / (|g| + weight_decay * |w| + epsilon), or 1 where |w| or |g| is 0:
/// m = momentum * m + (g + weight_decay * w); w -= lr * trust' * m. Norms are Euclidean, summed in
/// double in element order. The three kinds differ in where a policy puts them, not in what they
/// do.
///
/// op kind           | inputs                        | outputs                | attributes | task
/// LARS_UPDATE_FC    | lr, G1, ... Gn, [found_inf]   | W1, M1, ... Wn, Mn     | LarsHyper  | update
/// LARS_UPDATE_FIRST | (the same)                    |                        |            |
/// LARS_UPDATE_DEEP  | (the same)                    |                        |            |
///
/// found_inf (I32[1]) is there where there is one input more than 1 + outputs / 2.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/model/op.h"
#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

class CudaKernel;
class HostKernel;
class KernelPlanner;

/// Slots of the task over `tensors` weights: lr, all gradients, weights and momenta in pairs, then
/// found_inf where there is one.
struct LarsSlots {
  std::size_t tensors;

  static constexpr std::size_t lr = 0;
  [[nodiscard]] std::size_t gradient(std::size_t i) const { return 1 + i; }
  [[nodiscard]] std::size_t weight(std::size_t i) const { return 1 + tensors + 2 * i; }
  [[nodiscard]] std::size_t momentum(std::size_t i) const { return 2 + tensors + 2 * i; }
  [[nodiscard]] std::size_t found_inf() const { return 1 + 3 * tensors; }
  /// Of a task with so many operands.
  static LarsSlots of(std::size_t operands) { return {(operands - 1) / 3}; }
};

std::vector<Task> lower_lars(const Op& op, const TensorTable& tensors);

/// Host kernel: lars_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_lars_host(const Task& task, const TensorTable& tensors);

/// CUDA kernel: lars_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_lars_cuda(const Task& task, const TensorTable& tensors,
                                           KernelPlanner& planner);

}  // namespace quintet
