/// How much of two lanes' busy time coincides, for every pair of lanes.
#pragma once

#include <optional>
#include <vector>

#include "profiler/analysis/interval_set.h"

namespace quintet {

/// O(a,b) = U(a and b) / min(U(a), U(b)), within [0, 1]; nothing where either is never busy.
std::optional<double> pair_overlap(const IntervalSet& a, const IntervalSet& b);

/// The share of `part` that runs while `cover` runs: U(part and cover) / U(part); nothing where
/// `part` is empty.
std::optional<double> hidden_share(const IntervalSet& part, const IntervalSet& cover);

/// Symmetric; the diagonal is 1 where the lane is busy at all.
class OverlapMatrix {
 public:
  explicit OverlapMatrix(const std::vector<IntervalSet>& lanes);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::optional<double> at(std::size_t a, std::size_t b) const {
    return values_.at(a * size_ + b);
  }

 private:
  std::size_t size_ = 0;
  std::vector<std::optional<double>> values_;
};

}  // namespace quintet
