#include <cassert>
#include <cmath>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/batch_norm.h"
#include "runtime/ops/channel_rows.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

// Sums run in float over one block of rows and in double over the blocks, in a fixed order.
constexpr std::int64_t kNormBlockRows = 32;

/// Number, mean and sum of squared deviations of a set of values.
struct Moments {
  double count, mean, m2;
};

/// Of the union of two disjoint sets (Chan, Golub and LeVeque 1979).
Moments merged(const Moments& a, const Moments& b) {
  const double count = a.count + b.count;
  const double delta = b.mean - a.mean;
  return {count, a.mean + delta * (b.count / count),
          a.m2 + b.m2 + delta * delta * (a.count * b.count / count)};
}

/// Mean and squared deviations of each lane, over all long rows. The deviations of a block are
/// taken from the mean so far, which makes the sums small, so that neither mean nor variance
/// suffers when the values are far from zero; X is read from memory once.
class LaneMoments {
 public:
  LaneMoments(const ChannelRows& rows, Scratch& scratch)
      : rows_(rows),
        mean_(scratch.take<double>(rows.width())),
        m2_(scratch.take<double>(rows.width())),
        pivot_(scratch.take<float>(rows.width())),
        sum_(scratch.take<float>(rows.width())),
        squares_(scratch.take<float>(rows.width())) {}

  static std::uint64_t bytes(const ChannelRows& rows) {
    return static_cast<std::uint64_t>(rows.width()) * (2 * sizeof(double) + 3 * sizeof(float));
  }

  void run(const float* x) {
    const std::int64_t width = rows_.width();
    start(x);
    for (std::int64_t row = 0; row < rows_.long_rows(); row += kNormBlockRows) {
      const std::int64_t count = std::min(kNormBlockRows, rows_.long_rows() - row);
      std::fill_n(sum_, width, 0.0F);
      std::fill_n(squares_, width, 0.0F);
      for (std::int64_t k = 0; k < count; ++k)
        add_row(x + (row + k) * width);
      merge_block(static_cast<double>(row), static_cast<double>(count));
    }
  }

  /// Of one channel: its lanes and its values in the tail.
  [[nodiscard]] Moments of_channel(const float* x, std::int64_t channel) const {
    const auto lane_count = static_cast<double>(rows_.long_rows());
    Moments moments{0, 0, 0};
    for (std::int64_t i = channel; i < rows_.width(); i += rows_.channels())
      moments = merged(moments, {lane_count, mean_[i], m2_[i]});
    const float* const tail = x + rows_.long_rows() * rows_.width();
    for (std::int64_t i = channel; i < rows_.tail(); i += rows_.channels())
      moments = merged(moments, {1.0, static_cast<double>(tail[i]), 0.0});
    return moments;
  }

 private:
  /// The first pivot is the mean of the first block.
  void start(const float* x) {
    const std::int64_t width = rows_.width();
    const std::int64_t count = std::min(kNormBlockRows, rows_.long_rows());
    std::fill_n(mean_, width, 0.0);
    std::fill_n(m2_, width, 0.0);
    std::fill_n(pivot_, width, 0.0F);
    for (std::int64_t k = 0; k < count; ++k) {
      for (std::int64_t i = 0; i < width; ++i)
        pivot_[i] += x[k * width + i];
    }
    for (std::int64_t i = 0; i < width; ++i)
      pivot_[i] /= static_cast<float>(count);
  }

  void add_row(const float* __restrict x) {
    const float* __restrict pivot = pivot_;
    float* __restrict sum = sum_;
    float* __restrict squares = squares_;
    const std::int64_t width = rows_.width();
    for (std::int64_t i = 0; i < width; ++i) {
      const float deviation = x[i] - pivot[i];
      sum[i] += deviation;
      squares[i] += deviation * deviation;
    }
  }

  /// `before` rows are in mean_ and m2_, `count` in the sums.
  void merge_block(double before, double count) {
    const double share = count / (before + count);
    const double weight = before * share;
    const std::int64_t width = rows_.width();
    for (std::int64_t i = 0; i < width; ++i) {
      const auto sum = static_cast<double>(sum_[i]);
      const double block_mean = static_cast<double>(pivot_[i]) + sum / count;
      const double block_m2 = static_cast<double>(squares_[i]) - sum * sum / count;
      const double delta = block_mean - mean_[i];
      mean_[i] += delta * share;
      m2_[i] += block_m2 + delta * delta * weight;
      pivot_[i] = static_cast<float>(mean_[i]);
    }
  }

  const ChannelRows& rows_;
  double* mean_;
  double* m2_;
  float* pivot_;
  float* sum_;
  float* squares_;
};

class BatchNormForward final : public HostKernel {
 public:
  BatchNormForward(const ChannelRows& rows, const BatchNormHyper& hyper)
      : rows_(rows), epsilon_(static_cast<double>(hyper.epsilon)) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return LaneMoments::bytes(rows_) +
           static_cast<std::uint64_t>(rows_.width()) * 3 * sizeof(float);
  }

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    assert(args.workspace().size() >= workspace_bytes());
    using Slots = BatchNormForwardSlots;
    const auto* const x = args.read<float>(Slots::X);
    Scratch scratch(args.workspace());
    LaneMoments moments(rows_, scratch);
    moments.run(x);

    auto* const center = scratch.take<float>(rows_.width());
    auto* const scale = scratch.take<float>(rows_.width());
    auto* const shift = scratch.take<float>(rows_.width());
    for (std::int64_t c = 0; c < rows_.channels(); ++c) {
      const Moments of = moments.of_channel(x, c);
      const double inv_std = 1.0 / std::sqrt(of.m2 / of.count + epsilon_);
      center[c] = static_cast<float>(of.mean);
      scale[c] =
          static_cast<float>(inv_std * static_cast<double>(args.read<float>(Slots::gamma)[c]));
      shift[c] = args.read<float>(Slots::beta)[c];
      args.write<float>(Slots::mean)[c] = center[c];
      args.write<float>(Slots::inv_std)[c] = static_cast<float>(inv_std);
      float* const batch_stats = args.write<float>(Slots::batch_stats);
      batch_stats[c] = center[c];
      batch_stats[rows_.channels() + c] =
          static_cast<float>(of.count > 1 ? of.m2 / (of.count - 1) : 0.0);
    }
    for (float* const lanes : {center, scale, shift})
      rows_.spread(lanes);
    normalise(x, center, scale, shift, args.write<float>(Slots::Y));
  }

 private:
  void normalise(const float* all_x, const float* __restrict center, const float* __restrict scale,
                 const float* __restrict shift, float* all_y) const {
    rows_.for_each_row([=](std::int64_t first, std::int64_t lanes) {
      const float* __restrict x = all_x + first;
      float* __restrict y = all_y + first;
      for (std::int64_t i = 0; i < lanes; ++i)
        y[i] = (x[i] - center[i]) * scale[i] + shift[i];
    });
  }

  ChannelRows rows_;
  double epsilon_;
};

/// dX = gamma * inv_std * ((dY - mean(dY)) - (X - mean) * inv_std^2 * mean(dY * (X - mean))).
class BatchNormBackward final : public HostKernel {
 public:
  explicit BatchNormBackward(const ChannelRows& rows) : rows_(rows) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return static_cast<std::uint64_t>(rows_.width()) * (2 * sizeof(double) + 6 * sizeof(float));
  }

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    assert(args.workspace().size() >= workspace_bytes());
    using Slots = BatchNormBackwardSlots;
    const auto* const dy = args.read<float>(Slots::dY);
    const auto* const x = args.read<float>(Slots::X);
    const auto* const mean = args.read<float>(Slots::mean);
    Lanes lanes(rows_, args.workspace());
    std::copy_n(mean, rows_.channels(), lanes.center);
    rows_.spread(lanes.center);
    sum_up(dy, x, lanes);

    const auto rows = static_cast<double>(rows_.rows());
    for (std::int64_t c = 0; c < rows_.channels(); ++c) {
      double sum = 0;
      double products = 0;
      for (std::int64_t i = c; i < rows_.width(); i += rows_.channels()) {
        sum += lanes.sums[i];
        products += lanes.products[i];
      }
      const auto inv_std = static_cast<double>(args.read<float>(Slots::inv_std)[c]);
      put(args, Slots::dgamma, c, static_cast<float>(products * inv_std));
      put(args, Slots::dbeta, c, static_cast<float>(sum));
      lanes.mean_dy[c] = static_cast<float>(sum / rows);
      lanes.slope[c] = static_cast<float>(products * inv_std * inv_std / rows);
      lanes.scale[c] =
          static_cast<float>(inv_std * static_cast<double>(args.read<float>(Slots::gamma)[c]));
    }
    for (float* const values : {lanes.mean_dy, lanes.slope, lanes.scale})
      rows_.spread(values);
    write_dx(dy, x, lanes, args.write<float>(Slots::dX));
  }

 private:
  struct Lanes {
    double *sums, *products;
    float *partial_sums, *partial_products;
    float *center, *mean_dy, *slope, *scale;

    Lanes(const ChannelRows& rows, std::span<std::byte> workspace) {
      Scratch scratch(workspace);
      for (double** const lanes : {&sums, &products}) {
        *lanes = scratch.take<double>(rows.width());
        std::fill_n(*lanes, rows.width(), 0.0);
      }
      for (float** const lanes :
           {&partial_sums, &partial_products, &center, &mean_dy, &slope, &scale})
        *lanes = scratch.take<float>(rows.width());
    }
  };

  /// Adds to a gradient of channel `c`, or overwrites it.
  static void put(const TaskArgs& args, std::size_t slot, std::int64_t c, float value) {
    float* const gradient = args.write<float>(slot) + c;
    *gradient = (args.adds(slot) ? *gradient : 0.0F) + value;
  }
  /// Sums of dY and of dY * (X - mean), per lane.
  void sum_up(const float* dy, const float* x, Lanes& lanes) const {
    const std::int64_t width = rows_.width();
    std::int64_t in_block = 0;
    std::fill_n(lanes.partial_sums, width, 0.0F);
    std::fill_n(lanes.partial_products, width, 0.0F);
    rows_.for_each_row([&](std::int64_t first, std::int64_t count) {
      add_row(dy + first, x + first, count, lanes);
      if (++in_block < kNormBlockRows) return;
      flush(lanes);
      in_block = 0;
    });
    flush(lanes);
  }

  static void add_row(const float* __restrict dy, const float* __restrict x, std::int64_t count,
                      const Lanes& lanes) {
    const float* __restrict center = lanes.center;
    float* __restrict sums = lanes.partial_sums;
    float* __restrict products = lanes.partial_products;
    for (std::int64_t i = 0; i < count; ++i) {
      sums[i] += dy[i];
      products[i] += dy[i] * (x[i] - center[i]);
    }
  }

  void flush(const Lanes& lanes) const {
    for (std::int64_t i = 0; i < rows_.width(); ++i) {
      lanes.sums[i] += static_cast<double>(lanes.partial_sums[i]);
      lanes.products[i] += static_cast<double>(lanes.partial_products[i]);
      lanes.partial_sums[i] = 0.0F;
      lanes.partial_products[i] = 0.0F;
    }
  }

  void write_dx(const float* all_dy, const float* all_x, const Lanes& lanes, float* all_dx) const {
    const float* __restrict center = lanes.center;
    const float* __restrict mean_dy = lanes.mean_dy;
    const float* __restrict slope = lanes.slope;
    const float* __restrict scale = lanes.scale;
    rows_.for_each_row([=](std::int64_t first, std::int64_t count) {
      const float* __restrict dy = all_dy + first;
      const float* __restrict x = all_x + first;
      float* __restrict dx = all_dx + first;
      for (std::int64_t i = 0; i < count; ++i)
        dx[i] = ((dy[i] - mean_dy[i]) - (x[i] - center[i]) * slope[i]) * scale[i];
    });
  }

  ChannelRows rows_;
};

class BatchNormInference final : public HostKernel {
 public:
  explicit BatchNormInference(const ChannelRows& rows) : rows_(rows) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return static_cast<std::uint64_t>(rows_.width()) * 2 * sizeof(float);
  }

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    assert(args.workspace().size() >= workspace_bytes());
    using Slots = BatchNormInferenceSlots;
    Scratch scratch(args.workspace());
    float* __restrict scale = scratch.take<float>(rows_.width());
    float* __restrict shift = scratch.take<float>(rows_.width());
    const auto* const eq = args.read<float>(Slots::eq);
    std::copy_n(eq, rows_.channels(), scale);
    std::copy_n(eq + rows_.channels(), rows_.channels(), shift);
    rows_.spread(scale);
    rows_.spread(shift);
    const auto* const all_x = args.read<float>(Slots::X);
    auto* const all_y = args.write<float>(Slots::Y);
    rows_.for_each_row([=](std::int64_t first, std::int64_t lanes) {
      const float* __restrict x = all_x + first;
      float* __restrict y = all_y + first;
      for (std::int64_t i = 0; i < lanes; ++i)
        y[i] = x[i] * scale[i] + shift[i];
    });
  }

 private:
  ChannelRows rows_;
};

ChannelRows rows_of(const Task& task, const TensorTable& tensors, std::size_t slot) {
  return ChannelRows(operand_shape(task, tensors, slot));
}

}  // namespace

std::unique_ptr<HostKernel> make_batch_norm_forward_host(const Task& task,
                                                         const TensorTable& tensors) {
  return std::make_unique<BatchNormForward>(rows_of(task, tensors, BatchNormForwardSlots::X),
                                            std::get<BatchNormHyper>(task.attributes));
}

std::unique_ptr<HostKernel> make_batch_norm_backward_host(const Task& task,
                                                          const TensorTable& tensors) {
  return std::make_unique<BatchNormBackward>(rows_of(task, tensors, BatchNormBackwardSlots::X));
}

std::unique_ptr<HostKernel> make_batch_norm_inference_host(const Task& task,
                                                           const TensorTable& tensors) {
  return std::make_unique<BatchNormInference>(rows_of(task, tensors, BatchNormInferenceSlots::X));
}

}  // namespace quintet
