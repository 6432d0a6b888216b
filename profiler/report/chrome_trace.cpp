#include "profiler/report/chrome_trace.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "profiler/report/chrome_args.h"
#include "profiler/report/export_clock.h"
#include "profiler/report/json_parts.h"
#include "profiler/report/json_text.h"
#include "profiler/report/row_assigner.h"
#include "profiler/report/slice_stream.h"

namespace quintet {

namespace {

/// Where events of one kind of process begin to number theirs: Kineto's devices are their ordinals.
constexpr std::int64_t kDevicesOfARank = 1000;
constexpr std::int64_t kHostProcesses = 1'000'000;
/// Further rows of a lane are threads of their own, far beyond the lanes.
constexpr std::int64_t kRowStride = 1'000'000;
constexpr std::int64_t kLaunchThread = 100'000;  ///< lanes are of 16 bits
constexpr std::int64_t kStepThread = 100'001;
/// From here on a double cannot hold microseconds with three decimals and some room.
constexpr std::int64_t kLateNs = std::int64_t{1} << 50;
constexpr std::int64_t kSecondNs = 1'000'000'000;

struct Thread {
  std::int64_t process = 0;
  std::int64_t thread = 0;
};

/// What a reader adds to the times of events, and what that makes of ours.
struct TimeBase {
  std::int64_t zero_ns = 0;  ///< the trace's time that is written as 0
  std::int64_t base_ns = 0;  ///< its Unix time; without a known offset the trace's own
};

TimeBase time_base(const Trace& trace) {
  TimeBase base;
  const std::int64_t first = first_begin_ns(trace);
  if (first < 0 || first >= kLateNs) {
    const std::int64_t into_second = (first % kSecondNs + kSecondNs) % kSecondNs;
    if (__builtin_sub_overflow(first, into_second, &base.zero_ns)) base.zero_ns = first;
  }
  const std::int64_t offset = realtime_offset_ns(trace).value_or(0);
  if (__builtin_add_overflow(base.zero_ns, offset, &base.base_ns)) base.base_ns = base.zero_ns;
  return base;
}

class ChromeWriter {
 public:
  ChromeWriter(const Trace& trace, const ByteSink& sink)
      : trace_(trace),
        time_(time_base(trace)),
        pieces_(sink),
        out_(pieces_.text()),
        args_(trace),
        lanes_(trace.lanes.size()),
        last_ns_(first_begin_ns(trace)) {
    for (const TraceLaunch& launch : trace.launches)
      has_calls_ = has_calls_ || launch.correlation != 0;
    for (const TraceActivity& activity : trace.activities)
      has_calls_ = has_calls_ || activity.kind == ActivityKind::api_call;
  }

  Result<void> write() {
    open_document();
    SliceStream slices(trace_);
    while (const auto slice = slices.next()) {
      write_slice(*slice);
      if (!pieces_.pass_on()) break;
    }
    close_document();
    return pieces_.finish();
  }

 private:
  struct Rows {
    RowAssigner assigner;
    std::size_t named = 0;
  };

  void open_document() {
    out_ += "{\n\"schemaVersion\": 1,\n\"deviceProperties\": ";
    out_ += dump_json(device_properties(), -1);
    out_ += ",\n\"quintet\": ";
    out_ += dump_json(about(), -1);
    out_ += ",\n\"displayTimeUnit\": \"ns\",\n\"baseTimeNanoseconds\": ";
    append_number(out_, time_.base_ns);
    out_ += ",\n\"traceEvents\": [";
  }

  /// What the recording tells of its GPU.
  [[nodiscard]] OrderedJson device_properties() const {
    const auto name = trace_.provenance.find("gpu");
    if (name == trace_.provenance.end()) return OrderedJson::array();
    OrderedJson device = {{"id", 0}, {"name", name->second}};
    const auto count = trace_.provenance.find("multiprocessors");
    if (count != trace_.provenance.end()) {
      const std::string& text = count->second;
      int number = 0;
      const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
      if (read.ec == std::errc()) device["numSms"] = number;
    }
    return OrderedJson::array({std::move(device)});
  }

  [[nodiscard]] OrderedJson about() const {
    OrderedJson json;
    json["state"] = name_of(trace_.state);
    json["provenance"] = OrderedJson::object();
    for (const auto& [key, value] : trace_.provenance)
      json["provenance"][key] = value;
    json["untimed"] = trace_.untimed.size();
    json["findings"] = findings_json(trace_.findings);
    return json;
  }

  void close_document() {
    begin_event();
    out_ += R"("name":"Record Window End","ph":"i","s":"g","pid":"","tid":"","ts":)";
    append_microseconds(out_, last_ns_ - time_.zero_ns);
    out_ += "}\n],\n";
    if (const auto rank = only_rank()) {
      out_ += "\"distributedInfo\": {\"rank\": ";
      append_number(out_, *rank);
      out_ += "},\n";
    }
    out_ += "\"traceName\": ";
    const auto scenario = trace_.provenance.find("scenario");
    out_ += quoted_json(scenario == trace_.provenance.end() ? "recording" : scenario->second);
    out_ += "\n}\n";
  }

  /// Nothing where the trace has several: readers take one for the whole file.
  [[nodiscard]] std::optional<std::int64_t> only_rank() const {
    if (trace_.lanes.empty()) return std::nullopt;
    const int rank = trace_.lanes.front().rank;
    const auto same = [rank](const Lane& lane) { return lane.rank == rank; };
    if (!std::all_of(trace_.lanes.begin(), trace_.lanes.end(), same)) return std::nullopt;
    return rank;
  }

  void begin_event() {
    out_ += any_ ? ",\n{" : "\n{";
    any_ = true;
  }

  void append_thread(const Thread& thread) {
    out_ += "\"pid\":";
    append_number(out_, thread.process);
    out_ += ",\"tid\":";
    append_number(out_, thread.thread);
  }

  void append_time(std::int64_t at_ns) {
    out_ += ",\"ts\":";
    append_microseconds(out_, at_ns - time_.zero_ns);
  }

  /// Everything of a complete event before its arguments.
  void begin_complete(std::string_view category, const std::string& quoted_name,
                      const Thread& thread, const Slice& slice) {
    begin_event();
    out_ += R"("ph":"X","cat":")";
    out_ += category;
    out_ += "\",\"name\":";
    out_ += quoted_name;
    out_ += ',';
    append_thread(thread);
    append_time(slice.begin_ns);
    out_ += ",\"dur\":";
    append_microseconds(out_, slice.end_ns - slice.begin_ns);
    out_ += ",\"args\":{";
    last_ns_ = std::max(last_ns_, slice.end_ns);
  }

  void write_slice(const Slice& slice) {
    switch (slice.kind) {
      case SliceKind::span:
        write_span(slice);
        break;
      case SliceKind::host_wait:
        write_host_wait(slice);
        break;
      case SliceKind::launch:
        write_launch(slice);
        break;
      case SliceKind::step:
        write_step(slice);
        break;
    }
  }

  void write_span(const Slice& slice) {
    const SpanColumns& spans = trace_.spans;
    const Thread thread = lane_thread(spans.executor_lane[slice.index], slice);
    begin_complete(args_.category(slice.index), args_.name(slice.index), thread, slice);
    args_.append(out_, slice.index);
    out_ += "}}";
    const std::uint32_t activity = spans.activity[slice.index];
    const bool known = activity != kWholeTask;
    const ActivityKind kind = known ? trace_.activities[activity].kind : ActivityKind::kernel;
    if (kind != ActivityKind::host_range)
      write_flow(kind == ActivityKind::api_call, spans.correlation[slice.index], thread, slice);
  }

  /// One arrow begins at a call, and one ends at each thing that it launched.
  void write_flow(bool call, std::uint32_t correlation, const Thread& thread, const Slice& slice) {
    if (correlation == 0 || !has_calls_) return;
    begin_event();
    out_ += call ? R"("ph":"s","id":)" : R"("ph":"f","id":)";
    append_number(out_, std::uint64_t{correlation});
    out_ += ',';
    append_thread(thread);
    append_time(slice.begin_ns);
    out_ += call ? R"(,"cat":"ac2g","name":"ac2g"})" : R"(,"cat":"ac2g","name":"ac2g","bp":"e"})";
  }

  void write_host_wait(const Slice& slice) {
    const TraceHostWait& wait = trace_.host_waits[slice.index];
    const Thread thread = lane_thread(wait.lane.value(), slice);
    begin_complete("user_annotation", quoted_json(wait.kind + " " + wait.target), thread, slice);
    append_step(wait.step);
    out_ += "}}";
  }

  void write_launch(const Slice& slice) {
    const TraceLaunch& launch = trace_.launches[slice.index];
    const int rank = trace_.lanes[launch.lane.value()].rank;
    const auto rows = launches_.try_emplace(rank, Rows{RowAssigner(RowNesting::contained)}).first;
    const Thread thread =
        row_thread(rows->second, {kHostProcesses + rank, kLaunchThread}, "graph launches", slice);
    const std::string& graph = trace_.graphs[launch.graph].name;
    // With a correlation it was a call of CUDA's: tools look for its name.
    const bool cuda = launch.correlation != 0;
    begin_complete(cuda ? "cuda_runtime" : "user_annotation",
                   cuda ? "\"cudaGraphLaunch\"" : quoted_json("launch " + graph), thread, slice);
    if (cuda) {
      out_ += "\"correlation\":";
      append_number(out_, std::uint64_t{launch.correlation});
      out_ += ',';
    }
    out_ += "\"graph\":";
    out_ += quoted_json(graph);
    if (launch.step >= 0) out_ += ',';
    append_step(launch.step);
    out_ += "}}";
    write_flow(true, launch.correlation, thread, slice);
  }

  void write_step(const Slice& slice) {
    const TraceStep& step = trace_.steps[slice.index];
    const int rank = trace_.lanes.empty() ? 0 : trace_.lanes.front().rank;
    const Thread thread = row_thread(steps_, {kHostProcesses + rank, kStepThread}, "steps", slice);
    begin_complete("user_annotation", quoted_json("ProfilerStep#" + std::to_string(step.step)),
                   thread, slice);
    append_step(step.step);
    const OrderedJson more = {
        {"phase", step.phase}, {"shape", step.shape},
        {"slot", step.slot},   {"recording", name_of(step.recording)},
        {"batch", step.batch}, {"learning rate", number_or_null(step.learning_rate)}};
    out_ += ',';
    out_ += dump_json(more, -1).substr(1);  // what closes the object closes the arguments
    out_.pop_back();
    if (step.loss) {
      out_ += ",\"loss\":";
      append_number(out_, *step.loss);
    }
    out_ += "}}";
  }

  void append_step(std::int64_t step) {
    if (step < 0) return;
    out_ += "\"step\":";
    append_number(out_, step);
  }

  Thread lane_thread(std::uint32_t index, const Slice& slice) {
    const Lane& lane = trace_.lanes[index];
    const bool host = lane.kind == LaneKind::host;
    if (lanes_[index] == nullptr) {
      const RowNesting nesting = host ? RowNesting::contained : RowNesting::none;
      lanes_[index] = std::make_unique<Rows>(Rows{RowAssigner(nesting)});
    }
    const std::int64_t process =
        host ? kHostProcesses + lane.rank : lane.rank * kDevicesOfARank + lane.device;
    return row_thread(*lanes_[index], {process, index}, lane.name, slice);
  }

  Thread row_thread(Rows& rows, Thread first, std::string_view name, const Slice& slice) {
    const std::size_t row = rows.assigner.place(slice.begin_ns, slice.end_ns);
    const Thread thread = {first.process,
                           first.thread + static_cast<std::int64_t>(row) * kRowStride};
    if (row == rows.named) {
      ++rows.named;
      name_process(thread);
      std::string title(name);
      if (row > 0) title += " (row " + std::to_string(row + 1) + ")";
      describe("thread_name", thread, "name", quoted_json(title));
      // Rows of a lane follow it: at most as many as there is room for between two lanes.
      const std::int64_t order = first.thread * kDevicesOfARank + static_cast<std::int64_t>(row);
      describe("thread_sort_index", thread, "sort_index", std::to_string(order));
    }
    return thread;
  }

  void name_process(const Thread& thread) {
    if (!named_processes_.emplace(thread.process, true).second) return;
    const bool host = thread.process >= kHostProcesses;
    const std::int64_t rank =
        host ? thread.process - kHostProcesses : thread.process / kDevicesOfARank;
    const Thread process = {thread.process, 0};
    describe("process_name", process, "name", quoted_json("rank " + std::to_string(rank)));
    const std::int64_t device = thread.process % kDevicesOfARank;
    describe("process_labels", process, "labels",
             host ? "\"CPU\"" : quoted_json("GPU " + std::to_string(device)));
    // The host above its devices, as Kineto's.
    const std::int64_t order = host ? rank : kHostProcesses + thread.process;
    describe("process_sort_index", process, "sort_index", std::to_string(order));
  }

  void describe(std::string_view what, const Thread& thread, std::string_view key,
                const std::string& value) {
    begin_event();
    out_ += "\"name\":\"";
    out_ += what;
    out_ += "\",\"ph\":\"M\",\"ts\":0.000,";
    append_thread(thread);
    out_ += ",\"args\":{\"";
    out_ += key;
    out_ += "\":";
    out_ += value;
    out_ += "}}";
  }

  const Trace& trace_;
  TimeBase time_;
  PieceBuffer pieces_;
  std::string& out_;
  ChromeArgs args_;
  std::vector<std::unique_ptr<Rows>> lanes_;  ///< null = no event yet
  std::map<int, Rows> launches_;              ///< by rank
  Rows steps_{RowAssigner(RowNesting::none)};
  std::map<std::int64_t, bool> named_processes_;
  std::int64_t last_ns_;
  bool has_calls_ = false;  ///< without them no arrow has a begin
  bool any_ = false;
};

}  // namespace

Result<void> write_chrome_trace(const Trace& trace, const ByteSink& sink) {
  return ChromeWriter(trace, sink).write();
}

}  // namespace quintet
