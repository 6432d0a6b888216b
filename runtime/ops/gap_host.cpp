#include <cassert>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/channel_rows.h"
#include "runtime/ops/gap.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

// Sums run in float over one block of rows and in double over the blocks.
constexpr std::int64_t kImagesABlock = 32;

struct GapShape {
  std::int64_t images;
  ChannelRows pixels;  ///< of one image
};

class GapForward final : public HostKernel {
 public:
  explicit GapForward(const GapShape& shape) : shape_(shape) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return static_cast<std::uint64_t>(shape_.pixels.width()) * (sizeof(double) + sizeof(float));
  }

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    assert(args.workspace().size() >= workspace_bytes());
    const ChannelRows& pixels = shape_.pixels;
    const std::int64_t channels = pixels.channels();
    Scratch scratch(args.workspace());
    auto* const total = scratch.take<double>(pixels.width());
    auto* const partial = scratch.take<float>(pixels.width());
    const auto* x = args.read<float>(GapForwardSlots::X);
    auto* y = args.write<float>(GapForwardSlots::Y);
    for (std::int64_t n = 0; n < shape_.images; ++n, x += pixels.rows() * channels, y += channels) {
      sum_up(x, total, partial);
      for (std::int64_t c = 0; c < channels; ++c) {
        double sum = 0;
        for (std::int64_t i = c; i < pixels.width(); i += channels)
          sum += total[i];
        y[c] = static_cast<float>(sum / static_cast<double>(pixels.rows()));
      }
    }
  }

 private:
  /// Sums of the pixels of one image, per lane.
  void sum_up(const float* image, double* total, float* __restrict partial) const {
    const std::int64_t width = shape_.pixels.width();
    const auto flush = [&] {
      for (std::int64_t i = 0; i < width; ++i)
        total[i] += static_cast<double>(partial[i]);
      std::fill_n(partial, width, 0.0F);
    };
    std::fill_n(total, width, 0.0);
    std::fill_n(partial, width, 0.0F);
    std::int64_t in_block = 0;
    shape_.pixels.for_each_row([&](std::int64_t first, std::int64_t lanes) {
      const float* __restrict x = image + first;
      for (std::int64_t i = 0; i < lanes; ++i)
        partial[i] += x[i];
      if (++in_block < kImagesABlock) return;
      flush();
      in_block = 0;
    });
    flush();
  }

  GapShape shape_;
};

class GapBackward final : public HostKernel {
 public:
  explicit GapBackward(const GapShape& shape) : shape_(shape) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    const std::int64_t pixels = shape_.pixels.rows();
    const std::int64_t channels = shape_.pixels.channels();
    const float share = 1.0F / static_cast<float>(pixels);
    const float* __restrict dy = args.read<float>(GapBackwardSlots::dY);
    float* __restrict dx = args.write<float>(GapBackwardSlots::dX);
    for (std::int64_t n = 0; n < shape_.images; ++n, dy += channels) {
      for (std::int64_t pixel = 0; pixel < pixels; ++pixel, dx += channels) {
        for (std::int64_t c = 0; c < channels; ++c)
          dx[c] = dy[c] * share;
      }
    }
  }

 private:
  GapShape shape_;
};

GapShape gap_shape_of(const Shape& x) {
  return {x.dim(0), ChannelRows(x.dim(1) * x.dim(2), x.dim(3))};
}

}  // namespace

std::unique_ptr<HostKernel> make_gap_forward_host(const Task& task, const TensorTable& tensors) {
  return std::make_unique<GapForward>(
      gap_shape_of(operand_shape(task, tensors, GapForwardSlots::X)));
}

std::unique_ptr<HostKernel> make_gap_backward_host(const Task& task, const TensorTable& tensors) {
  return std::make_unique<GapBackward>(
      gap_shape_of(operand_shape(task, tensors, GapBackwardSlots::dX)));
}

}  // namespace quintet
