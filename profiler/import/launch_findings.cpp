#include "profiler/import/launch_findings.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <string_view>
#include <utility>
#include <vector>

#include "profiler/import/graph_launches.h"

namespace quintet {

namespace {

/// True for calls that put one kernel on a device, whatever suffix their names carry. Callbacks of
/// the host and whole graphs are launched too.
bool launches_kernel(std::string_view name) {
  constexpr std::string_view kLaunch = "Launch";
  const std::size_t launch = name.find(kLaunch);
  if (launch == std::string_view::npos) return false;
  const std::string_view what = name.substr(launch + kLaunch.size());
  return what.empty() || what.starts_with("Kernel") || what.starts_with("CooperativeKernel") ||
         what.starts_with("Grid") || what.starts_with("_v");
}

/// What the calls of a task do, by its name.
struct CallNames {
  explicit CallNames(std::string_view name)
      : launch(name.find("Launch") != std::string_view::npos),
        graph(is_graph_launch(name)),
        kernel(!graph && launches_kernel(name)),
        copy(name.find("MemcpyAsync") != std::string_view::npos ||
             name.find("MemsetAsync") != std::string_view::npos),
        begin_capture(name.find("StreamBeginCapture") != std::string_view::npos),
        end_capture(name.find("StreamEndCapture") != std::string_view::npos) {}

  bool launch, graph, kernel, copy, begin_capture, end_capture;
  bool launched = false;  ///< one of the calls did
};

/// When a process was capturing streams: what it launched meanwhile need not have run.
class Captures {
 public:
  explicit Captures(const LaunchTable& calls) : calls_(calls) {}

  void add(const LaunchTable::Call& call, bool begins) {
    changes_[calls_.process(call)].emplace_back(
        begins ? calls_.begin_ns(call) : calls_.end_ns(call), begins ? 1 : -1);
  }
  void sort() {
    for (auto& [process, changes] : changes_) {
      std::sort(changes.begin(), changes.end());
      int depth = 0;
      int lowest = 0;
      for (const auto& [time, change] : changes)
        lowest = std::min(lowest, depth += change);
      // Captures that end and never begin had begun before the recording.
      changes.insert(changes.begin(), {std::numeric_limits<std::int64_t>::min(), -lowest});
      depth = 0;
      for (auto& [time, change] : changes)
        change = depth += change;
    }
  }
  [[nodiscard]] bool hold(const LaunchTable::Call& call) const {
    const auto process = changes_.find(calls_.process(call));
    if (process == changes_.end()) return false;
    const auto& changes = process->second;
    const auto behind = std::partition_point(
        changes.begin(), changes.end(),
        [&](const auto& change) { return change.first <= calls_.begin_ns(call); });
    return behind != changes.begin() && std::prev(behind)->second > 0;
  }

 private:
  const LaunchTable& calls_;
  std::map<std::uint32_t, std::vector<std::pair<std::int64_t, int>>> changes_;
};

}  // namespace

void judge_launches(const LaunchTable& calls, const ActivityTable& activities,
                    const SpanColumns& spans, std::int64_t device_work, FindingCounts& findings) {
  std::vector<CallNames> names;
  for (const TraceTask& task : activities.tasks())
    names.emplace_back(task.name);
  const auto name_of_call = [&](const LaunchTable::Call& call) {
    return names[spans.task[call.span]];
  };
  Captures captures(calls);
  for (const LaunchTable::Call& call : calls.calls()) {
    const CallNames name = name_of_call(call);
    if (name.begin_capture || name.end_capture) captures.add(call, name.begin_capture);
  }
  captures.sort();
  for (const LaunchTable::Call& call : calls.calls()) {
    CallNames& name = names[spans.task[call.span]];
    name.launched = name.launched || call.launched;
  }
  std::int64_t launches = 0;
  std::int64_t unseen_graphs = 0;
  std::int64_t unseen_kernels = 0;
  for (const LaunchTable::Call& call : calls.calls()) {
    const CallNames name = name_of_call(call);
    launches += name.launch ? 1 : 0;
    if (call.launched || call.ambiguous) continue;
    unseen_graphs += name.graph ? 1 : 0;
    // Copies between places of the host need no device: only calls of a name that used one count.
    const bool expected = name.kernel || (name.copy && name.launched);
    unseen_kernels += expected && !captures.hold(call) ? 1 : 0;
  }
  if (unseen_graphs > 0) {
    findings.count(Severity::data_loss, "graph_nodes_not_recorded",
                   "launches of graphs whose work is not in the file: idle time and overlap are "
                   "unknown",
                   unseen_graphs);
  }
  if (launches > 0 && device_work == 0) {
    findings.count(Severity::error, "no_device_work",
                   "launches were recorded and no work of any device: the device was not profiled",
                   launches);
  } else if (unseen_kernels > 0) {
    findings.count(Severity::data_loss, "launched_work_missing",
                   "launches of kernels and copies whose work is not in the file: buffers of the "
                   "profiler were lost, or it stopped before they ran; idle time is unknown",
                   unseen_kernels);
  }
}

void judge_streams(const ActivityTable& activities, const SpanColumns& spans,
                   FindingCounts& findings) {
  struct Stream {
    std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
    bool counted = false;  ///< what ends then
  };
  std::vector<Stream> streams;
  std::int64_t overruns = 0;
  for (std::size_t span = 0; span < spans.size(); ++span) {
    const ActivityKind kind = activities.kind_of(spans.activity[span]);
    if (!runs_on_device(kind) || kind == ActivityKind::graph) continue;
    const std::size_t lane = spans.executor_lane[span];
    if (lane >= streams.size()) streams.resize(lane + 1);
    Stream& stream = streams[lane];
    if (spans.end_ns[span] >= stream.end_ns) {
      stream = {spans.end_ns[span], false};
    } else if (!std::exchange(stream.counted, true)) {
      ++overruns;
    }
  }
  if (overruns == 0) return;
  findings.count(Severity::notice, "overrunning_work",
                 "work of devices that ends after work behind it on its stream: streams run in "
                 "order, so one of the times is wrong",
                 overruns);
}

namespace {

/// The ranges of one thread, in order of their begins.
class NestedRanges {
 public:
  /// True where a range that is open ends before this one.
  bool add(std::int64_t begin_ns, std::int64_t end_ns) {
    if (begin_ns != now_ns_) {
      for (const std::int64_t end : at_once_)
        ends_.push(end);
      at_once_.clear();
      now_ns_ = begin_ns;
    }
    while (!ends_.empty() && ends_.top() <= begin_ns)
      ends_.pop();
    at_once_.push_back(end_ns);
    return !ends_.empty() && ends_.top() < end_ns;
  }

 private:
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> ends_;
  std::vector<std::int64_t>
      at_once_;  ///< ends of ranges that began at this time: one holds the other
  std::int64_t now_ns_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace

void judge_threads(const std::vector<TraceTask>& tasks, const std::vector<bool>& is_thread,
                   const SpanColumns& spans, FindingCounts& findings) {
  std::vector<bool> nested;
  for (const TraceTask& task : tasks)
    nested.push_back(task.op_kind == "HOST_RANGE" && !task.name.ends_with(" (open)"));
  std::map<std::uint16_t, NestedRanges> threads;
  std::int64_t crossing = 0;
  for (std::size_t span = 0; span < spans.size(); ++span) {
    if (!nested[spans.task[span]] || !is_thread[spans.lane[span]]) continue;
    NestedRanges& thread = threads[spans.lane[span]];
    crossing += thread.add(spans.begin_ns[span], spans.end_ns[span]) ? 1 : 0;
  }
  if (crossing == 0) return;
  findings.count(Severity::notice, "crossing_ranges",
                 "ranges of a thread that begin inside another one and end after it", crossing);
}

}  // namespace quintet
