#include "profiler/report/perfetto_trace.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <queue>

#include "profiler/report/export_clock.h"
#include "profiler/report/format.h"
#include "profiler/report/perfetto_notes.h"
#include "profiler/report/perfetto_packets.h"
#include "profiler/report/perfetto_schema.h"
#include "profiler/report/perfetto_tracks.h"
#include "profiler/report/slice_stream.h"
#include "profiler/report/trace_flows.h"
#include "profiler/report/wire_format.h"
#include "profiler/trace/utf8.h"

namespace quintet {

using namespace perfetto;

namespace {

/// Tells recordings apart, so that files which somebody puts together do not share tracks.
std::uint64_t identity_of(const Trace& trace) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  const auto mix = [&hash](std::string_view text) {
    for (const char each : text)
      hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001B3ULL;
  };
  for (const auto& [key, value] : trace.provenance) {
    mix(key);
    mix(value);
  }
  return hash;
}

/// A slice that has begun.
struct OpenSlice {
  std::int64_t end_ns = 0;
  std::uint64_t number = 0;  ///< in order of begin
  std::uint64_t track = 0;
  const Lane* counted = nullptr;    ///< on a device: counts as one more that runs
  const TraceStep* step = nullptr;  ///< whose loss is known when it ends

  /// What ends first comes first; of those that end together the innermost one.
  friend bool operator<(const OpenSlice& a, const OpenSlice& b) {
    return a.end_ns != b.end_ns ? a.end_ns > b.end_ns : a.number < b.number;
  }
};

class PerfettoWriter {
 public:
  PerfettoWriter(const Trace& trace, const ByteSink& sink)
      : trace_(trace),
        zero_ns_(std::min<std::int64_t>(0, first_begin_ns(trace))),
        pieces_(sink),
        // Ids of 31 and of 43 bits: unlikely to meet, and short on the wire.
        packets_(pieces_.text(), static_cast<std::uint32_t>(identity_of(trace) >> 33 | 1)),
        notes_(trace, packets_),
        tracks_(trace, packets_, (identity_of(trace) & 0x7FFFFFFF) << 12, zero_ns_),
        flows_(trace) {
    for (const ActivityKind kind : {ActivityKind::host_range, ActivityKind::api_call})
      host_kinds_[static_cast<std::size_t>(kind)] = true;
  }

  Result<void> write() {
    write_clocks();
    write_attributes();
    SliceStream slices(trace_);
    while (const auto slice = slices.next()) {
      close_until(slice->begin_ns);
      advance(slice->begin_ns);
      open(*slice);
      if (!pieces_.pass_on()) break;
    }
    close_until(std::numeric_limits<std::int64_t>::max());
    advance(std::numeric_limits<std::int64_t>::max());
    return pieces_.finish();
  }

 private:
  struct Counter {
    std::int64_t active = 0;
    std::int64_t written = 0;
  };

  [[nodiscard]] std::uint64_t time(std::int64_t ns) const {
    return static_cast<std::uint64_t>(ns - zero_ns_);
  }

  void write_clocks() {
    const auto clock = [](std::uint64_t id, std::uint64_t at) {
      std::string message;
      wire::append_integer(message, clock::kId, id);
      wire::append_integer(message, clock::kTime, at);
      return message;
    };
    const std::int64_t first = first_begin_ns(trace_);
    std::string snapshot;
    wire::append_bytes(snapshot, clock::kClocks, clock(clock::kMonotonic, time(first)));
    std::int64_t unix_ns = 0;
    const std::optional<std::int64_t> offset = realtime_offset_ns(trace_);
    if (offset && !__builtin_add_overflow(first, *offset, &unix_ns) && unix_ns >= 0) {
      const auto at = static_cast<std::uint64_t>(unix_ns);
      wire::append_bytes(snapshot, clock::kClocks, clock(clock::kRealtime, at));
    }
    wire::append_integer(snapshot, clock::kPrimary, clock::kMonotonic);
    packets_.write_timeless(packet::kClockSnapshot, snapshot);
  }

  void write_attributes() {
    std::string message;
    const auto attribute = [&message](const std::string& key, const auto& append_value) {
      std::string entry;
      wire::append_bytes(entry, attributes::kKey, valid_utf8("quintet." + key));
      append_value(entry);
      wire::append_bytes(message, attributes::kAttribute, entry);
    };
    const auto text = [&](const std::string& key, std::string_view value) {
      attribute(key, [value](std::string& entry) {
        wire::append_bytes(entry, attributes::kText, valid_utf8(value));
      });
    };
    const auto number = [&](const std::string& key, std::int64_t value) {
      attribute(key, [value](std::string& entry) {
        wire::append_integer(entry, attributes::kInteger, static_cast<std::uint64_t>(value));
      });
    };
    text("state", name_of(trace_.state));
    for (const auto& [key, value] : trace_.provenance)
      text(key, value);
    number("untimed", static_cast<std::int64_t>(trace_.untimed.size()));
    if (zero_ns_ != 0) number("time_zero_ns", zero_ns_);
    for (const Finding& finding : trace_.findings)
      number("finding." + finding.name, finding.count);
    packets_.write_timeless(packet::kTraceAttributes, message);
  }

  void begin_event(std::uint64_t track, std::string_view category, std::string_view name) {
    event_.clear();
    wire::append_integer(event_, event::kType, event::kSliceBegin);
    wire::append_integer(event_, event::kTrackUuid, track);
    wire::append_integer(event_, event::kCategoryIids, packets_.category(category));
    wire::append_integer(event_, event::kNameIid, packets_.event_name(name));
  }

  void add_flows(const Slice& slice) {
    const FlowEnds& flows = flows_.at(slice);
    for (const std::uint64_t id : flows.begins)
      wire::append_fixed64(event_, event::kFlowIds, id);
    for (const std::uint64_t id : flows.ends)
      wire::append_fixed64(event_, event::kTerminatingFlowIds, id);
  }

  void finish_event(const Slice& slice, OpenSlice open) {
    packets_.write(time(slice.begin_ns), packet::kTrackEvent, event_);
    open.end_ns = slice.end_ns;
    open.number = opened_++;
    open_.push(open);
  }

  void open(const Slice& slice) {
    switch (slice.kind) {
      case SliceKind::span:
        open_span(slice);
        break;
      case SliceKind::host_wait:
        open_host_wait(slice);
        break;
      case SliceKind::launch:
        open_launch(slice);
        break;
      case SliceKind::step:
        open_step(slice);
        break;
    }
  }

  void open_span(const Slice& slice) {
    const SpanColumns& spans = trace_.spans;
    const TraceTask& task = trace_.tasks[spans.task[slice.index]];
    const std::uint32_t activity = spans.activity[slice.index];
    const std::string& run = activity == kWholeTask || trace_.activities[activity].name.empty()
                                 ? task.name
                                 : trace_.activities[activity].name;
    const std::uint16_t lane = spans.lane[slice.index];
    const LaneKind kind = trace_.lanes[lane].kind;
    // A policy places tasks; hosts and executors run calls and kernels.
    const bool placed = kind == LaneKind::stream;
    const std::uint64_t track = tracks_.lane_row(lane, slice);
    begin_event(track, name_of(kind), placed ? task.name : run);
    add_flows(slice);
    notes_.add_span(event_, slice.index);
    const Lane* counted = runs_on_device(slice.index) ? &trace_.lanes[lane] : nullptr;
    if (counted != nullptr) ++counters_[counted->rank].active;
    finish_event(slice, {.track = track, .counted = counted});

    const std::uint16_t executor = spans.executor_lane[slice.index];
    if (executor == lane) return;
    const std::uint64_t copy = tracks_.lane_row(executor, slice);
    begin_event(copy, name_of(trace_.lanes[executor].kind), run);
    notes_.add_span_copy(event_, slice.index);
    finish_event(slice, {.track = copy});
  }

  [[nodiscard]] bool runs_on_device(std::size_t span) const {
    const std::uint32_t activity = trace_.spans.activity[span];
    if (trace_.lanes[trace_.spans.lane[span]].kind == LaneKind::host) return false;
    return activity == kWholeTask ||
           !host_kinds_[static_cast<std::size_t>(trace_.activities[activity].kind)];
  }

  void open_host_wait(const Slice& slice) {
    const TraceHostWait& wait = trace_.host_waits[slice.index];
    const std::uint64_t track = tracks_.lane_row(wait.lane.value(), slice);
    begin_event(track, "host_wait", wait.kind + " " + wait.target);
    notes_.add_host_wait(event_, wait);
    finish_event(slice, {.track = track});
  }

  void open_launch(const Slice& slice) {
    const TraceLaunch& launch = trace_.launches[slice.index];
    const std::uint64_t track = tracks_.launch_row(trace_.lanes[launch.lane.value()].rank, slice);
    begin_event(track, "launch", "launch " + trace_.graphs[launch.graph].name);
    add_flows(slice);
    notes_.add_launch(event_, launch);
    finish_event(slice, {.track = track});
  }

  void open_step(const Slice& slice) {
    const TraceStep& step = trace_.steps[slice.index];
    const std::uint64_t track = tracks_.step_row(slice);
    begin_event(track, "step", "step " + std::to_string(step.step));
    notes_.add_step(event_, step);
    finish_event(slice, {.track = track, .step = &step});
  }

  void close_until(std::int64_t now_ns) {
    while (!open_.empty() && open_.top().end_ns <= now_ns) {
      const OpenSlice closed = open_.top();
      open_.pop();
      advance(closed.end_ns);
      event_.clear();
      wire::append_integer(event_, event::kType, event::kSliceEnd);
      wire::append_integer(event_, event::kTrackUuid, closed.track);
      packets_.write(time(closed.end_ns), packet::kTrackEvent, event_);
      if (closed.counted != nullptr) --counters_[closed.counted->rank].active;
      if (closed.step != nullptr && closed.step->loss) write_loss(*closed.step);
    }
  }

  /// Counters tell what held over some time, so they are written when time moves on.
  void advance(std::int64_t now_ns) {
    if (now_ns == now_ns_) return;
    for (auto& [rank, counter] : counters_) {
      if (counter.active == counter.written) continue;
      counter.written = counter.active;
      const std::uint64_t track = tracks_.concurrency(rank, now_ns_);
      start_counter(track);
      wire::append_integer(event_, event::kCounterValue,
                           static_cast<std::uint64_t>(counter.active));
      packets_.write(time(now_ns_), packet::kTrackEvent, event_);
    }
    now_ns_ = now_ns;
  }

  void write_loss(const TraceStep& step) {
    start_counter(tracks_.loss(step.end_ns));
    wire::append_double(event_, event::kDoubleCounterValue, *step.loss);
    packets_.write(time(step.end_ns), packet::kTrackEvent, event_);
  }

  void start_counter(std::uint64_t track) {
    event_.clear();
    wire::append_integer(event_, event::kType, event::kCounter);
    wire::append_integer(event_, event::kTrackUuid, track);
  }

  const Trace& trace_;
  std::int64_t zero_ns_;
  PieceBuffer pieces_;
  PerfettoPackets packets_;
  PerfettoNotes notes_;
  PerfettoTracks tracks_;
  TraceFlows flows_;
  std::array<bool, kActivityKindCount> host_kinds_{};
  std::map<int, Counter> counters_;  ///< by rank
  std::priority_queue<OpenSlice> open_;
  std::uint64_t opened_ = 0;
  std::int64_t now_ns_ = std::numeric_limits<std::int64_t>::min();
  std::string event_;
};

}  // namespace

Result<void> write_perfetto_trace(const Trace& trace, const ByteSink& sink) {
  return PerfettoWriter(trace, sink).write();
}

}  // namespace quintet
