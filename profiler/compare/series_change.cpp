#include "profiler/compare/series_change.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "profiler/compare/student_t.h"

namespace quintet {

namespace {

constexpr double kTail = 0.025;
/// Degrees of freedom of a spread that is no estimate.
constexpr double kCertain = 1e9;
/// Parts the draws of the slots of one resample; odd, so that slots never meet.
constexpr std::size_t kSlotStride = 7919;

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// With n - 1; 0 for a single value.
double variance_of(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values)
    sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

/// `value` and as many standard errors around it as `degrees` of freedom ask for.
Bounds bounds_of(double value, double error, double degrees) {
  const double reach = error > 0 ? student_t_quantile(1 - kTail, degrees) * error : 0;
  return {value, value - reach, value + reach};
}

/// Intervals and p-value from the replicates of both sides.
void bound(SeriesChange& change, const std::vector<double>& before,
           const std::vector<double>& after, double degrees) {
  std::vector<double> differences(before.size());
  std::vector<double> logarithms;
  for (std::size_t resample = 0; resample < before.size(); ++resample) {
    differences[resample] = after[resample] - before[resample];
    if (before[resample] > 0 && after[resample] > 0)
      logarithms.push_back(std::log(after[resample] / before[resample]));
  }
  const double error = std::sqrt(variance_of(differences));
  const double value = change.difference.value;
  if (value != 0) change.p = error > 0 ? 2 * student_t_cdf(-std::abs(value) / error, degrees) : 0;
  change.difference = bounds_of(value, error, degrees);
  if (logarithms.size() < before.size()) change.ratio.reset();
  if (!change.ratio) return;
  const Bounds bounds =
      bounds_of(std::log(change.ratio->value), std::sqrt(variance_of(logarithms)), degrees);
  change.ratio->low = std::exp(bounds.low);
  change.ratio->high = std::exp(bounds.high);
}

/// Welch's degrees of freedom of a difference.
double joint_degrees(double variance_a, double degrees_a, double variance_b, double degrees_b) {
  const double total = variance_a + variance_b;
  if (total <= 0) return kCertain;
  return total * total /
         (variance_a * variance_a / degrees_a + variance_b * variance_b / degrees_b);
}

}  // namespace

namespace {

/// One process with too few values for an interval, whatever the other side is like.
bool is_short(const ProcessSeries& series) {
  const auto told = [](double value) { return !std::isnan(value); };
  return series.size() == 1 &&
         static_cast<std::size_t>(
             std::count_if(series.front().begin(), series.front().end(), told)) < kFewestSteps;
}

std::optional<SeriesChange> unbounded_change(const StepSeries& before, const StepSeries& after) {
  SeriesChange change;
  change.before = median_of(before);
  change.after = median_of(after);
  if (std::isnan(change.before) || std::isnan(change.after)) return std::nullopt;
  change.processes_before = 1;
  change.processes_after = 1;
  change.difference.value = change.after - change.before;
  if (change.before > 0 && change.after > 0)
    change.ratio = Bounds{change.after / change.before, 0, 0};
  return change;
}

}  // namespace

/// The processes of one side that have values.
struct Resampler::Side {
  std::vector<double> medians;
  std::vector<std::vector<double>> noise;  ///< per process: resampled median minus its mean
  double mean = 0;
  double within = 0;   ///< mean variance of a process's median by its steps alone
  double between = 0;  ///< variance of the processes' medians
  double degrees = 0;  ///< of freedom; 0 = no interval

  /// How far the processes' values are drawn towards their mean before they are resampled.
  [[nodiscard]] double shrinkage() const {
    const auto count = static_cast<double>(medians.size());
    if (count < 2 || between <= within) return 0;
    return std::sqrt((between - within) / between * count / (count - 1));
  }
};

Resampler::Resampler(ResampleOptions options) : options_(options) {}

const BlockDraws& Resampler::draws(std::size_t side, std::size_t process, std::size_t steps,
                                   std::size_t block) {
  const std::array<std::size_t, 4> key = {side, process, steps, block};
  auto found = draws_.find(key);
  if (found == draws_.end()) {
    const std::uint64_t seed = mixed(options_.seed, side * 1000003 + process, steps * 977 + block);
    found = draws_.emplace(key, BlockDraws(steps, block, options_.resamples, seed)).first;
  }
  return found->second;
}

Resampler::Side Resampler::side_of(const ProcessSeries& series, std::size_t side) {
  Side result;
  double blocks = 0;
  std::size_t most_values = 0;
  for (std::size_t process = 0; process < series.size(); ++process) {
    const double median = median_of(series[process]);
    if (std::isnan(median)) continue;
    const std::size_t steps = series[process].size();
    const std::size_t block = block_length(series[process]);
    blocks = static_cast<double>(steps) / static_cast<double>(block);
    most_values = std::max(most_values, static_cast<std::size_t>(std::count_if(
                                            series[process].begin(), series[process].end(),
                                            [](double value) { return !std::isnan(value); })));
    std::vector<double> noise =
        resampled_medians(series[process], draws(side, process, steps, block));
    const double centre = mean_of(noise);
    // As few blocks vary less around their own mean than around the truth.
    const double widen = blocks > 1 ? std::sqrt(blocks / (blocks - 1)) : 0;
    for (double& value : noise)
      value = (value - centre) * widen;
    result.within += variance_of(noise);
    result.medians.push_back(median);
    result.noise.push_back(std::move(noise));
  }
  if (result.medians.empty()) return result;
  const auto count = static_cast<double>(result.medians.size());
  result.mean = mean_of(result.medians);
  result.within /= count;
  result.between = variance_of(result.medians);
  if (count > 1) {
    result.degrees = count - 1;
  } else if (most_values >= kFewestSteps && blocks > 1) {
    result.degrees = blocks - 1;
  }
  return result;
}

/// A side of one process borrows the other's spread between processes, relative to its mean.
std::vector<double> Resampler::replicates(const Side& side, const Side& other,
                                          std::size_t number) const {
  const bool borrows = side.medians.size() == 1 && other.medians.size() > 1 && other.mean != 0;
  const Side& source = borrows ? other : side;
  const double scale = source.shrinkage() * (borrows ? side.mean / other.mean : 1);
  const std::size_t slots = side.medians.size();
  std::vector<double> values(options_.resamples);
  for (std::size_t resample = 0; resample < values.size(); ++resample) {
    double sum = 0;
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const std::uint64_t random = mixed(options_.seed, number + 2 * slot, 0x70726F63U + resample);
      const std::size_t drawn = random % source.medians.size();
      const std::vector<double>& noise = side.noise[borrows ? 0 : drawn];
      sum += scale * (source.medians[drawn] - source.mean) +
             noise[(resample + slot * kSlotStride) % noise.size()];
    }
    values[resample] = side.mean + sum / static_cast<double>(slots);
  }
  return values;
}

std::optional<SeriesChange> Resampler::change(const ProcessSeries& before,
                                              const ProcessSeries& after) {
  // Of two processes without an interval nothing needs to be resampled: of an import without steps
  // each kernel is such a pair.
  if (is_short(before) && after.size() == 1) return unbounded_change(before.front(), after.front());
  if (is_short(after) && before.size() == 1) return unbounded_change(before.front(), after.front());
  Side a = side_of(before, 0);
  Side b = side_of(after, 1);
  if (a.medians.empty() || b.medians.empty()) return std::nullopt;
  SeriesChange change;
  change.before = a.mean;
  change.after = b.mean;
  change.processes_before = a.medians.size();
  change.processes_after = b.medians.size();
  change.difference.value = b.mean - a.mean;
  if (a.mean > 0 && b.mean > 0) change.ratio = Bounds{b.mean / a.mean, 0, 0};
  const bool a_borrows = a.medians.size() == 1 && b.medians.size() > 1;
  const bool b_borrows = b.medians.size() == 1 && a.medians.size() > 1;
  if (a_borrows) a.degrees = b.degrees;
  if (b_borrows) b.degrees = a.degrees;
  if (a.degrees == 0 || b.degrees == 0) return change;
  change.bounded = true;
  const std::vector<double> from = replicates(a, b, 0);
  const std::vector<double> to = replicates(b, a, 1);
  // A borrowed spread is no second estimate.
  const double degrees = a_borrows || b_borrows ? a.degrees
                                                : joint_degrees(variance_of(from), a.degrees,
                                                                variance_of(to), b.degrees);
  bound(change, from, to, degrees);
  return change;
}

}  // namespace quintet
