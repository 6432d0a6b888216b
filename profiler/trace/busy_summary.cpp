#include "profiler/trace/busy_summary.h"

#include <algorithm>

namespace quintet {

void BusySummary::add(std::uint16_t lane, std::int64_t begin_ns, std::int64_t end_ns) {
  std::int64_t& covered_until = covered_until_ns_[lane];
  std::int64_t at = std::max(begin_ns, covered_until);
  while (at < end_ns) {
    const std::int64_t bucket = at >> kSummaryShifts.front();
    const std::int64_t until = std::min(end_ns, (bucket + 1) << kSummaryShifts.front());
    finest_[{lane, bucket}] += until - at;
    at = until;
  }
  covered_until = std::max(covered_until, end_ns);
}

std::vector<BusyBucket> BusySummary::take() {
  std::vector<BusyBucket> buckets;
  for (const int shift : kSummaryShifts) {
    for (const auto& [place, busy_ns] : finest_) {
      const auto& [lane, finest] = place;
      const std::int64_t bucket = finest >> (shift - kSummaryShifts.front());
      const bool same = !buckets.empty() && buckets.back().shift == shift &&
                        buckets.back().lane == lane && buckets.back().bucket == bucket;
      if (same) {
        buckets.back().busy_ns += busy_ns;
      } else {
        buckets.push_back({shift, lane, bucket, busy_ns});
      }
    }
  }
  finest_.clear();
  return buckets;
}

}  // namespace quintet
