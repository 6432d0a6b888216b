/// The summary pyramid: busy time per lane and time bucket, coarser level by level, so that a
/// zoomed-out lane is drawn without reading spans.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace quintet {

/// Buckets are 2^shift ns long: 1.05 ms, 16.8 ms, 0.27 s, 4.3 s, 69 s. Bucket b of a level covers
/// [b << shift, (b + 1) << shift) of the trace's clock.
inline constexpr std::array<int, 5> kSummaryShifts = {20, 24, 28, 32, 36};

struct BusyBucket {
  int shift = 0;
  std::uint16_t lane = 0;
  std::int64_t bucket = 0;
  std::int64_t busy_ns = 0;
};

/// Sums the union of a lane's spans into buckets. Exact where the spans of a lane come in order of
/// their begin; a span that comes late counts only from the end of those before it.
class BusySummary {
 public:
  void add(std::uint16_t lane, std::int64_t begin_ns, std::int64_t end_ns);
  /// What was added since the last take, all levels; buckets of earlier takes may come again, to be
  /// added.
  std::vector<BusyBucket> take();

 private:
  std::map<std::uint16_t, std::int64_t> covered_until_ns_;
  std::map<std::pair<std::uint16_t, std::int64_t>, std::int64_t> finest_;
};

}  // namespace quintet
