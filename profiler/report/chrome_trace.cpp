#include "profiler/report/chrome_trace.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <set>
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
/// Further rows of a lane are threads of their own, far beyond the lanes and the waits for them.
constexpr std::int64_t kRowStride = 1'000'000;
constexpr std::int64_t kLaunchThread = 100'000;  ///< lanes are of 16 bits
constexpr std::int64_t kStepThread = 100'001;
/// Kineto puts waits for a stream on a thread of this many more than the stream.
constexpr std::int64_t kSyncThreads = 1'000'000;
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

bool is_imported(const Trace& trace) {
  const auto executor = trace.provenance.find("executor");
  return executor != trace.provenance.end() && executor->second == "imported";
}

/// True where the only step is the whole range of an import, which nobody named.
bool names_no_step(const Trace& trace) {
  return is_imported(trace) &&
         std::any_of(trace.findings.begin(), trace.findings.end(),
                     [](const Finding& finding) { return finding.name == "no_steps"; });
}

/// The processes and threads of a document: those of the program that was recorded, where they are
/// known and do not mean two things.
class ThreadNumbers {
 public:
  explicit ThreadNumbers(const Trace& trace) {
    std::vector<const TraceLaneOrigin*> origins(trace.lanes.size());
    for (const TraceLaneOrigin& origin : trace.lane_origins)
      origins[origin.lane] = &origin;
    for (const Lane& lane : trace.lanes) {
      ranks_.insert(lane.rank);
      if (lane.kind != LaneKind::host) devices_.insert(lane.device);
    }
    for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane)
      lanes_.push_back(thread_of(trace.lanes[lane], lane, origins[lane]));
  }

  [[nodiscard]] const Thread& of_lane(std::size_t lane) const { return lanes_[lane]; }
  [[nodiscard]] const std::set<int>& ranks() const { return ranks_; }
  [[nodiscard]] std::int64_t host_process(int rank) const { return kHostProcesses + rank; }
  /// The device whose process this is; nothing for a host's.
  [[nodiscard]] std::optional<int> device_of(std::int64_t process) const {
    const auto found = device_processes_.find(process);
    if (found == device_processes_.end()) return std::nullopt;
    return found->second;
  }
  /// A thread near this one that nothing else lies on.
  Thread claim(Thread thread) {
    while (!taken_.emplace(thread.process, thread.thread).second)
      thread.thread += kRowStride;
    return thread;
  }

 private:
  Thread thread_of(const Lane& lane, std::size_t index, const TraceLaneOrigin* origin) {
    const auto fallback = static_cast<std::int64_t>(index);
    const bool projected =
        origin != nullptr && (origin->role == LaneRole::range || origin->role == LaneRole::sync);
    if (lane.kind == LaneKind::host && !projected) {
      const std::int64_t process =
          origin == nullptr ? host_process(lane.rank) : process_of(lane.rank, origin->process);
      return claim({process, origin == nullptr ? fallback : origin->number});
    }
    const std::int64_t process =
        ranks_.size() == 1 ? lane.device : lane.rank * kDevicesOfARank + lane.device;
    device_processes_.emplace(process, lane.device);
    if (origin == nullptr) return claim({process, fallback});
    switch (origin->role) {
      case LaneRole::range:  // beside what lies in them, as Kineto's
        return {process, origin->number};
      case LaneRole::sync:
        return claim({process, origin->number + kSyncThreads});
      case LaneRole::stream:
      case LaneRole::executor:
      case LaneRole::thread:
      case LaneRole::started:
        break;
    }
    return claim({process, origin->number});
  }

  /// The process' own number, unless a device or another rank has it too.
  std::int64_t process_of(int rank, std::int64_t process) {
    const auto [known, added] = host_processes_.try_emplace({rank, process}, process);
    if (!added) return known->second;
    const bool of_a_device = process >= 0 && process < kDevicesOfARank * (*ranks_.rbegin() + 1) &&
                             devices_.contains(static_cast<int>(process % kDevicesOfARank));
    if (of_a_device || !used_processes_.insert(process).second) {
      known->second =
          kHostProcesses + kDevicesOfARank + static_cast<std::int64_t>(used_processes_.size());
      used_processes_.insert(known->second);
    }
    return known->second;
  }

  std::set<int> ranks_;
  std::set<int> devices_;
  std::vector<Thread> lanes_;
  std::map<std::int64_t, int> device_processes_;
  std::map<std::pair<int, std::int64_t>, std::int64_t> host_processes_;
  std::set<std::int64_t> used_processes_;
  std::set<std::pair<std::int64_t, std::int64_t>> taken_;
};

class ChromeWriter {
 public:
  ChromeWriter(const Trace& trace, const ByteSink& sink)
      : trace_(trace),
        time_(time_base(trace)),
        pieces_(sink),
        out_(pieces_.text()),
        args_(trace),
        threads_(trace),
        lanes_(trace.lanes.size()),
        step_slices_(!is_imported(trace)),
        last_ns_(first_begin_ns(trace)) {
    for (const TraceLaunch& launch : trace.launches) {
      has_calls_ = has_calls_ || launch.correlation != 0;
      launch_ranks_.insert(trace.lanes[launch.lane.value()].rank);
    }
    for (const TraceActivity& activity : trace.activities)
      has_calls_ = has_calls_ || activity.kind == ActivityKind::api_call;
    if (has_calls_) note_launched();
  }

  Result<void> write() {
    open_document();
    SliceStream slices(trace_);
    while (const auto slice = slices.next()) {
      write_slice(*slice);
      if (!pieces_.pass_on()) break;
    }
    close_events();
    write_untimed();
    if (!names_no_step(trace_)) write_steps();
    close_document();
    return pieces_.finish();
  }

 private:
  struct Rows {
    RowAssigner assigner;
    std::int64_t order = 0;  ///< among the lanes
    int rank = 0;
    std::vector<Thread> threads;  ///< by row
  };

  void note_launched() {
    for (std::size_t span = 0; span < trace_.spans.size(); ++span) {
      const std::uint32_t activity = trace_.spans.activity[span];
      const std::uint32_t correlation = trace_.spans.correlation[span];
      const bool call =
          activity != kWholeTask && trace_.activities[activity].kind == ActivityKind::api_call;
      if (call || correlation == 0) continue;
      if (correlation >= launched_.size()) launched_.resize(std::size_t{correlation} + 1);
      launched_[correlation] = true;
    }
  }

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
    json["lanes"] = lane_table();
    return json;
  }

  static OrderedJson lane_json(const std::string& name, std::string_view kind, int device,
                               int rank) {
    return {{"name", name}, {"kind", kind}, {"device", device}, {"rank", rank}};
  }

  /// What the argument `lane` counts: the lanes of the trace, then those of launches and of steps.
  [[nodiscard]] OrderedJson lane_table() const {
    OrderedJson lanes = OrderedJson::array();
    for (const Lane& lane : trace_.lanes) {
      lanes.push_back(lane_json(lane.name, name_of(lane.kind), lane.device, lane.rank));
    }
    for (const TraceLaneOrigin& origin : trace_.lane_origins) {
      OrderedJson& lane = lanes[origin.lane];
      lane["role"] = name_of(origin.role);
      lane["process"] = origin.process;
      lane["context"] = origin.context;
      lane["number"] = origin.number;
    }
    for (const int rank : launch_ranks_) {
      const std::string prefix =
          threads_.ranks().size() == 1 ? "" : "rank " + std::to_string(rank) + " ";
      lanes.push_back(lane_json(prefix + "graph launches", "host", 0, rank));
    }
    lanes.push_back(lane_json("steps", "steps", 0, 0));
    return lanes;
  }

  [[nodiscard]] std::size_t launch_lane(int rank) const {
    return trace_.lanes.size() +
           static_cast<std::size_t>(std::distance(launch_ranks_.begin(), launch_ranks_.find(rank)));
  }
  [[nodiscard]] std::size_t step_lane() const { return trace_.lanes.size() + launch_ranks_.size(); }

  void close_events() {
    begin_event();
    out_ += R"("name":"Record Window End","ph":"i","s":"g","pid":"","tid":"","ts":)";
    append_microseconds(out_, last_ns_ - time_.zero_ns);
    out_ += "}\n],\n";
  }

  /// Beside the events, where nobody draws them at time 0.
  void write_untimed() {
    if (trace_.untimed.empty()) return;
    out_ += "\"quintetUntimed\": [";
    any_ = false;
    for (const TraceUntimed& untimed : trace_.untimed) {
      const ChromeWork work = work_of_untimed(untimed);
      begin_complete(args_.category(work), args_.name(work), threads_.of_lane(work.executor_lane),
                     {time_.zero_ns, time_.zero_ns, SliceKind::span, 0});
      args_.append(out_, work);
      out_ += ",\"raw begin ns\":";
      append_number(out_, untimed.raw_begin_ns);
      out_ += ",\"raw end ns\":";
      append_number(out_, untimed.raw_end_ns);
      out_ += "}}";
      if (!pieces_.pass_on()) return;
    }
    out_ += "\n],\n";
  }

  /// The steps, whole: named ranges among the events report less of them.
  void write_steps() {
    out_ += "\"quintetSteps\": [";
    any_ = false;
    for (const TraceStep& step : trace_.steps) {
      begin_step(step, {kHostProcesses, kStepThread});
      out_ += "}}";
      if (!pieces_.pass_on()) return;
    }
    out_ += "\n],\n";
  }

  void close_document() {
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
    const ChromeWork work = work_of_span(trace_, slice.index);
    if (args_.is_started_range(work)) {
      write_started_range(work, slice);
      return;
    }
    const Thread thread = lane_thread(work.executor_lane, slice);
    begin_complete(args_.category(work), args_.name(work), thread, slice);
    args_.append(out_, work);
    out_ += "}}";
    const bool known = work.activity != kWholeTask;
    const ActivityKind kind = known ? trace_.activities[work.activity].kind : ActivityKind::kernel;
    if (kind != ActivityKind::host_range)
      write_flow(kind == ActivityKind::api_call, work.correlation, thread, slice);
  }

  /// A begin and an end of one id: such ranges need not nest.
  void write_started_range(const ChromeWork& work, const Slice& slice) {
    const Thread thread = threads_.of_lane(work.executor_lane);
    for (const bool begins : {true, false}) {
      begin_event();
      out_ += begins ? R"("ph":"b","cat":")" : R"("ph":"e","cat":")";
      out_ += args_.category(work);
      out_ += "\",\"id\":";
      append_number(out_, std::uint64_t{slice.index});
      out_ += ",\"name\":";
      out_ += args_.name(work);
      out_ += ',';
      append_thread(thread);
      append_time(begins ? slice.begin_ns : slice.end_ns);
      if (begins) {
        out_ += ",\"args\":{";
        args_.append(out_, work);
        out_ += '}';
      }
      out_ += '}';
    }
    last_ns_ = std::max(last_ns_, slice.end_ns);
  }

  /// One arrow begins at a call, and one ends at each thing that it launched.
  void write_flow(bool call, std::uint32_t correlation, const Thread& thread, const Slice& slice) {
    if (correlation == 0 || !has_calls_) return;
    if (call && (correlation >= launched_.size() || !launched_[correlation])) return;
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
    append_lane(wait.lane.value());
    append_step(wait.step);
    out_ += "}}";
  }

  void write_launch(const Slice& slice) {
    const TraceLaunch& launch = trace_.launches[slice.index];
    const int rank = trace_.lanes[launch.lane.value()].rank;
    const auto rows =
        launches_.try_emplace(rank, Rows{RowAssigner(RowNesting::contained), kLaunchThread, rank})
            .first;
    const Thread thread = row_thread(rows->second, {threads_.host_process(rank), kLaunchThread},
                                     "graph launches", slice);
    const std::string& graph = trace_.graphs[launch.graph].name;
    // With a correlation it was a call of CUDA's: tools look for its name.
    const bool cuda = launch.correlation != 0;
    begin_complete(cuda ? "cuda_runtime" : "user_annotation",
                   cuda ? "\"cudaGraphLaunch\"" : quoted_json("launch " + graph), thread, slice);
    append_lane(launch_lane(rank));
    if (cuda) {
      out_ += ",\"correlation\":";
      append_number(out_, std::uint64_t{launch.correlation});
    }
    out_ += ",\"graph\":";
    out_ += quoted_json(graph);
    append_step(launch.step);
    out_ += "}}";
    write_flow(true, launch.correlation, thread, slice);
  }

  /// Ranges of the program name the steps of an import already.
  void write_step(const Slice& slice) {
    if (!step_slices_) return;
    const TraceStep& step = trace_.steps[slice.index];
    const int rank = trace_.lanes.empty() ? 0 : trace_.lanes.front().rank;
    begin_step(step,
               row_thread(steps_, {threads_.host_process(rank), kStepThread}, "steps", slice));
    out_ += "}}";
  }

  void begin_step(const TraceStep& step, const Thread& thread) {
    begin_complete("user_annotation", quoted_json("ProfilerStep#" + std::to_string(step.step)),
                   thread, {step.begin_ns, step.end_ns, SliceKind::step, 0});
    append_lane(step_lane());
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
    if (step.correct) {
      out_ += ",\"correct\":";
      append_number(out_, *step.correct);
    }
  }

  void append_lane(std::size_t lane) {
    out_ += "\"lane\":";
    append_number(out_, std::uint64_t{lane});
  }

  void append_step(std::int64_t step) {
    if (step < 0) return;
    out_ += ",\"step\":";
    append_number(out_, step);
  }

  Thread lane_thread(std::uint32_t index, const Slice& slice) {
    const Lane& lane = trace_.lanes[index];
    if (lanes_[index] == nullptr) {
      const bool host = lane.kind == LaneKind::host;
      const RowNesting nesting = host ? RowNesting::contained : RowNesting::none;
      lanes_[index] = std::make_unique<Rows>(
          Rows{RowAssigner(nesting), static_cast<std::int64_t>(index), lane.rank});
    }
    return row_thread(*lanes_[index], threads_.of_lane(index), lane.name, slice);
  }

  Thread row_thread(Rows& rows, Thread first, std::string_view name, const Slice& slice) {
    const std::size_t row = rows.assigner.place(slice.begin_ns, slice.end_ns);
    if (row < rows.threads.size()) return rows.threads[row];
    const Thread thread =
        row == 0 ? first
                 : threads_.claim({first.process,
                                   first.thread + static_cast<std::int64_t>(row + 1) * kRowStride});
    rows.threads.push_back(thread);
    name_process(thread, rows.rank);
    std::string title(name);
    if (row > 0) title += " (row " + std::to_string(row + 1) + ")";
    describe("thread_name", thread, "name", quoted_json(title));
    // Rows of a lane follow it: at most as many as there is room for between two lanes.
    const std::int64_t order = rows.order * kDevicesOfARank + static_cast<std::int64_t>(row);
    describe("thread_sort_index", thread, "sort_index", std::to_string(order));
    return thread;
  }

  void name_process(const Thread& thread, int rank) {
    if (!named_processes_.emplace(thread.process, true).second) return;
    const std::optional<int> device = threads_.device_of(thread.process);
    const Thread process = {thread.process, 0};
    describe("process_name", process, "name", quoted_json("rank " + std::to_string(rank)));
    describe("process_labels", process, "labels",
             device ? quoted_json("GPU " + std::to_string(*device)) : "\"CPU\"");
    // The host above its devices, as Kineto's.
    const std::int64_t order = device ? kHostProcesses + thread.process : rank;
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
  ThreadNumbers threads_;
  std::vector<std::unique_ptr<Rows>> lanes_;  ///< null = no event yet
  std::map<int, Rows> launches_;              ///< by rank
  Rows steps_{RowAssigner(RowNesting::none), kStepThread};
  std::map<std::int64_t, bool> named_processes_;
  std::set<int> launch_ranks_;  ///< that launched graphs
  bool step_slices_ = true;
  std::int64_t last_ns_;
  std::vector<bool> launched_;  ///< by correlation: something that was launched is in the trace
  bool has_calls_ = false;      ///< without them no arrow has a begin
  bool any_ = false;
};

}  // namespace

Result<void> write_chrome_trace(const Trace& trace, const ByteSink& sink) {
  return ChromeWriter(trace, sink).write();
}

}  // namespace quintet
