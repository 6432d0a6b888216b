/// How a number measured over steps, in one or several processes a side, differs between two sides:
/// medians, a 95 % confidence interval of their difference and ratio, a p-value.
///
/// A process's value is the median over its steps, a side's the mean over its processes. Resampling
/// is hierarchical: processes are drawn, then blocks of steps within them. Drawing both would count
/// the steps' own noise twice, so the processes' values are first drawn towards their mean until
/// both levels together have the variance that the processes show; where they show less than the
/// steps' noise, that noise is what counts. An interval reaches as many bootstrap standard errors
/// to either side as Student's t asks for, since the spread of few processes is itself uncertain;
/// the ratio's is made of logarithms.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "profiler/compare/block_resampling.h"

namespace quintet {

struct ResampleOptions {
  std::size_t resamples = 2000;
  std::uint64_t seed = 1;
};

/// With one process a side, fewer steps than this give no interval.
inline constexpr std::size_t kFewestSteps = 6;
/// What a p-value must stay below.
inline constexpr double kSignificance = 0.05;

/// An estimate with its 95 % confidence interval.
struct Bounds {
  double value = 0;
  double low = 0;
  double high = 0;
};

struct SeriesChange {
  double before = 0;
  double after = 0;
  Bounds difference;            ///< after - before
  std::optional<Bounds> ratio;  ///< after / before; nothing unless both sides are positive
  double p = 1;                 ///< of "no difference", two-sided
  bool bounded = false;         ///< false: too few values, the intervals are empty
  std::size_t processes_before = 0;
  std::size_t processes_after = 0;

  /// The interval of the difference leaves 0 out.
  [[nodiscard]] bool excludes_zero() const {
    return bounded && (difference.low > 0 || difference.high < 0);
  }
};

/// One series per process.
using ProcessSeries = std::vector<StepSeries>;

/// Owns the draws, which series of equal length share. Threads: not shareable. Usage:
/// `Resampler resampler(options); resampler.change(before, after)`.
class Resampler {
 public:
  explicit Resampler(ResampleOptions options = {});
  /// Nothing where a side has no value at all. Processes without a value are left out.
  std::optional<SeriesChange> change(const ProcessSeries& before, const ProcessSeries& after);

 private:
  struct Side;
  Side side_of(const ProcessSeries& series, std::size_t side);
  const BlockDraws& draws(std::size_t side, std::size_t process, std::size_t steps,
                          std::size_t block);
  [[nodiscard]] std::vector<double> replicates(const Side& side, const Side& other,
                                               std::size_t number) const;

  ResampleOptions options_;
  std::map<std::array<std::size_t, 4>, BlockDraws> draws_;
};

}  // namespace quintet
