/// What the host kernels of all poolings share: the sizes, and the part of a window that lies
/// inside its input.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/model/op.h"
#include "runtime/model/shape.h"
#include "runtime/model/task.h"

namespace quintet {

/// The input and output of a pooling and the window between them.
struct PoolShape {
  std::int64_t n, h, w, c, out_h, out_w;
  Window window;
};

inline PoolShape pool_shape_of(const Task& task, const Shape& x, const Shape& y) {
  return {x.dim(0),
          x.dim(1),
          x.dim(2),
          x.dim(3),
          y.dim(1),
          y.dim(2),
          std::get<Window>(task.attributes)};
}

/// The cells [begin, end) of a window that lie inside the input, and where its cell 0 would lie.
struct WindowSpan {
  std::int64_t origin, begin, end;
  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

inline WindowSpan clip_window(std::int64_t index, std::int64_t stride, std::int64_t pad,
                              std::int64_t kernel, std::int64_t extent) {
  const std::int64_t origin = index * stride - pad;
  return {origin, std::max<std::int64_t>(0, -origin), std::min(kernel, extent - origin)};
}

/// The rows of the windows in output row `i`, and the columns of those in output column `j`.
inline WindowSpan window_rows(const PoolShape& s, std::int64_t i) {
  return clip_window(i, s.window.stride_h, s.window.pad_h, s.window.kernel_h, s.h);
}
inline WindowSpan window_columns(const PoolShape& s, std::int64_t j) {
  return clip_window(j, s.window.stride_w, s.window.pad_w, s.window.kernel_w, s.w);
}

}  // namespace quintet
