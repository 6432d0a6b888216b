#include <algorithm>
#include <bit>
#include <cassert>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/maxpool.h"
#include "runtime/ops/pool_shape.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// `a` where the mask is all ones, `b` where it is zero.
float select(std::uint32_t mask, float a, float b) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(a) & mask) |
                              (std::bit_cast<std::uint32_t>(b) & ~mask));
}

class MaxpoolForward final : public HostKernel {
 public:
  explicit MaxpoolForward(const PoolShape& shape) : shape_(shape) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = MaxpoolForwardSlots;
    const auto* const x = args.read<float>(Slots::X);
    auto* const y = args.write<float>(Slots::Y);
    if (args.size() > Slots::argmax) {
      pool_all<true>(x, y, args.write<std::uint8_t>(Slots::argmax));
    } else {
      pool_all<false>(x, y, nullptr);
    }
  }

 private:
  template <bool keep_argmax>
  void pool_all(const float* x, float* y, std::uint8_t* argmax) const {
    const PoolShape& s = shape_;
    std::int64_t out = 0;
    for (std::int64_t n = 0; n < s.n; ++n) {
      for (std::int64_t i = 0; i < s.out_h; ++i) {
        const WindowSpan rows = window_rows(s, i);
        for (std::int64_t j = 0; j < s.out_w; ++j, out += s.c) {
          const WindowSpan columns = window_columns(s, j);
          pool_one<keep_argmax>(x + n * s.h * s.w * s.c, rows, columns, y + out,
                                keep_argmax ? argmax + out : nullptr);
        }
      }
    }
  }

  /// All channels of one window.
  template <bool keep_argmax>
  void pool_one(const float* image, const WindowSpan& rows, const WindowSpan& columns,
                float* __restrict best, std::uint8_t* __restrict argmax) const {
    const PoolShape& s = shape_;
    const auto cell_of = [&](std::int64_t r, std::int64_t q) {
      return image + ((rows.origin + r) * s.w + columns.origin + q) * s.c;
    };
    const auto index_of_cell = [&](std::int64_t r, std::int64_t q) {
      return static_cast<std::uint8_t>(r * s.window.kernel_w + q);
    };
    std::copy_n(cell_of(rows.begin, columns.begin), s.c, best);
    if (keep_argmax) std::fill_n(argmax, s.c, index_of_cell(rows.begin, columns.begin));
    for (std::int64_t r = rows.begin; r < rows.end; ++r) {
      for (std::int64_t q = columns.begin; q < columns.end; ++q) {
        if (r == rows.begin && q == columns.begin) continue;
        const float* __restrict cell = cell_of(r, q);
        const std::uint8_t index = index_of_cell(r, q);
        for (std::int64_t c = 0; c < s.c; ++c) {
          // Selection by masks: which cell wins is random, and a branch on it is mispredicted.
          const bool better = (cell[c] > best[c]) | (cell[c] != cell[c]);
          const std::uint32_t mask = 0U - static_cast<std::uint32_t>(better);
          best[c] = select(mask, cell[c], best[c]);
          if (keep_argmax) {
            argmax[c] = static_cast<std::uint8_t>((index & mask) | (argmax[c] & ~mask));
          }
        }
      }
    }
  }

  PoolShape shape_;
};

class MaxpoolBackward final : public HostKernel {
 public:
  explicit MaxpoolBackward(const PoolShape& shape) : shape_(shape) {
    for (std::int64_t r = 0; r < shape.window.kernel_h; ++r) {
      for (std::int64_t q = 0; q < shape.window.kernel_w; ++q)
        cell_offsets_.push_back((r * shape.w + q) * shape.c);
    }
  }

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = MaxpoolBackwardSlots;
    const PoolShape& s = shape_;
    const auto* const dy = args.read<float>(Slots::dY);
    const auto* const argmax = args.read<std::uint8_t>(Slots::argmax);
    auto* const dx = args.write<float>(Slots::dX);
    std::fill_n(dx, s.n * s.h * s.w * s.c, 0.0F);
    std::int64_t out = 0;
    for (std::int64_t n = 0; n < s.n; ++n) {
      for (std::int64_t i = 0; i < s.out_h; ++i) {
        for (std::int64_t j = 0; j < s.out_w; ++j) {
          const std::int64_t row = i * s.window.stride_h - s.window.pad_h;
          const std::int64_t column = j * s.window.stride_w - s.window.pad_w;
          const std::int64_t corner = ((n * s.h + row) * s.w + column) * s.c;
          for (std::int64_t c = 0; c < s.c; ++c, ++out) {
            assert(argmax[out] < cell_offsets_.size());
            dx[corner + cell_offsets_[argmax[out]] + c] += dy[out];
          }
        }
      }
    }
  }

 private:
  PoolShape shape_;
  std::vector<std::int64_t> cell_offsets_;  ///< of each cell of the window from its first
};

}  // namespace

std::unique_ptr<HostKernel> make_maxpool_forward_host(const Task& task,
                                                      const TensorTable& tensors) {
  using Slots = MaxpoolForwardSlots;
  return std::make_unique<MaxpoolForward>(pool_shape_of(
      task, operand_shape(task, tensors, Slots::X), operand_shape(task, tensors, Slots::Y)));
}

std::unique_ptr<HostKernel> make_maxpool_backward_host(const Task& task,
                                                       const TensorTable& tensors) {
  using Slots = MaxpoolBackwardSlots;
  return std::make_unique<MaxpoolBackward>(pool_shape_of(
      task, operand_shape(task, tensors, Slots::dX), operand_shape(task, tensors, Slots::dY)));
}

}  // namespace quintet
