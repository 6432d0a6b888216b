#include "runtime/ops/window_shape.h"

#include <fmt/format.h>
#include <optional>

namespace quintet {

namespace {

constexpr std::int64_t kMaxWindowFigure = 65535;

struct Axis {
  std::string_view name;
  std::int64_t extent, kernel, stride, pad;
};

std::optional<Error> fault_of(std::string_view what, const Axis& axis) {
  const auto limit = [&](std::string_view figure, std::int64_t value, std::int64_t least) {
    return Error{fmt::format("{} has {} {} along the {}", what, figure, value, axis.name),
                 fmt::format("give a {} between {} and {}", figure, least, kMaxWindowFigure),
                 {},
                 0};
  };
  if (axis.kernel < 1 || axis.kernel > kMaxWindowFigure) return limit("kernel", axis.kernel, 1);
  if (axis.stride < 1 || axis.stride > kMaxWindowFigure) return limit("stride", axis.stride, 1);
  if (axis.pad < 0 || axis.pad > kMaxWindowFigure) return limit("padding", axis.pad, 0);
  if (axis.kernel > axis.extent + 2 * axis.pad) {
    return Error{
        fmt::format("{} with kernel {} does not fit the {} {} of its input with padding {}", what,
                    axis.kernel, axis.name, axis.extent, axis.pad),
        fmt::format("use a kernel of at most {} or more padding", axis.extent + 2 * axis.pad),
        {},
        0};
  }
  return std::nullopt;
}

}  // namespace

Result<WindowCounts> count_windows(std::string_view what, const Shape& x, const Window& window) {
  if (x.rank() != 4) {
    return fail(fmt::format("{} needs an input of rank 4 (NHWC), got {}", what, x.text()),
                "put it before flatten and fully connected layers");
  }
  const Axis height{"height", x.dim(1), window.kernel_h, window.stride_h, window.pad_h};
  const Axis width{"width", x.dim(2), window.kernel_w, window.stride_w, window.pad_w};
  for (const Axis& axis : {height, width}) {
    if (auto fault = fault_of(what, axis)) return tl::unexpected<Error>(std::move(*fault));
  }
  const auto count = [](const Axis& axis) {
    return (axis.extent + 2 * axis.pad - axis.kernel) / axis.stride + 1;
  };
  return WindowCounts{count(height), count(width)};
}

Result<WindowCounts> count_pool_windows(std::string_view what, const Shape& x,
                                        const Window& window) {
  Result<WindowCounts> counts = count_windows(what, x, window);
  if (counts && (window.pad_h >= window.kernel_h || window.pad_w >= window.kernel_w)) {
    return fail(fmt::format("{} has padding {}x{} with a kernel of {}x{}", what, window.pad_h,
                            window.pad_w, window.kernel_h, window.kernel_w),
                "use less padding than kernel, so that every window sees the input");
  }
  return counts;
}

}  // namespace quintet
