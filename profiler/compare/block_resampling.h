/// Resamples of the steps of one process that keep what neighbouring steps have in common: whole
/// blocks of consecutive steps are drawn, never single ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quintet {

/// One value per step, in step order; NaN where a step has none.
using StepSeries = std::vector<double>;

/// A number that looks random and depends on its arguments alone, the same on every machine.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t stream, std::uint64_t position);

/// The median of the values that are no NaN; NaN where there are none.
double median_of(const StepSeries& series);

/// Steps per block: longer the more a step resembles the one before it, even because steps
/// alternate between two buffers, at most a quarter of the steps.
std::size_t block_length(const StepSeries& series);

/// How often each step is drawn in each resample. Blocks wrap around at the end, so that every step
/// is as likely as any other.
class BlockDraws {
 public:
  BlockDraws(std::size_t steps, std::size_t block, std::size_t resamples, std::uint64_t seed);

  [[nodiscard]] std::size_t resamples() const { return resamples_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] std::size_t block() const { return block_; }
  /// Per step.
  [[nodiscard]] std::span<const std::uint16_t> counts(std::size_t resample) const {
    return std::span(counts_).subspan(resample * steps_, steps_);
  }

 private:
  std::size_t steps_;
  std::size_t block_;
  std::size_t resamples_;
  std::vector<std::uint16_t> counts_;
};

/// The median of each resample of a series of `draws.steps()` steps; the series' own median where a
/// resample drew none of its values.
std::vector<double> resampled_medians(const StepSeries& series, const BlockDraws& draws);

}  // namespace quintet
