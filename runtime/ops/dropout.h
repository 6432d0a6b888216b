/// Dropout in FP32 (inverted): Y = X / (1 - p) where kept, else 0; backward does the same to dY. In
/// inference the layer is the identity and has no op.
///
/// Whether element i of step t is kept depends on (seed, t, i) alone, so that no schedule and no
/// device changes it: of Philox 4x32-10 with the key {seed low, seed high} and the counter {i / 4
/// low, i / 4 high, t low, t high} the number i % 4 is compared with p * 2^32.
///
/// op kind          | inputs          | outputs     | attributes   | task
/// DROPOUT_FP32_FWD | X, counter I64  | Y, mask U8  | DropoutHyper | Y; counter = the training step
/// DROPOUT_FP32_BWD | dY, mask        | dX          | DropoutHyper | dX
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

struct DropoutForwardSlots {
  enum : std::size_t { X, counter, Y, mask };
};
struct DropoutBackwardSlots {
  enum : std::size_t { dY, mask, dX };
};

/// A random number below it drops the element. The probability must lie in [0, 1) (asserted).
std::uint32_t dropout_threshold(const DropoutHyper& hyper);
/// 1 / (1 - p).
float dropout_scale(const DropoutHyper& hyper);

std::vector<Task> lower_dropout_fwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_dropout_bwd(const Op& op, const TensorTable& tensors);

/// Host kernels: dropout_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_dropout_forward_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_dropout_backward_host(const Task& task,
                                                       const TensorTable& tensors);

/// CUDA kernels: dropout_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_dropout_forward_cuda(const Task& task, const TensorTable& tensors,
                                                      KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_dropout_backward_cuda(const Task& task, const TensorTable& tensors,
                                                       KernelPlanner& planner);

}  // namespace quintet
