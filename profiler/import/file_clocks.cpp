#include "profiler/import/file_clocks.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "profiler/import/index_table.h"

namespace quintet {

namespace {

/// What the trace store takes: 146 years, so that no difference of two times overflows.
constexpr std::int64_t kLastTraceTime = 1LL << 62;
constexpr std::int64_t kSecondNs = 1'000'000'000;
/// Further from all others than that is not the same recording.
constexpr std::int64_t kOutlierNs = 3600 * kSecondNs;
/// Outliers are few, and at most half as many as what they are far from.
constexpr std::int64_t kMostOutliers = 1000;
/// How far apart the files of one run may lie.
constexpr std::int64_t kFileGapNs = 60 * kSecondNs;

template <class T>
void remove_by_last(std::vector<T>& column, std::size_t at) {
  column[at] = column.back();
  column.pop_back();
}

/// Stretches of time that hold something, with less than kOutlierNs between neighbours inside.
class TimeClusters {
 public:
  void add(std::int64_t begin_ns, std::int64_t end_ns) {
    if (last_ != clusters_.end() && last_->first <= begin_ns && end_ns <= last_->second.end_ns) {
      ++last_->second.count;
      return;
    }
    Cluster added{end_ns, 1};
    auto next = clusters_.upper_bound(begin_ns);
    if (next != clusters_.begin() && reaches(std::prev(next)->second.end_ns, begin_ns)) --next;
    std::int64_t from = begin_ns;
    while (next != clusters_.end() && reaches(added.end_ns, next->first)) {
      from = std::min(from, next->first);
      added.end_ns = std::max(added.end_ns, next->second.end_ns);
      added.count += next->second.count;
      next = clusters_.erase(next);
    }
    last_ = clusters_.emplace_hint(next, from, added);
  }

  [[nodiscard]] bool empty() const { return clusters_.empty(); }
  /// Keeps those that are few beside the largest; returns how many events the others hold that are
  /// far from the largest all the same.
  std::int64_t keep_outliers() {
    std::int64_t most = 0;
    for (const auto& [begin, cluster] : clusters_)
      most = std::max(most, cluster.count);
    std::int64_t distant = -most;
    std::erase_if(clusters_, [&](const auto& each) {
      const std::int64_t count = each.second.count;
      const bool outliers = count <= kMostOutliers && count <= most / 2;
      distant += outliers ? 0 : count;
      return !outliers;
    });
    last_ = clusters_.end();
    return distant;
  }
  [[nodiscard]] bool holds(std::int64_t begin_ns) const {
    const auto behind = clusters_.upper_bound(begin_ns);
    return behind != clusters_.begin() && begin_ns <= std::prev(behind)->second.end_ns;
  }

 private:
  struct Cluster {
    std::int64_t end_ns = 0;
    std::int64_t count = 0;
  };
  static bool reaches(std::int64_t end_ns, std::int64_t begin_ns) {
    return begin_ns <= end_ns || begin_ns - end_ns <= kOutlierNs;
  }

  std::map<std::int64_t, Cluster> clusters_;  ///< by begin
  std::map<std::int64_t, Cluster>::iterator last_ = clusters_.end();
};

void count_distant(FindingCounts& findings, std::int64_t count) {
  findings.count(Severity::notice, "distant_times",
                 "activities more than an hour from the others of their file: nobody knows which "
                 "times are wrong, if any; numbers across them are unknown",
                 count);
}

/// When the spans of a source were, and a number that equal ones have in common.
struct SourceTimes {
  std::int64_t first_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_ns = 0;
  std::uint64_t spans = 0;
  std::uint64_t hash = 0;

  [[nodiscard]] bool unix_time() const { return first_ns >= kFirstUnixTime; }
};

std::vector<SourceTimes> times_of(const FileClocks::Parts& parts) {
  std::vector<SourceTimes> times(parts.sources.size());
  std::vector<std::uint32_t> source_of_lane;
  for (std::size_t lane = 0; lane < parts.lanes.size(); ++lane)
    source_of_lane.push_back(parts.lanes.key_of(static_cast<std::uint16_t>(lane)).source.value());
  for (std::size_t span = 0; span < parts.spans.size(); ++span) {
    SourceTimes& source = times[source_of_lane[parts.spans.lane[span]]];
    const std::int64_t begin = parts.spans.begin_ns[span];
    source.first_ns = std::min(source.first_ns, begin);
    source.last_ns = std::max(source.last_ns, parts.spans.end_ns[span]);
    ++source.spans;
    // A sum: two files may tell the same in another order.
    source.hash += mix_hash(mix_hash(parts.spans.task[span], static_cast<std::uint64_t>(begin)),
                            static_cast<std::uint64_t>(parts.spans.end_ns[span]));
  }
  return times;
}

std::string distance_text(std::int64_t ns) {
  constexpr std::int64_t kHours = 2 * 3600;
  const std::int64_t seconds = ns / kSecondNs;
  if (seconds < kHours) return fmt::format("{} s", seconds);
  return fmt::format("{:.1f} hours", static_cast<double>(seconds) / 3600);
}

constexpr const char* kAlone = "import it by itself";

Result<void> check_bases(const std::vector<ImportSource>& sources,
                         const std::vector<SourceTimes>& times, FindingCounts& findings) {
  std::optional<std::size_t> with;
  std::optional<std::size_t> without;
  std::int64_t unverified = 0;
  for (std::size_t source = 0; source < sources.size(); ++source) {
    if (times[source].spans == 0) continue;
    (times[source].unix_time() ? with : without) = source;
    unverified += times[source].unix_time() ? 0 : 1;
  }
  if (with && without) {
    return fail(fmt::format("does not report when its clock began, and {} does: their times cannot "
                            "be compared",
                            sources[*with].file),
                kAlone, sources[*without].file);
  }
  if (unverified > 1) {
    findings.count(Severity::notice, "unverified_clocks",
                   "files that do not report when their clock began: their times were taken as of "
                   "one clock; numbers across them are unknown",
                   unverified);
  }
  return {};
}

Result<void> check_gaps(const std::vector<ImportSource>& sources,
                        const std::vector<SourceTimes>& times) {
  std::vector<std::size_t> order;
  for (std::size_t source = 0; source < sources.size(); ++source) {
    if (times[source].spans > 0) order.push_back(source);
  }
  std::sort(order.begin(), order.end(), [&times](std::size_t a, std::size_t b) {
    return times[a].first_ns < times[b].first_ns;
  });
  for (std::size_t next = 1, latest = 0; next < order.size(); ++next) {
    const SourceTimes& before = times[order[latest]];
    const std::int64_t gap = times[order[next]].first_ns - before.last_ns;
    const bool one_file = sources[order[next]].file == sources[order[latest]].file;
    if (gap > kFileGapNs && !one_file) {
      return fail(fmt::format("begins {} after the end of {}: not one run, or not one clock",
                              distance_text(gap), sources[order[latest]].file),
                  kAlone, sources[order[next]].file);
    }
    if (times[order[next]].last_ns > before.last_ns) latest = next;
  }
  return {};
}

Result<void> check_copies(const std::vector<ImportSource>& sources,
                          const std::vector<SourceTimes>& times, FindingCounts& findings) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> seen;
  for (std::size_t source = 0; source < sources.size(); ++source) {
    if (times[source].spans == 0) continue;
    const auto [first, added] =
        seen.try_emplace(std::pair(times[source].spans, times[source].hash), source);
    if (added) continue;
    const ImportSource& other = sources[first->second];
    if (other.file == sources[source].file) continue;
    if (!sources[source].rank || !other.rank) {
      return fail(fmt::format("holds the same recording as {}", other.file),
                  "name each file once, one for each rank", sources[source].file);
    }
    findings.count(Severity::notice, "identical_files",
                   "files of different ranks with the same names and times: copies of one file?");
  }
  return {};
}

}  // namespace

FileClocks::FileClocks(const Parts& parts) : parts_(parts) {
  for (std::size_t lane = 0; lane < parts_.lanes.size(); ++lane) {
    const LaneKey& key = parts_.lanes.key_of(static_cast<std::uint16_t>(lane));
    clock_of_lane_.push_back(key.source.value() * 2 + (is_host(key.role) ? 1 : 0));
  }
}

std::optional<std::int64_t> FileClocks::absolute(std::uint16_t lane, std::int64_t time_ns) const {
  const ImportSourceId source = parts_.lanes.key_of(lane).source;
  std::int64_t time = 0;
  if (__builtin_add_overflow(time_ns, parts_.sources[source.value()].clock_offset_ns, &time))
    return std::nullopt;
  if (time < 0 || time > kLastTraceTime) return std::nullopt;
  return time;
}

void FileClocks::make_untimed(std::size_t span) {
  SpanColumns& spans = parts_.spans;
  parts_.untimed.push_back({spans.task[span], -1, spans.lane[span], spans.executor_lane[span],
                            spans.activity[span], spans.correlation[span], spans.begin_ns[span],
                            spans.end_ns[span]});
  remove_by_last(spans.begin_ns, span);
  remove_by_last(spans.end_ns, span);
  remove_by_last(spans.task, span);
  remove_by_last(spans.lane, span);
  remove_by_last(spans.executor_lane, span);
  remove_by_last(spans.activity, span);
  remove_by_last(spans.correlation, span);
  remove_by_last(spans.channel, span);
}

void FileClocks::apply() {
  SpanColumns& spans = parts_.spans;
  for (std::size_t span = 0; span < spans.size();) {
    const auto begin = absolute(spans.lane[span], spans.begin_ns[span]);
    const auto end = absolute(spans.lane[span], spans.end_ns[span]);
    if (begin && end) {
      spans.begin_ns[span] = *begin;
      spans.end_ns[span] = *end;
      ++span;
      continue;
    }
    parts_.findings.count(Severity::notice, "time_out_of_range",
                          "activities before 1970 or after 2116: listed as untimed");
    make_untimed(span);
  }
  drop_outliers();
  compare_clocks();
}

/// What a host did and what its devices did cannot lie hours apart.
void FileClocks::compare_clocks() {
  struct Hull {
    std::int64_t first_ns = std::numeric_limits<std::int64_t>::max();
    std::int64_t last_ns = 0;
    std::int64_t count = 0;
  };
  std::vector<Hull> clocks(parts_.sources.size() * 2);
  for (std::size_t span = 0; span < parts_.spans.size(); ++span) {
    Hull& clock = clocks[clock_of_lane_[parts_.spans.lane[span]]];
    clock.first_ns = std::min(clock.first_ns, parts_.spans.begin_ns[span]);
    clock.last_ns = std::max(clock.last_ns, parts_.spans.end_ns[span]);
    ++clock.count;
  }
  for (std::size_t source = 0; source < parts_.sources.size(); ++source) {
    const Hull& device = clocks[source * 2];
    const Hull& host = clocks[source * 2 + 1];
    if (device.count == 0 || host.count == 0) continue;
    if (device.first_ns - host.last_ns <= kOutlierNs &&
        host.first_ns - device.last_ns <= kOutlierNs)
      continue;
    count_distant(parts_.findings, std::min(device.count, host.count));
  }
}

void FileClocks::drop_outliers() {
  SpanColumns& spans = parts_.spans;
  std::vector<TimeClusters> clocks(parts_.sources.size() * 2);
  for (std::size_t span = 0; span < spans.size(); ++span)
    clocks[clock_of_lane_[spans.lane[span]]].add(spans.begin_ns[span], spans.end_ns[span]);
  bool any = false;
  for (TimeClusters& clock : clocks) {
    const std::int64_t distant = clock.keep_outliers();
    if (distant > 0) count_distant(parts_.findings, distant);
    any = any || !clock.empty();
  }
  if (!any) return;
  std::vector<TraceUntimed> outliers;
  for (std::size_t span = 0; span < spans.size();) {
    if (!clocks[clock_of_lane_[spans.lane[span]]].holds(spans.begin_ns[span])) {
      ++span;
      continue;
    }
    const std::uint16_t lane = spans.lane[span];
    const std::int64_t offset =
        parts_.sources[parts_.lanes.key_of(lane).source.value()].clock_offset_ns;
    parts_.findings.count(Severity::data_loss, "outlier_times",
                          "activities more than an hour from all others of their file: their times "
                          "cannot be right, listed as untimed");
    make_untimed(span);
    parts_.untimed.back().raw_begin_ns -= offset;
    parts_.untimed.back().raw_end_ns -= offset;
    outliers.push_back(parts_.untimed.back());
  }
  drop_steps(outliers);
}

/// A step is named by a range: one whose times cannot be right names none.
void FileClocks::drop_steps(const std::vector<TraceUntimed>& outliers) {
  std::set<std::pair<std::int64_t, std::int64_t>> times;
  for (const TraceUntimed& each : outliers)
    times.emplace(each.raw_begin_ns, each.raw_end_ns);
  const std::size_t dropped = std::erase_if(parts_.steps, [&times](const ToldStep& step) {
    return times.contains({step.begin_ns, step.end_ns});
  });
  if (dropped > 0) {
    parts_.findings.count(Severity::notice, "impossible_step",
                          "steps with an impossible number or time: left out",
                          static_cast<std::int64_t>(dropped));
  }
}

Result<void> FileClocks::check_ranks() const {
  std::map<int, std::size_t> files;
  for (std::size_t source = 0; source < parts_.sources.size(); ++source) {
    const ImportSource& each = parts_.sources[source];
    if (!each.rank) continue;
    const auto [first, added] = files.try_emplace(*each.rank, source);
    if (!added) {
      return fail(
          fmt::format("is of rank {}, as {} is", *each.rank, parts_.sources[first->second].file),
          "import one file of each rank", each.file);
    }
  }
  return {};
}

Result<void> FileClocks::check() {
  if (parts_.sources.size() < 2) return {};
  if (auto ranks = check_ranks(); !ranks) return ranks;
  const std::vector<SourceTimes> times = times_of(parts_);
  if (auto copies = check_copies(parts_.sources, times, parts_.findings); !copies) return copies;
  if (auto bases = check_bases(parts_.sources, times, parts_.findings); !bases) return bases;
  return check_gaps(parts_.sources, times);
}

void FileClocks::number_ranks() {
  if (parts_.sources.size() < 2) return;
  std::set<int> taken;
  for (const ImportSource& source : parts_.sources) {
    if (source.rank) taken.insert(*source.rank);
  }
  int next = 0;
  for (ImportSource& source : parts_.sources) {
    if (source.rank) continue;
    while (!taken.insert(next).second)
      ++next;
    source.rank = next;
  }
}

}  // namespace quintet
