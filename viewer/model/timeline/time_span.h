/// Arithmetic on times that never overflows: recordings may hold any 64-bit time. Times are integer
/// ns, spans are half-open, and one that ends before it begins has no length.
#pragma once

#include <cstdint>
#include <limits>

namespace quintet::viewer {

inline constexpr std::int64_t kEarliestNs = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kLatestNs = std::numeric_limits<std::int64_t>::max();

/// The length of `[begin, end)`; fits whatever the two are.
constexpr std::uint64_t length_ns(std::int64_t begin, std::int64_t end) {
  if (end <= begin) return 0;
  return static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
}

/// `time` moved later; the latest time of all where there is none so late.
constexpr std::int64_t later_by(std::int64_t time, std::uint64_t by_ns) {
  if (by_ns >= length_ns(time, kLatestNs)) return kLatestNs;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(time) + by_ns);
}

/// `time` moved earlier; the earliest time of all where there is none so early.
constexpr std::int64_t earlier_by(std::int64_t time, std::uint64_t by_ns) {
  if (by_ns >= length_ns(kEarliestNs, time)) return kEarliestNs;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(time) - by_ns);
}

/// `time` moved by a signed amount.
constexpr std::int64_t shifted_by(std::int64_t time, std::int64_t by_ns) {
  return by_ns >= 0 ? later_by(time, static_cast<std::uint64_t>(by_ns))
                    : earlier_by(time, std::uint64_t{0} - static_cast<std::uint64_t>(by_ns));
}

/// How far `time` lies after `origin`, as a number that is exact up to 2^53 ns.
constexpr double offset_ns(std::int64_t origin, std::int64_t time) {
  return time >= origin ? static_cast<double>(length_ns(origin, time))
                        : -static_cast<double>(length_ns(time, origin));
}

}  // namespace quintet::viewer
