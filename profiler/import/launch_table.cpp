#include "profiler/import/launch_table.h"

#include <algorithm>
#include <tuple>

namespace quintet {

/// Of calls that begin together the longer one comes first: it holds the other.
bool LaunchTable::comes_before(const Call& a, const Call& b) const {
  if (scope(a) != scope(b)) return scope(a) < scope(b);
  if (a.correlation != b.correlation) return a.correlation < b.correlation;
  return std::tuple(begin_ns(a), end_ns(b), a.span) < std::tuple(begin_ns(b), end_ns(a), b.span);
}

void LaunchTable::sort() {
  // Most files count calls up in the order of their times.
  const auto before = [this](const Call& a, const Call& b) { return comes_before(a, b); };
  if (!std::is_sorted(calls_.begin(), calls_.end(), before))
    std::sort(calls_.begin(), calls_.end(), before);
  merge_inner();
  mark_ambiguous();
}

void LaunchTable::merge_inner() {
  std::size_t kept = 0;
  for (std::size_t next = 0; next < calls_.size(); ++next) {
    const Call& call = calls_[next];
    const bool inside = kept > 0 && same_key(calls_[kept - 1], call) &&
                        process(calls_[kept - 1]) == process(call) &&
                        end_ns(call) <= end_ns(calls_[kept - 1]);
    if (inside) {
      inner_spans_.emplace_back(call.span, static_cast<std::uint32_t>(kept - 1));
    } else {
      calls_[kept++] = call;
    }
  }
  calls_.resize(kept);
}

void LaunchTable::mark_ambiguous() {
  for (std::size_t begin = 0; begin < calls_.size();) {
    std::size_t end = begin + 1;
    bool several = false;
    for (; end < calls_.size() && same_key(calls_[begin], calls_[end]); ++end)
      several = several || process(calls_[end]) != process(calls_[begin]);
    for (; begin < end; ++begin)
      calls_[begin].ambiguous = several;
  }
}

bool LaunchTable::repeats(std::size_t position) const {
  return position > 0 && same_key(calls_[position - 1], calls_[position]);
}

std::size_t LaunchTable::first_behind(std::uint32_t in_scope, std::uint32_t correlation,
                                      std::int64_t time_ns) const {
  const auto is_behind = [&](const Call& call) {
    if (scope(call) != in_scope) return in_scope < scope(call);
    if (call.correlation != correlation) return correlation < call.correlation;
    return time_ns < begin_ns(call);
  };
  // Work mostly comes in the order of its calls: the next one is near the last one.
  constexpr std::size_t kNear = 8;
  if (last_ < calls_.size() && !is_behind(calls_[last_])) {
    const std::size_t end = std::min(last_ + kNear, calls_.size());
    for (std::size_t position = last_ + 1; position < end; ++position) {
      if (is_behind(calls_[position])) return position;
    }
  }
  const auto found = std::partition_point(calls_.begin(), calls_.end(),
                                          [&](const Call& call) { return !is_behind(call); });
  return static_cast<std::size_t>(found - calls_.begin());
}

std::uint32_t LaunchTable::find(std::uint32_t in_scope, std::uint32_t correlation,
                                std::int64_t time_ns) {
  const auto has_key = [&](std::size_t position) {
    return position < calls_.size() && calls_[position].correlation == correlation &&
           scope(calls_[position]) == in_scope;
  };
  const std::size_t behind = first_behind(in_scope, correlation, time_ns);
  const std::size_t found = behind > 0 && has_key(behind - 1) ? behind - 1 : behind;
  if (!has_key(found)) return kNone;
  last_ = found;
  return static_cast<std::uint32_t>(found);
}

}  // namespace quintet
