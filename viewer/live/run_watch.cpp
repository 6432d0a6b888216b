#include "viewer/live/run_watch.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "profiler/wire/batch_message.h"
#include "profiler/wire/plan_message.h"

namespace quintet {

void RunWatch::asked() {
  live_.clear();
  state_ = RunState::starting;
  run_ = 0;
  progress_.reset();
  done_.reset();
  metrics_.clear();
  error_.reset();
  recording_.clear();
  next_sequence_ = 0;
  missing_batches_ = 0;
  unsent_spans_ = 0;
}

void RunWatch::accepted(const RunAnswer& answer) {
  run_ = answer.run;
}

void RunWatch::refused(const Error& error) {
  state_ = RunState::failed;
  error_ = error;
}

void RunWatch::stop_asked() {
  if (state_ == RunState::starting || state_ == RunState::running) state_ = RunState::stopping;
}

bool RunWatch::under_way() const {
  return state_ == RunState::starting || state_ == RunState::running ||
         state_ == RunState::stopping;
}

/// Nothing where it makes no sense; then it is counted and told.
template <class Message>
std::optional<Message> RunWatch::read(const RpcNotification& message) {
  Result<Message> read = Message::from_json(message.params);
  if (read) return std::move(*read);
  ++bad_messages_;
  log_(Severity::data_loss, "a message of the worker makes no sense: " + read.error().message);
  return std::nullopt;
}

bool RunWatch::of_this_run(std::int64_t run) {
  if (under_way() && run == run_) return true;
  ++other_messages_;
  return false;
}

/// Of spans and steps: what was sent before and is not here was lost on the way.
void RunWatch::expect(std::int64_t sequence) {
  if (sequence > next_sequence_) missing_batches_ += sequence - next_sequence_;
  next_sequence_ = std::max(next_sequence_, sequence + 1);
}

void RunWatch::take(const RpcNotification& message) {
  if (message.method == HelloMessage::kMethod) {
    if (auto hello = read<HelloMessage>(message)) hello_ = std::move(hello);
  } else if (message.method == LogMessage::kMethod) {
    if (auto line = read<LogMessage>(message)) log_(line->severity, std::move(line->text));
  } else if (message.method == TuningMessage::kMethod) {
    if (auto tuning = read<TuningMessage>(message)) tuning_ = std::move(tuning);
  } else {
    take_of_run(message);
  }
}

void RunWatch::take_of_run(const RpcNotification& message) {
  if (message.method == ProgressMessage::kMethod) {
    auto progress = read<ProgressMessage>(message);
    if (!progress || !of_this_run(progress->run)) return;
    const bool trains = progress->phase == RunPhase::training;
    if (trains && state_ == RunState::starting) state_ = RunState::running;
    progress_ = std::move(progress);
  } else if (message.method == TaskGraphMessage::kMethod) {
    auto graph = read<TaskGraphMessage>(message);
    if (!graph || !of_this_run(graph->run)) return;
    recording_ = std::move(graph->recording);
    live_.begin(std::move(graph->plan));
  } else if (message.method == SpansMessage::kMethod) {
    auto spans = read<SpansMessage>(message);
    if (!spans || !of_this_run(spans->run)) return;
    expect(spans->sequence);
    unsent_spans_ = spans->unsent_spans;
    live_.append(std::move(spans->batch));
  } else if (message.method == StepsMessage::kMethod) {
    auto steps = read<StepsMessage>(message);
    if (!steps || !of_this_run(steps->run)) return;
    expect(steps->sequence);
    TraceBatch batch;
    batch.steps = std::move(steps->steps);
    live_.append(std::move(batch));
  } else if (message.method == MetricsMessage::kMethod) {
    auto metrics = read<MetricsMessage>(message);
    if (metrics && of_this_run(metrics->run)) metrics_ = std::move(metrics->metrics);
  } else if (message.method == DoneMessage::kMethod) {
    auto done = read<DoneMessage>(message);
    if (done && of_this_run(done->run)) take_done(std::move(*done));
  } else if (message.method == RunErrorMessage::kMethod) {
    auto error = read<RunErrorMessage>(message);
    if (!error || !of_this_run(error->run)) return;
    end_trace(RecordingState::abandoned, {}, std::nullopt,
              Finding{Severity::data_loss, "run_failed", to_string(error->error), 1});
    refused(error->error);
  } else {
    ++other_messages_;
  }
}

void RunWatch::take_done(DoneMessage message) {
  unsent_spans_ = message.unsent_spans;
  if (!message.recording.empty()) recording_ = message.recording;
  state_ = !message.ran          ? RunState::refused
           : message.interrupted ? RunState::stopped
                                 : RunState::finished;
  const RecordingState recording =
      message.recording_error ? RecordingState::abandoned : RecordingState::complete;
  end_trace(recording, message.provenance, message.findings, std::nullopt);
  done_ = std::move(message);
}

void RunWatch::worker_ended(const Error& why) {
  hello_.reset();
  if (!under_way()) return;
  end_trace(RecordingState::abandoned, {}, std::nullopt,
            Finding{Severity::data_loss, "worker_crashed",
                    fmt::format("{}; this is what had arrived", why.message), 1});
  state_ = RunState::crashed;
  error_ = why;
}

std::vector<Finding> RunWatch::findings_of_the_way() const {
  std::vector<Finding> findings;
  const auto add = [&](const char* name, std::int64_t count, const char* what) {
    if (count > 0) {
      findings.push_back({Severity::data_loss, name, fmt::format("{} {}", count, what), count});
    }
  };
  add("unsent_spans", unsent_spans_,
      "spans are in the recording and not here: the link was too slow");
  add("missing_batches", missing_batches_, "messages with spans or steps did not arrive");
  add("damaged_spans", live_.senseless().spans, "spans make no sense and were left out");
  add("damaged_rows", live_.senseless().rows,
      "steps, waits, launches or untimed activities make no sense and were left out");
  add("spans_beyond_limit", live_.left_out_spans(),
      "spans are in the recording and not here: more than a live trace holds");
  return findings;
}

void RunWatch::end_trace(RecordingState state, Provenance provenance,
                         std::optional<std::vector<Finding>> findings,
                         std::optional<Finding> crash) {
  std::vector<Finding> more = findings_of_the_way();
  if (crash) more.push_back(std::move(*crash));
  live_.end({state, std::move(provenance), std::move(findings), std::move(more)});
}

void RunWatch::tell(ClientStatus& status) const {
  status.run = state_;
  status.hello = hello_ ? hello_ : status.hello;
  status.progress = progress_;
  status.done = done_;
  status.metrics = metrics_;
  status.tuning = tuning_;
  status.run_error = error_;
  status.recording = recording_;
  status.counts.bad_messages = bad_messages_;
  status.counts.other_messages = other_messages_;
  status.counts.missing_batches = missing_batches_;
  status.counts.unsent_spans = unsent_spans_;
}

}  // namespace quintet
