#include "profiler/capture/device_spans.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace quintet {

namespace {

/// Launches whose records may still be to come: buffers hold the records of some tens of steps.
constexpr std::size_t kRememberedLaunches = 1 << 17;
/// Likewise calls, each of which has a record of its own: as many as all buffers hold.
constexpr std::size_t kRememberedCalls = 1 << 19;

template <class Note>
void remember(std::unordered_map<std::uint32_t, Note>& notes, std::deque<std::uint32_t>& order,
              std::size_t most, std::uint32_t correlation, const Note& note) {
  notes[correlation] = note;
  order.push_back(correlation);
  if (order.size() <= most) return;
  notes.erase(order.front());
  order.pop_front();
}

bool timed(const DeviceRecord& record) {
  return record.begin_ns > 0 && record.end_ns >= record.begin_ns;
}

std::string key_of(const DeviceRecord& record) {
  std::string key = fmt::format("{}|{}|{}", name_of(record.kind), record.name,
                                record.bytes ? fmt::to_string(*record.bytes) : "");
  if (record.launch) {
    key += fmt::format("|{}|{}|{}|{}|{}", fmt::join(record.launch->grid, ","),
                       fmt::join(record.launch->block, ","), record.launch->registers,
                       record.launch->static_shared_bytes, record.launch->dynamic_shared_bytes);
  }
  return key;
}

}  // namespace

DeviceSpans::DeviceSpans(DeviceSpansStart start)
    : start_(std::move(start)), clock_(start_.unix_offset_ns) {
  batch_.clocks = {{"host"}, {"device, by CUPTI"}};
}

void DeviceSpans::calibrate(const TraceClockPair& pair) {
  if (!clock_.add(pair)) {
    ++counts_.clock_set_back;
    return;
  }
  batch_.clock_pairs.push_back(pair);
}

void DeviceSpans::note_clock(std::uint16_t lane) {
  if (clock_noted_.size() <= lane) clock_noted_.resize(std::size_t{lane} + 1);
  if (clock_noted_[lane]) return;
  clock_noted_[lane] = true;
  batch_.lane_clocks.push_back({lane, kDeviceClock});
}

void DeviceSpans::launched(std::uint32_t correlation, const LaunchNote& note) {
  remember(launches_, launch_order_, kRememberedLaunches, correlation, note);
}

void DeviceSpans::called(std::uint32_t correlation, const CallNote& note) {
  remember(calls_, call_order_, kRememberedCalls, correlation, note);
}

std::uint16_t DeviceSpans::executor_lane(const DeviceRecord& record) {
  const auto [entry, fresh] = lanes_.try_emplace({record.device, record.context, record.stream});
  if (!fresh) return entry->second;
  entry->second = next_lane();
  std::string name = fmt::format("GPU {} stream {}", record.device, record.stream);
  if (lane_names_[name]++ > 0) name += fmt::format(" (context {})", record.context);
  batch_.lanes.push_back({LaneId(entry->second), std::move(name), LaneKind::executor,
                          static_cast<int>(record.device), start_.rank, 0});
  ++batched_lanes_;
  return entry->second;
}

std::uint16_t DeviceSpans::next_lane() const {
  return static_cast<std::uint16_t>(start_.lanes + batched_lanes_);
}

std::uint16_t DeviceSpans::overhead_lane() {
  if (!overhead_lane_) {
    overhead_lane_ = next_lane();
    batch_.lanes.push_back(
        {LaneId(*overhead_lane_), "overhead", LaneKind::host, 0, start_.rank, 0});
    ++batched_lanes_;
    note_clock(*overhead_lane_);
  }
  return *overhead_lane_;
}

void DeviceSpans::add(const OverheadRecord& record) {
  if (record.begin_ns <= 0 || record.end_ns < record.begin_ns) {
    ++counts_.untimed_overhead;
    return;
  }
  DeviceRecord what;
  what.kind = ActivityKind::host_range;
  what.name = record.name;
  const std::uint16_t lane = overhead_lane();
  append_span(batch_.spans, {clock_.trace_ns(record.begin_ns), clock_.trace_ns(record.end_ns), -1,
                             task_named(fmt::format("overhead/{}", record.name), "HOST_OVERHEAD"),
                             -1, lane, lane, activity_of(what, nullptr), 0, kUnknownChannel});
}

std::uint32_t DeviceSpans::task_named(const std::string& name, const char* op_kind) {
  const auto [entry, fresh] = tasks_.try_emplace(name);
  if (!fresh) return entry->second;
  entry->second = static_cast<std::uint32_t>(start_.tasks + tasks_.size() - 1);
  TraceTask task;
  task.name = name;
  task.op_kind = op_kind;
  batch_.tasks.push_back(std::move(task));
  return entry->second;
}

std::uint32_t DeviceSpans::new_activity(const DeviceRecord& record, const NodeOwner* owner) {
  TraceActivity activity;
  activity.kind = record.kind;
  activity.name = record.name;
  if (record.graph_node != 0) activity.graph_node = record.graph_node;
  if (owner != nullptr) activity.captured_node = owner->captured;
  activity.launch = record.launch;
  if (activity.launch)
    activity.launch->occupancy = theoretical_occupancy(start_.limits, *activity.launch);
  activity.bytes = record.bytes;
  batch_.activities.push_back(std::move(activity));
  activity_names_.emplace_back(record.name);
  return static_cast<std::uint32_t>(start_.activities + activity_names_.size() - 1);
}

std::uint32_t DeviceSpans::activity_of(const DeviceRecord& record, const NodeOwner* owner) {
  if (record.graph_node == 0) {
    const auto [entry, fresh] = named_activities_.try_emplace(key_of(record));
    if (fresh) entry->second = new_activity(record, owner);
    return entry->second;
  }
  const auto [entry, fresh] = node_activities_.try_emplace(record.graph_node);
  // A node keeps its kernel until its graph is updated.
  if (fresh || activity_names_[entry->second - start_.activities] != record.name)
    entry->second = new_activity(record, owner);
  return entry->second;
}

DeviceSpans::Launched DeviceSpans::latest_launch(std::uint32_t graph,
                                                 std::int64_t before_ns) const {
  for (auto correlation = launch_order_.rbegin(); correlation != launch_order_.rend();
       ++correlation) {
    const auto launch = launches_.find(*correlation);
    if (launch == launches_.end()) continue;
    const LaunchNote& note = launch->second;
    if (note.graph == graph && note.begin_ns <= before_ns) return {*correlation, &note};
  }
  return {};
}

DeviceSpans::Launched DeviceSpans::launch_of(const DeviceRecord& record, const NodeOwner* owner) {
  const auto found = launches_.find(record.correlation);
  if (found == launches_.end()) return {};
  const Launched told{record.correlation, &found->second};
  const std::int64_t begin_ns = clock_.trace_ns(record.begin_ns);
  const bool of_graph = record.graph_node != 0 || record.kind == ActivityKind::graph;
  if (of_graph && timed(record) && told.note->begin_ns - begin_ns > kClockTroubleNs) {
    const std::uint32_t graph = owner == nullptr ? told.note->graph : owner->graph;
    if (const Launched other = latest_launch(graph, begin_ns); other.note != nullptr) {
      ++counts_.wrong_correlation;
      return other;
    }
  }
  check_times(record, told.note->begin_ns);
  return told;
}

DeviceSpans::Place DeviceSpans::place_of(const DeviceRecord& record, const Launched& launched,
                                         const NodeOwner* owner, std::uint16_t executor_lane) {
  const LaunchNote* launch = launched.note;
  const std::int32_t step = launch == nullptr ? -1 : launch->step;
  if (record.kind == ActivityKind::graph && launch != nullptr)
    return {task_named("launch/" + start_.graphs.at(launch->graph), "GRAPH_LAUNCH"), launch->lane,
            step};
  if (owner == nullptr && launch == nullptr && record.graph_node == 0)
    return place_of_call(record, executor_lane);
  if (owner == nullptr) {
    ++counts_.unattributed;
    return {task_named(fmt::format("unattributed/{}", record.name), "UNATTRIBUTED"), executor_lane,
            step};
  }
  if (launch == nullptr) {
    ++counts_.without_launch;
    return {owner->task, owner->lane, -1};
  }
  return {owner->task, owner->lane, std::max(step + owner->step_offset, -1)};
}

DeviceSpans::Place DeviceSpans::place_of_call(const DeviceRecord& record,
                                              std::uint16_t executor_lane) {
  const auto found = calls_.find(record.correlation);
  const CallNote* call = found == calls_.end() ? nullptr : &found->second;
  if (call != nullptr) check_times(record, call->begin_ns);
  if (start_.legacy_stream == record.stream) ++counts_.on_legacy_stream;
  if (call != nullptr && call->task) return {*call->task, call->lane, call->step};
  ++counts_.unattributed;
  return {task_named(fmt::format("unattributed/{}", record.name), "UNATTRIBUTED"), executor_lane,
          call == nullptr ? -1 : call->step};
}

void DeviceSpans::check_times(const DeviceRecord& record, std::int64_t issued_ns) {
  if (!timed(record)) return;
  const std::int64_t early = issued_ns - clock_.trace_ns(record.begin_ns);
  if (early <= 0) return;
  ++counts_.early;
  counts_.most_early_ns = std::max(counts_.most_early_ns, early);
}

void DeviceSpans::add(const DeviceRecord& record, const NodeTable& nodes) {
  ++counts_.records;
  const NodeOwner* owner = record.graph_node == 0 ? nullptr : nodes.owner(record.graph_node);
  const std::uint16_t executor = executor_lane(record);
  const Launched launch = launch_of(record, owner);
  const Place place = place_of(record, launch, owner, executor);
  const std::uint32_t correlation =
      launch.note == nullptr ? record.correlation : launch.correlation;
  const std::uint32_t activity = activity_of(record, owner);
  if (!timed(record)) {
    ++counts_.untimed;
    batch_.untimed.push_back({place.task, place.step, place.lane, executor, activity, correlation,
                              record.begin_ns, record.end_ns});
    return;
  }
  const std::uint16_t channel = record.channel && *record.channel < kUnknownChannel
                                    ? static_cast<std::uint16_t>(*record.channel)
                                    : kUnknownChannel;
  note_clock(place.lane);
  note_clock(executor);
  append_span(batch_.spans,
              {clock_.trace_ns(record.begin_ns), clock_.trace_ns(record.end_ns), -1, place.task,
               place.step, place.lane, executor, activity, correlation, channel});
}

TraceBatch DeviceSpans::take() {
  return std::exchange(batch_, {});
}

std::vector<Finding> DeviceSpans::findings() const {
  std::vector<Finding> findings;
  const auto note = [&](Severity severity, const char* name, std::int64_t count,
                        const std::string& message) {
    if (count > 0) findings.push_back({severity, name, message, count});
  };
  note(Severity::data_loss, "untimed_activities", counts_.untimed,
       fmt::format("the device took no times of {} activities: they are listed, not drawn",
                   counts_.untimed));
  note(Severity::error, "unattributed_work", counts_.unattributed,
       fmt::format("{} device activities belong to no task", counts_.unattributed));
  note(Severity::error, "legacy_stream_work", counts_.on_legacy_stream,
       fmt::format("{} device activities ran on the legacy default stream, which waits for every "
                   "other stream",
                   counts_.on_legacy_stream));
  note(Severity::data_loss, "unknown_step", counts_.without_launch,
       fmt::format("{} device activities came from launches that were not seen: their step is "
                   "unknown",
                   counts_.without_launch));
  note(Severity::notice, "wrong_correlation", counts_.wrong_correlation,
       fmt::format(
           "{} activities of graphs carry the correlation of a launch that began after them: "
           "they count to the latest launch of their graph before them",
           counts_.wrong_correlation));
  note(Severity::notice, "clock_trouble", counts_.early,
       fmt::format("{} device activities begin before the call that launched them, by up to {} ns: "
                   "host and device clocks disagree",
                   counts_.early, counts_.most_early_ns));
  note(Severity::notice, "clock_set_back", counts_.clock_set_back,
       fmt::format("{} times the device's clock told less than before: what ran then may lie at "
                   "another time",
                   counts_.clock_set_back));
  note(Severity::info, "untimed_overhead", counts_.untimed_overhead,
       fmt::format("of {} times that the driver or CUPTI was busy for itself it is not told when",
                   counts_.untimed_overhead));
  return findings;
}

}  // namespace quintet
