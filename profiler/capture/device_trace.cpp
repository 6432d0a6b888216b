#include "profiler/capture/device_trace.h"

#include <fmt/format.h>
#include <utility>

#include "runtime/model/nanos.h"

namespace quintet {

namespace {

/// Beyond it the two clocks have been set against each other during the run.
constexpr std::int64_t kClockSlackNs = 100'000;

}  // namespace

DeviceTrace::DeviceTrace(const DeviceTraceOptions& options, Deliver deliver)
    : options_(options), deliver_(std::move(deliver)), sampling_(options.mode, options.windows) {}

DeviceTrace::~DeviceTrace() = default;

Result<void> DeviceTrace::open(const OpenDeviceSource& open) {
  if (options_.mode == DeviceRecording::off) return {};
  Result<std::unique_ptr<DeviceSource>> source = open(*this);
  if (!source) return tl::unexpected(source.error());
  source_ = std::move(*source);
  // Before anything is instantiated: a graph that is older than the wish crashes the driver at its
  // next launch. What comes before the first step is left out by its correlation.
  if (options_.mode == DeviceRecording::graph) source_->start_graphs();
  return {};
}

void DeviceTrace::begin_task(const NodeOwner& owner) {
  const std::lock_guard lock(issuers_mutex_);
  issuers_[std::this_thread::get_id()].task = owner;
}

void DeviceTrace::end_task() {
  const std::lock_guard lock(issuers_mutex_);
  issuers_[std::this_thread::get_id()].task.reset();
}

void DeviceTrace::captured(std::uint64_t node, const NodeOwner& owner) {
  const std::lock_guard lock(nodes_mutex_);
  nodes_.captured(node, owner);
}

void DeviceTrace::node_created(std::uint64_t node) {
  std::optional<NodeOwner> owner;
  {
    const std::lock_guard lock(issuers_mutex_);
    const auto issuer = issuers_.find(std::this_thread::get_id());
    if (issuer != issuers_.end()) owner = issuer->second.task;
  }
  const std::lock_guard lock(nodes_mutex_);
  switch (options_.sources) {
    case NodeSources::driver:
      if (owner) nodes_.captured(node, *owner);
      return;
    case NodeSources::driver_and_frontier:
      nodes_.created(node, owner ? std::optional(owner->task) : std::nullopt);
      return;
  }
}

void DeviceTrace::node_cloned(std::uint64_t original, std::uint64_t node) {
  const std::lock_guard lock(nodes_mutex_);
  nodes_.cloned(original, node);
}

void DeviceTrace::start(DeviceSpansStart start) {
  started_ = true;
  if (!source_) return;
  start.unix_offset_ns = source_->clock_ns() - monotonic_ns();
  compare_clocks(monotonic_ns());
  start.legacy_stream = source_->legacy_stream_id();
  start.limits = source_->limits();
  {
    // What was delivered before is of no run.
    const std::lock_guard lock(nodes_mutex_);
    spans_ = std::make_unique<DeviceSpans>(std::move(start));
  }
  if (options_.mode == DeviceRecording::node) trace_nodes(true);
}

/// Reads both clocks a few times and keeps the reading that took least: the shorter it is, the less
/// the two can be apart.
void DeviceTrace::compare_clocks(std::int64_t now_ns) {
  constexpr int kReadings = 4;
  compared_ns_ = now_ns;
  std::optional<TraceClockPair> best;
  for (int reading = 0; reading < kReadings; ++reading) {
    const std::int64_t before = monotonic_ns();
    const std::int64_t clock = source_->clock_ns();
    const std::int64_t width = monotonic_ns() - before;
    if (clock > 0 && (!best || width < best->width_ns))
      best = TraceClockPair{kDeviceClock, clock, before + width / 2, width};
  }
  if (!best) return;
  const std::lock_guard lock(issuers_mutex_);
  pairs_.push_back(*best);
}

void DeviceTrace::trace_nodes(bool on) {
  if (on) {
    source_->start_nodes();
  } else {
    source_->stop_nodes();
  }
  tracing_nodes_ = on;
}

void DeviceTrace::begin_step(std::int64_t ordinal, std::int64_t step) {
  const std::int64_t now_ns = monotonic_ns();
  const StepSampling::Action action = sampling_.step(ordinal, now_ns);
  if (source_ && started_ && now_ns - compared_ns_ >= options_.clock_period_ns)
    compare_clocks(now_ns);
  if (source_) switch_tracing(action);
  step_ = static_cast<std::int32_t>(step);
  // The first step still sets things up.
  if (ordinal == 1) counting_ = true;
}

void DeviceTrace::switch_tracing(StepSampling::Action action) {
  if (action == StepSampling::Action::none) return;
  const bool counting = counting_.exchange(false);
  // Work in flight would be recorded in part.
  source_->synchronize();
  trace_nodes(action == StepSampling::Action::start);
  if (action == StepSampling::Action::stop) source_->flush(false);
  counting_ = counting;
}

StepRecording DeviceTrace::recording_of(std::int64_t ordinal) const {
  return source_ ? sampling_.recording_of(ordinal) : StepRecording::none;
}

void DeviceTrace::begin_launch(const LaunchNote& note) {
  const std::lock_guard lock(issuers_mutex_);
  Issuer& issuer = issuers_[std::this_thread::get_id()];
  issuer.launch = note;
  issuer.launched = 0;
  if (tracing_nodes_ || options_.mode == DeviceRecording::graph) ++issued_;
}

std::uint32_t DeviceTrace::end_launch() {
  const std::lock_guard lock(issuers_mutex_);
  Issuer& issuer = issuers_[std::this_thread::get_id()];
  issuer.launch.reset();
  return std::exchange(issuer.launched, 0);
}

void DeviceTrace::graph_launched(std::uint32_t correlation) {
  const std::lock_guard lock(issuers_mutex_);
  const auto issuer = issuers_.find(std::this_thread::get_id());
  if (issuer == issuers_.end() || !issuer->second.launch) return;
  issuer->second.launched = correlation;
  // Of other launches no record will come.
  if (!tracing_nodes_ && options_.mode != DeviceRecording::graph) return;
  launches_.push_back({correlation, *issuer->second.launch});
}

void DeviceTrace::work_enqueued(std::uint32_t correlation) {
  if (!tracing_nodes_.load(std::memory_order_relaxed)) return;
  CallNote note;
  note.step = step_.load(std::memory_order_relaxed);
  note.begin_ns = monotonic_ns();
  const std::lock_guard lock(issuers_mutex_);
  const auto issuer = issuers_.find(std::this_thread::get_id());
  if (issuer != issuers_.end() && issuer->second.task) {
    note.task = issuer->second.task->task;
    note.lane = issuer->second.task->lane;
  }
  calls_.push_back({correlation, note});
  ++issued_;
}

void DeviceTrace::driver_called(DriverCall call) {
  if (!counting_.load(std::memory_order_relaxed)) return;
  switch (call) {
    case DriverCall::allocation:
      allocations_.fetch_add(1, std::memory_order_relaxed);
      return;
    case DriverCall::host_sync:
      host_syncs_.fetch_add(1, std::memory_order_relaxed);
      return;
  }
}

void DeviceTrace::recorded(std::span<const DeviceRecord> records) {
  std::vector<Launch> launches;
  std::vector<Call> calls;
  std::vector<TraceClockPair> pairs;
  TraceBatch batch;
  {
    const std::lock_guard lock(nodes_mutex_);
    if (!spans_) return;
    {
      const std::lock_guard issuers_lock(issuers_mutex_);
      launches.swap(launches_);
      calls.swap(calls_);
      pairs.swap(pairs_);
    }
    for (const TraceClockPair& pair : pairs)
      spans_->calibrate(pair);
    for (const Launch& launch : launches)
      spans_->launched(launch.correlation, launch.note);
    for (const Call& call : calls)
      spans_->called(call.correlation, call.note);
    for (const DeviceRecord& record : records)
      spans_->add(record, nodes_);
    batch = spans_->take();
  }
  deliver_(std::move(batch));
}

void DeviceTrace::overhead(std::span<const OverheadRecord> records) {
  TraceBatch batch;
  {
    const std::lock_guard lock(nodes_mutex_);
    if (!spans_) return;
    for (const OverheadRecord& record : records)
      spans_->add(record);
    batch = spans_->take();
  }
  deliver_(std::move(batch));
}

void DeviceTrace::end() {
  counting_ = false;
  if (!source_ || !started_) return;
  source_->synchronize();
  compare_clocks(monotonic_ns());
  if (options_.mode == DeviceRecording::graph) {
    source_->stop_graphs();
  } else {
    trace_nodes(false);
  }
  source_->flush(true);
  source_->drain();
  recorded({});  // what was noted after the last records
}

std::vector<Finding> DeviceTrace::findings() const {
  if (!source_ || !spans_) return {};
  std::vector<Finding> findings = spans_->findings();
  const auto tell = [&](Severity severity, const char* name, std::int64_t count,
                        const std::string& message) {
    if (count != 0) findings.push_back({severity, name, message, count});
  };
  const std::optional<std::int64_t> dropped = source_->dropped();
  tell(Severity::data_loss, "dropped_records", dropped.value_or(0),
       fmt::format("the driver dropped {} records for want of a buffer", dropped.value_or(0)));
  tell(Severity::data_loss, "dropped_records_unknown", dropped ? 0 : 1,
       "the driver would not say how many records it dropped");
  tell(Severity::data_loss, "invalid_records", source_->invalid(),
       fmt::format("{} buffers of the driver could not be read to their end", source_->invalid()));
  const auto mismatches = static_cast<std::int64_t>(nodes_.mismatches());
  tell(Severity::error, "attribution_mismatch", mismatches,
       fmt::format("of {} graph nodes the capture and the driver disagree whose they are",
                   mismatches));
  const ClockMap& clock = spans_->clock();
  tell(Severity::notice, "clock_drift", clock.most_drift_ns() > kClockSlackNs ? 1 : 0,
       fmt::format("host and device clocks moved {} ns against each other during the run, {} ns at "
                   "most: times were mapped through {} readings of both",
                   clock.drift_ns(), clock.most_drift_ns(), clock.pairs().size()));
  tell(Severity::error, "no_device_records", spans_->counts().records == 0 && issued_ > 0 ? 1 : 0,
       "work was given to the device and the driver told of nothing that it did");
  for (const std::string& failure : source_->failures())
    findings.push_back({Severity::error, "cupti_failure", failure, 1});
  return findings;
}

}  // namespace quintet
