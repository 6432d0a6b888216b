#include "runtime/host/host_kernel.h"
#include "runtime/ops/avgpool.h"
#include "runtime/ops/pool_shape.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// Calls window(x, y, rows, columns) for every window: x = its image, y = its output, both the
/// first of their channels, as offsets in elements.
template <class Visit>
void for_each_window(const PoolShape& s, Visit visit) {
  std::int64_t y = 0;
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t i = 0; i < s.out_h; ++i) {
      const WindowSpan rows = window_rows(s, i);
      for (std::int64_t j = 0; j < s.out_w; ++j, y += s.c)
        visit(n * s.h * s.w * s.c, y, rows, window_columns(s, j));
    }
  }
}

/// Calls visit(cell) for every cell of a window inside the input, as an offset in its image.
template <class Visit>
void for_each_cell(const PoolShape& s, const WindowSpan& rows, const WindowSpan& columns,
                   Visit visit) {
  for (std::int64_t r = rows.begin; r < rows.end; ++r) {
    for (std::int64_t q = columns.begin; q < columns.end; ++q)
      visit(((rows.origin + r) * s.w + columns.origin + q) * s.c);
  }
}

float share_of(const WindowSpan& rows, const WindowSpan& columns) {
  return 1.0F / static_cast<float>(rows.size() * columns.size());
}

class AvgpoolForward final : public HostKernel {
 public:
  explicit AvgpoolForward(const PoolShape& shape) : shape_(shape) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    const auto* const all_x = args.read<float>(AvgpoolForwardSlots::X);
    auto* const all_y = args.write<float>(AvgpoolForwardSlots::Y);
    const std::int64_t channels = shape_.c;
    for_each_window(shape_, [&](std::int64_t image, std::int64_t to, const WindowSpan& rows,
                                const WindowSpan& columns) {
      float* __restrict y = all_y + to;
      std::fill_n(y, channels, 0.0F);
      for_each_cell(shape_, rows, columns, [&](std::int64_t cell) {
        const float* __restrict x = all_x + image + cell;
        for (std::int64_t c = 0; c < channels; ++c)
          y[c] += x[c];
      });
      const float share = share_of(rows, columns);
      for (std::int64_t c = 0; c < channels; ++c)
        y[c] *= share;
    });
  }

 private:
  PoolShape shape_;
};

class AvgpoolBackward final : public HostKernel {
 public:
  explicit AvgpoolBackward(const PoolShape& shape) : shape_(shape) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    const auto* const all_dy = args.read<float>(AvgpoolBackwardSlots::dY);
    auto* const all_dx = args.write<float>(AvgpoolBackwardSlots::dX);
    const std::int64_t channels = shape_.c;
    std::fill_n(all_dx, shape_.n * shape_.h * shape_.w * channels, 0.0F);
    for_each_window(shape_, [&](std::int64_t image, std::int64_t from, const WindowSpan& rows,
                                const WindowSpan& columns) {
      const float* __restrict dy = all_dy + from;
      const float share = share_of(rows, columns);
      for_each_cell(shape_, rows, columns, [&](std::int64_t cell) {
        float* __restrict dx = all_dx + image + cell;
        for (std::int64_t c = 0; c < channels; ++c)
          dx[c] += dy[c] * share;
      });
    });
  }

 private:
  PoolShape shape_;
};

}  // namespace

std::unique_ptr<HostKernel> make_avgpool_forward_host(const Task& task,
                                                      const TensorTable& tensors) {
  using Slots = AvgpoolForwardSlots;
  return std::make_unique<AvgpoolForward>(pool_shape_of(
      task, operand_shape(task, tensors, Slots::X), operand_shape(task, tensors, Slots::Y)));
}

std::unique_ptr<HostKernel> make_avgpool_backward_host(const Task& task,
                                                       const TensorTable& tensors) {
  using Slots = AvgpoolBackwardSlots;
  return std::make_unique<AvgpoolBackward>(pool_shape_of(
      task, operand_shape(task, tensors, Slots::dX), operand_shape(task, tensors, Slots::dY)));
}

}  // namespace quintet
