#include "viewer/model/timeline/range_statistics.h"

#include <algorithm>

namespace quintet::viewer {

namespace {

constexpr std::size_t kCountedSpansAnAsk = 1 << 16;

/// Length of a union whose intervals come in order of begin.
class UnionLength {
 public:
  void add(std::int64_t begin, std::int64_t end) {
    if (end <= until_) return;
    length_ += length_ns(std::max(begin, until_), end);
    until_ = end;
  }
  [[nodiscard]] std::uint64_t length() const { return length_; }

 private:
  std::int64_t until_ = kEarliestNs;
  std::uint64_t length_ = 0;
};

void keep_longest(std::vector<TaskStatistics>& tasks, RangeStatistics& statistics) {
  std::erase_if(tasks, [](const TaskStatistics& task) { return task.spans == 0; });
  std::sort(tasks.begin(), tasks.end(), [](const TaskStatistics& a, const TaskStatistics& b) {
    return a.sum_ns != b.sum_ns ? a.sum_ns > b.sum_ns : a.task < b.task;
  });
  if (tasks.size() > kTopTasks) {
    statistics.tasks_left_out = tasks.size() - kTopTasks;
    tasks.resize(kTopTasks);
  }
  statistics.tasks = std::move(tasks);
}

}  // namespace

RangeStatistics range_statistics(const TimelineIndex& index, const Interval& range,
                                 const std::function<bool()>& stop) {
  RangeStatistics statistics;
  statistics.range = range;
  const SpanColumns& spans = index.trace().spans;
  std::vector<LaneStatistics> lanes(index.lanes().size());
  std::vector<UnionLength> busy(lanes.size());
  UnionLength all;
  std::vector<TaskStatistics> tasks(index.trace().tasks.size());
  for (std::size_t task = 0; task < tasks.size(); ++task)
    tasks[task].task = static_cast<std::uint32_t>(task);
  for (std::size_t span = 0; span < spans.size(); ++span) {
    if (span % kCountedSpansAnAsk == 0 && stop && stop()) break;
    if (spans.begin_ns[span] >= range.end) break;
    const std::int64_t begin = std::max(range.begin, spans.begin_ns[span]);
    const std::int64_t end = std::min(range.end, spans.end_ns[span]);
    const bool instant =
        spans.end_ns[span] <= spans.begin_ns[span] && spans.begin_ns[span] >= range.begin;
    if (begin >= end && !instant) continue;
    const std::uint32_t lane = index.groups().of_span(spans, span);
    if (index.lanes()[lane].section != LaneSection::work) continue;
    const std::uint64_t length = length_ns(begin, end);
    ++lanes[lane].spans;
    lanes[lane].sum_ns += length;
    busy[lane].add(begin, end);
    all.add(begin, end);
    ++statistics.spans;
    statistics.sum_ns += length;
    if (spans.task[span] >= tasks.size()) continue;
    ++tasks[spans.task[span]].spans;
    tasks[spans.task[span]].sum_ns += length;
  }
  statistics.busy_ns = all.length();
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane].spans == 0) continue;
    lanes[lane].lane = static_cast<std::uint32_t>(lane);
    lanes[lane].busy_ns = busy[lane].length();
    statistics.lanes.push_back(lanes[lane]);
  }
  keep_longest(tasks, statistics);
  return statistics;
}

std::vector<std::uint64_t> untimed_per_lane(const TimelineIndex& index) {
  std::vector<std::uint64_t> counts(index.lanes().size());
  for (const TraceUntimed& untimed : index.trace().untimed) {
    const std::uint32_t lane = index.groups().of_untimed(untimed);
    if (lane < counts.size()) ++counts[lane];
  }
  return counts;
}

}  // namespace quintet::viewer
