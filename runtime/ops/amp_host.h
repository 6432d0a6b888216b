/// AMP on the host: halves are storage. A task's halves are widened to floats in its workspace, the
/// FP32 kernel runs on those, and what it wrote is rounded back to halves.
#pragma once

#include <memory>

#include "runtime/host/host_kernel.h"

namespace quintet {

/// Plans `make`'s kernel on FP32 twins of the task's F16 tensors; tensors of other types are passed
/// through. What the inner kernel adds to (dW) is widened, added to in float and rounded once.
/// Throws what `make` throws.
std::unique_ptr<HostKernel> make_amp_host(const Task& task, const TensorTable& tensors,
                                          HostKernelFactory make);

/// The factory of a kind's AMP twin, as a catalog line names it: `amp<make_fc_forward_host>`.
template <HostKernelFactory make>
std::unique_ptr<HostKernel> amp(const Task& task, const TensorTable& tensors) {
  return make_amp_host(task, tensors, make);
}

}  // namespace quintet
