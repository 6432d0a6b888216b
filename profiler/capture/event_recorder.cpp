#include "profiler/capture/event_recorder.h"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "runtime/model/nanos.h"

namespace quintet {

namespace {

constexpr std::int64_t kMostSteps = std::numeric_limits<std::int32_t>::max();

tl::unexpected<Refusal> file_trouble(const Error& error) {
  return tl::unexpected<Refusal>(Refusal{RefusalKind::file, error});
}

tl::unexpected<Refusal> wrong_order(std::string message, std::string cure) {
  return refuse(RefusalKind::order, std::move(message), std::move(cure));
}

/// What to add to the trace's clock to get Unix time.
std::int64_t device_realtime_offset_ns() {
  return std::chrono::duration_cast<Nanos>(std::chrono::system_clock::now().time_since_epoch())
             .count() -
         monotonic_ns();
}

}  // namespace

EventRecorder::EventRecorder(std::unique_ptr<TraceWriter> writer, EventRecorderOptions options)
    : options_(std::move(options)),
      writer_(std::move(writer)),
      device_({options_.mode, options_.windows, NodeSources::driver},
              [this](TraceBatch batch) { add(std::move(batch)); }) {}

Accepted<std::unique_ptr<EventRecorder>> EventRecorder::open(const std::string& path,
                                                             EventRecorderOptions options,
                                                             const OpenDeviceSource& device) {
  Result<std::unique_ptr<TraceWriter>> writer = TraceWriter::create(path);
  if (!writer) return file_trouble(writer.error());
  std::unique_ptr<EventRecorder> recorder(
      new EventRecorder(std::move(*writer), std::move(options)));
  if (const Result<void> opened = recorder->device_.open(device); !opened) {
    recorder->findings_.push_back({Severity::notice, "no_gpu_spans",
                                   "what the GPU did is not recorded: " + to_string(opened.error()),
                                   1});
  }
  return recorder;
}

EventRecorder::~EventRecorder() {
  if (phase_ != Phase::recording) return;
  device_.end();
  queue_->close(std::exchange(pending_, {}));
}

Accepted<void> EventRecorder::check_phase(Phase needed, const char* what) const {
  if (phase_ == needed) return {};
  switch (phase_) {
    case Phase::declaring:
      return wrong_order(fmt::format("cannot {} before the recording starts", what),
                         "declare everything, then start");
    case Phase::recording:
      return wrong_order(fmt::format("cannot {} after the recording has started", what),
                         "declare everything, then start");
    case Phase::finished:
      break;
  }
  return wrong_order(fmt::format("cannot {} in a recording that is finished", what),
                     "open another one");
}

Accepted<void> EventRecorder::check_open(const char* what) const {
  return phase_ == Phase::finished ? check_phase(Phase::recording, what) : Accepted<void>{};
}

Accepted<void> EventRecorder::check_finished(const char* what) {
  const std::lock_guard lock(mutex_);
  if (phase_ == Phase::finished) return {};
  return wrong_order(fmt::format("cannot {} before the recording is finished", what),
                     "finish first");
}

Accepted<void> EventRecorder::start() {
  const std::lock_guard lock(mutex_);
  if (auto open = check_phase(Phase::declaring, "start"); !open) return open;
  Trace plan = declarations_.trace();
  plan.provenance = options_.provenance;
  plan.provenance["clock_realtime_offset_ns"] = std::to_string(device_realtime_offset_ns());
  plan.provenance["record_mode"] = name_of(options_.mode);
  if (auto written = writer_->write_static(plan); !written) {
    // No file is left, and none can be made of this writer.
    phase_ = Phase::finished;
    return file_trouble(written.error());
  }
  queue_ = std::make_unique<BatchQueue<TraceBatch>>(
      options_.most_queued_batches,
      [this](TraceBatch batch) { writer_->append_batch(std::move(batch)); },
      [this] { writer_->heartbeat(); });
  last_push_ns_ = monotonic_ns();
  phase_ = Phase::recording;
  DeviceSpansStart start;
  start.lanes = plan.lanes.size();
  start.tasks = plan.tasks.size();
  for (const TraceGraph& graph : plan.graphs)
    start.graphs.push_back(graph.name);
  start.rank = plan.lanes.empty() ? 0 : plan.lanes.front().rank;
  device_.start(std::move(start));
  return {};
}

Accepted<void> EventRecorder::begin_task(std::uint32_t task, std::optional<std::uint32_t> lane) {
  const std::lock_guard lock(mutex_);
  if (auto open = check_open("begin a task"); !open) return open;
  if (auto known = declarations_.check_task(task); !known) return known;
  if (!lane) {
    const std::optional<LaneId> own = declarations_.trace().tasks[task].policy_lane;
    if (own) lane = own->value();
  }
  const std::string& name = declarations_.trace().tasks[task].name;
  if (!lane) {
    return refuse(RefusalKind::argument, fmt::format("task \"{}\" is on no lane", name),
                  "name its lane as it is declared, or as it begins");
  }
  if (auto known = declarations_.check_lane(*lane); !known) return known;
  Begun& thread = begun();
  if (thread.task) {
    return wrong_order(fmt::format("task \"{}\" begins inside task \"{}\" on one thread", name,
                                   declarations_.trace().tasks[*thread.task].name),
                       "end the one before");
  }
  thread.task = task;
  if (thread.graph && phase_ == Phase::declaring) declarations_.captured(*thread.graph, task);
  device_.begin_task({task, static_cast<std::uint16_t>(*lane), thread.graph.value_or(0), 0, 0});
  return {};
}

Accepted<void> EventRecorder::end_task() {
  const std::lock_guard lock(mutex_);
  if (auto open = check_open("end a task"); !open) return open;
  Begun& thread = begun();
  if (!thread.task) {
    return wrong_order("a task ends and none has begun on this thread",
                       "begin and end a task on one thread");
  }
  thread.task.reset();
  device_.end_task();
  return {};
}

Accepted<void> EventRecorder::begin_graph(std::uint32_t graph) {
  const std::lock_guard lock(mutex_);
  if (auto open = check_open("capture a graph"); !open) return open;
  if (auto known = declarations_.check_graph(graph); !known) return known;
  Begun& thread = begun();
  if (thread.graph)
    return wrong_order("a capture begins inside another on one thread", "end the one before");
  thread.graph = graph;
  if (phase_ == Phase::declaring) {
    declarations_.begin_capture(graph);
  } else {
    ++late_captures_;
  }
  return {};
}

Accepted<void> EventRecorder::end_graph() {
  const std::lock_guard lock(mutex_);
  if (auto open = check_open("end a capture"); !open) return open;
  Begun& thread = begun();
  if (!thread.graph) {
    return wrong_order("a capture ends and none has begun on this thread",
                       "begin and end a capture on one thread");
  }
  thread.graph.reset();
  return {};
}

Accepted<void> EventRecorder::begin_step(std::int64_t step) {
  const std::lock_guard lock(mutex_);
  if (auto open = check_phase(Phase::recording, "begin a step"); !open) return open;
  if (step < 0 || step > kMostSteps) {
    return refuse(RefusalKind::argument, fmt::format("there is no step {}", step),
                  "number steps from 0 upwards");
  }
  if (next_step_ >= 0 && step != next_step_) {
    return wrong_order(fmt::format("step {} begins where step {} is next", step, next_step_),
                       "number steps upwards, by one");
  }
  if (next_step_ < 0) first_step_ = step;
  next_step_ = step + 1;
  device_.begin_step(step - first_step_, step);
  TraceStep row;
  row.step = step;
  row.phase = "train";
  row.begin_ns = monotonic_ns();
  open_steps_.push_back(std::move(row));
  return {};
}

Accepted<void> EventRecorder::end_step(std::int64_t step, const StepResult& result) {
  const std::lock_guard lock(mutex_);
  if (auto open = check_phase(Phase::recording, "end a step"); !open) return open;
  if (open_steps_.empty() || open_steps_.front().step != step) {
    const std::string next = open_steps_.empty()
                                 ? "none is open"
                                 : fmt::format("step {} is next", open_steps_.front().step);
    return wrong_order(fmt::format("step {} ends and {}", step, next),
                       "end each step once, in the order in which they began");
  }
  TraceStep row = open_steps_.front();
  const std::int64_t end_ns = result.end_ns == 0 ? monotonic_ns() : result.end_ns;
  if (end_ns < row.begin_ns) {
    return refuse(RefusalKind::argument,
                  fmt::format("step {} ends {} ns before it begins", step, row.begin_ns - end_ns),
                  "give the end on the recorder's clock");
  }
  if (result.batch < 0 || !std::isfinite(result.learning_rate)) {
    return refuse(RefusalKind::argument,
                  fmt::format("step {} has {} samples and learning rate {}", step, result.batch,
                              result.learning_rate),
                  "give numbers, or 0 where they are unknown");
  }
  open_steps_.erase(open_steps_.begin());
  row.end_ns = end_ns;
  row.batch = result.batch;
  row.loss = result.loss;
  row.learning_rate = result.learning_rate;
  row.recording = device_.recording_of(step - first_step_);
  if (row.loss && !std::isfinite(*row.loss)) {
    row.loss.reset();
    ++non_finite_;
  }
  ++counts_.steps;
  TraceBatch batch;
  batch.steps.push_back(std::move(row));
  add(std::move(batch));
  return {};
}

Accepted<void> EventRecorder::begin_launch(std::uint32_t graph, std::uint32_t lane,
                                           std::int64_t step) {
  const std::lock_guard lock(mutex_);
  if (auto open = check_phase(Phase::recording, "launch a graph"); !open) return open;
  if (auto known = declarations_.check_graph(graph); !known) return known;
  if (auto known = declarations_.check_lane(lane); !known) return known;
  if (step < -1 || step > kMostSteps) {
    return refuse(RefusalKind::argument, fmt::format("there is no step {}", step),
                  "give the step that the launch serves, or -1 before the first");
  }
  Begun& thread = begun();
  if (thread.launch)
    return wrong_order("a launch begins inside another on one thread", "end the one before");
  const std::int64_t now = monotonic_ns();
  const auto served = static_cast<std::int32_t>(step);
  thread.launch = TraceLaunch{graph, LaneId(lane), served, now, now, 0};
  device_.begin_launch({served, static_cast<std::uint16_t>(lane), graph, now});
  return {};
}

Accepted<void> EventRecorder::end_launch() {
  const std::lock_guard lock(mutex_);
  if (auto open = check_phase(Phase::recording, "end a launch"); !open) return open;
  Begun& thread = begun();
  if (!thread.launch) {
    return wrong_order("a launch ends and none has begun on this thread",
                       "begin and end a launch on one thread");
  }
  TraceLaunch launch = *std::exchange(thread.launch, std::nullopt);
  launch.correlation = device_.end_launch();
  launch.end_ns = monotonic_ns();
  TraceBatch batch;
  batch.launches.push_back(launch);
  add(std::move(batch));
  return {};
}

Accepted<void> EventRecorder::host_span(std::uint32_t task, std::uint32_t lane, std::int64_t step,
                                        std::int64_t begin_ns, std::int64_t end_ns) {
  const std::lock_guard lock(mutex_);
  if (auto open = check_phase(Phase::recording, "add a host span"); !open) return open;
  if (auto known = declarations_.check_task(task); !known) return known;
  if (auto known = declarations_.check_lane(lane); !known) return known;
  if (step < -1 || step > kMostSteps || end_ns < begin_ns) {
    return refuse(RefusalKind::argument,
                  fmt::format("a span of step {} lasts from {} to {}", step, begin_ns, end_ns),
                  "give a step or -1, and an end that is not before the begin");
  }
  const auto where = static_cast<std::uint16_t>(lane);
  TraceBatch batch;
  append_span(batch.spans,
              {begin_ns, end_ns, -1, task, static_cast<std::int32_t>(step), where, where});
  add(std::move(batch));
  return {};
}

/// From any thread, the device's too, which must not wait for mutex_: finish() waits for it.
void EventRecorder::add(TraceBatch batch) {
  const std::lock_guard lock(pending_mutex_);
  append(pending_, std::move(batch));
  const bool due = monotonic_ns() - last_push_ns_ >= options_.flush_interval_ns;
  if (queue_ && (due || pending_.spans.size() >= options_.flush_spans)) push_pending();
}

void EventRecorder::push_pending() {
  last_push_ns_ = monotonic_ns();
  const auto spans = static_cast<std::int64_t>(pending_.spans.size() + pending_.untimed.size());
  if (queue_->push(pending_)) {
    pending_ = {};
    return;
  }
  // Later spans refer to the tables, so those stay, as do steps and launches.
  dropped_spans_ += spans;
  pending_.spans = {};
  pending_.untimed = {};
}

/// A step that never ended has no length, so it is told of and not listed.
void EventRecorder::close_steps() {
  unfinished_steps_ = static_cast<std::int64_t>(open_steps_.size());
  open_steps_.clear();
}

Accepted<void> EventRecorder::finish() {
  const std::lock_guard lock(mutex_);
  if (auto open = check_phase(Phase::recording, "finish"); !open) return open;
  close_steps();
  device_.end();
  queue_->close(std::exchange(pending_, {}));
  queue_.reset();
  phase_ = Phase::finished;
  gather_findings();
  if (options_.mode == DeviceRecording::sampled)
    writer_->set_provenance("sampled_windows", std::to_string(device_.sampled_windows()));
  writer_->set_provenance("dropped_spans", std::to_string(dropped_spans_));
  for (const Finding& finding : findings_)
    writer_->add_finding(finding);
  if (auto finished = writer_->finish(); !finished) return file_trouble(finished.error());
  return {};
}

void EventRecorder::gather_findings() {
  for (Finding& finding : device_.findings())
    findings_.push_back(std::move(finding));
  const auto tell = [&](Severity severity, const char* name, std::int64_t count,
                        const std::string& message) {
    if (count > 0) findings_.push_back({severity, name, message, count});
  };
  const StepCalls calls = device_.calls();
  tell(Severity::notice, "allocation_in_step", calls.allocations,
       fmt::format("{} allocations or releases of memory while steps ran", calls.allocations));
  tell(Severity::notice, "host_sync_in_step", calls.host_syncs,
       fmt::format("{} calls while steps ran that wait for the whole device", calls.host_syncs));
  tell(Severity::error, "non_finite_loss", non_finite_,
       fmt::format("the loss of {} steps is no finite number", non_finite_));
  tell(Severity::notice, "late_captures", late_captures_,
       fmt::format("{} captures began after the recording: their work is recorded, their graphs "
                   "do not list it",
                   late_captures_));
  tell(Severity::notice, "unfinished_steps", unfinished_steps_,
       fmt::format("{} steps began and never ended: they are not listed", unfinished_steps_));
  tell(Severity::data_loss, "dropped_spans", dropped_spans_,
       fmt::format("{} spans were dropped: the disk could not keep up", dropped_spans_));
  counts_.dropped_spans = dropped_spans_;
  if (!device_.attached()) return;
  counts_.device_records = device_.counts().records;
  counts_.unattributed = device_.counts().unattributed;
}

}  // namespace quintet
