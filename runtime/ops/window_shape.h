/// The arithmetic of sliding windows that convolution and pooling share: how many windows fit.
#pragma once

#include <string_view>

#include "runtime/model/op.h"
#include "runtime/model/result.h"
#include "runtime/model/shape.h"

namespace quintet {

/// Windows along height and width.
struct WindowCounts {
  std::int64_t h = 0;
  std::int64_t w = 0;
};

/// (extent + 2 pad - kernel) / stride + 1, rounded down, of the NHWC shape `x`. Errors, with the
/// numbers: x not of rank 4; kernel or stride below 1; negative padding; a figure beyond 65535; a
/// kernel larger than the padded input. `what` begins the message: "convolution", "max-pooling".
Result<WindowCounts> count_windows(std::string_view what, const Shape& x, const Window& window);

/// The same for a pooling. Error beside those: padding not smaller than the kernel (a window would
/// see nothing but padding).
Result<WindowCounts> count_pool_windows(std::string_view what, const Shape& x,
                                        const Window& window);

}  // namespace quintet
