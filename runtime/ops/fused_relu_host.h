/// ReLU as the end of another op's task on the host: that op's kernel writes Y, one pass over Y then
/// clamps it in place and notes the mask, a block at a time. Bit for bit what the two tasks give.
///
/// oneDNN's own ReLU post-op is no alternative: on the convolutions of plain layouts that it offers
/// it takes 1.25 to 5.8 times as long as the whole pair, turns negative values into -0 and loses NaN.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/host/host_kernel.h"

namespace quintet {

/// `make` plans the producer's part of a task that is fused_with a ReLU (runtime/ops/fusion.h);
/// `y_slot` is where that op's header has Y. Throws what `make` throws.
std::unique_ptr<HostKernel> make_fused_relu_host(const Task& task, const TensorTable& tensors,
                                                 HostKernelFactory make, std::size_t y_slot);

/// The factory of a pair, as a catalog line names it:
/// `with_relu<make_conv_forward_host, ConvForwardSlots::Y>`.
template <HostKernelFactory make, std::size_t y_slot>
std::unique_ptr<HostKernel> with_relu(const Task& task, const TensorTable& tensors) {
  return make_fused_relu_host(task, tensors, make, y_slot);
}

}  // namespace quintet
