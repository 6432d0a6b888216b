#include "profiler/compare/block_resampling.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace quintet {

namespace {

std::vector<std::size_t> ascending(const StepSeries& series) {
  std::vector<std::size_t> order;
  for (std::size_t step = 0; step < series.size(); ++step) {
    if (!std::isnan(series[step])) order.push_back(step);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&series](std::size_t a, std::size_t b) { return series[a] < series[b]; });
  return order;
}

/// Correlation of each value with the next, of ranks: a rare huge value must not hide it.
double rank_autocorrelation(const StepSeries& series) {
  const std::vector<std::size_t> order = ascending(series);
  const std::size_t count = order.size();
  if (count < 3) return 0;
  std::vector<double> rank(series.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t first = 0; first < count;) {
    std::size_t last = first;
    while (last + 1 < count && series[order[last + 1]] == series[order[first]])
      ++last;
    const double middle = static_cast<double>(first + last) / 2;
    for (std::size_t at = first; at <= last; ++at)
      rank[order[at]] = middle;
    first = last + 1;
  }
  const double mean = static_cast<double>(count - 1) / 2;
  double square = 0;
  double product = 0;
  double before = std::numeric_limits<double>::quiet_NaN();
  for (const double value : rank) {
    if (std::isnan(value)) continue;
    square += (value - mean) * (value - mean);
    if (!std::isnan(before)) product += (before - mean) * (value - mean);
    before = value;
  }
  return square > 0 ? product / square : 0;
}

}  // namespace

std::uint64_t mixed(std::uint64_t seed, std::uint64_t stream, std::uint64_t position) {
  // Weyl sequences of odd steps, then the finaliser of a 64-bit hash: every bit depends on all.
  std::uint64_t bits = seed * 0x9E3779B97F4A7C15ULL + stream * 0xD1B54A32D192ED03ULL +
                       position * 0x8CB92BA72F3D8DD7ULL + 0x2545F4914F6CDD1DULL;
  for (int round = 0; round < 2; ++round) {
    bits = (bits ^ (bits >> 32)) * 0xD6E8FEB86659FD93ULL;
    bits = (bits ^ (bits >> 29)) * 0xBF58476D1CE4E5B9ULL;
  }
  return bits ^ (bits >> 32);
}

double median_of(const StepSeries& series) {
  const std::vector<std::size_t> order = ascending(series);
  if (order.empty()) return std::numeric_limits<double>::quiet_NaN();
  return (series[order[(order.size() - 1) / 2]] + series[order[order.size() / 2]]) / 2;
}

std::size_t block_length(const StepSeries& series) {
  const auto steps = static_cast<double>(series.size());
  const double correlation = std::clamp(rank_autocorrelation(series), 0.0, 0.97);
  // The length that serves the variance of a mean of an autoregressive series best.
  const double shape = 2 * correlation / (1 - correlation * correlation);
  const double best = std::cbrt(1.5 * shape * shape * steps);
  const auto wanted = static_cast<std::size_t>(std::ceil(std::max(best, std::cbrt(steps))));
  const std::size_t even = wanted + wanted % 2;
  return std::max<std::size_t>(1, std::min(even, series.size() / 4));
}

BlockDraws::BlockDraws(std::size_t steps, std::size_t block, std::size_t resamples,
                       std::uint64_t seed)
    : steps_(steps), block_(block), resamples_(resamples), counts_(steps * resamples) {
  assert(steps > 0 && block > 0 && steps <= std::numeric_limits<std::uint16_t>::max());
  for (std::size_t resample = 0; resample < resamples; ++resample) {
    std::uint16_t* counts = counts_.data() + resample * steps;
    std::size_t drawn = 0;
    for (std::uint64_t position = 0; drawn < steps; ++position) {
      const std::size_t first = mixed(seed, resample, position) % steps;
      for (std::size_t within = 0; within < block && drawn < steps; ++within, ++drawn)
        ++counts[(first + within) % steps];
    }
  }
}

std::vector<double> resampled_medians(const StepSeries& series, const BlockDraws& draws) {
  assert(series.size() == draws.steps());
  const std::vector<std::size_t> order = ascending(series);
  const double whole = median_of(series);
  std::vector<double> medians(draws.resamples(), whole);
  for (std::size_t resample = 0; resample < medians.size(); ++resample) {
    const auto counts = draws.counts(resample);
    std::size_t total = 0;
    for (const std::size_t step : order)
      total += counts[step];
    if (total == 0) continue;
    std::size_t seen = 0;
    std::size_t at = 0;
    while (seen + counts[order[at]] <= (total - 1) / 2)
      seen += counts[order[at++]];
    const double lower = series[order[at]];
    while (seen + counts[order[at]] <= total / 2)
      seen += counts[order[at++]];
    medians[resample] = (lower + series[order[at]]) / 2;
  }
  return medians;
}

}  // namespace quintet
