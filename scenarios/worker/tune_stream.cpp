#include "scenarios/worker/tune_stream.h"

#include <cmath>

#include "runtime/model/nanos.h"
#include "runtime/policy/stream_policy.h"

namespace quintet {

namespace {

constexpr std::int64_t kTuneProgressNs = 100'000'000;

TunedPolicy row_of(const RatedPolicy& rated, bool with_text) {
  TunedPolicy row;
  row.name = rated.policy.name;
  row.origin = name_of(rated.origin);
  row.step = name_of(rated.policy.step);
  row.gradients = name_of(rated.policy.gradients);
  row.step_ns = std::llround(rated.step_ns);
  row.device_bytes = rated.memory_bytes;
  row.race_free = rated.race_free;
  if (with_text) row.toml = save_policy(rated.policy);
  return row;
}

}  // namespace

void TuneStream::on_phase(const std::string& what) {
  message_.what = what;
  tell();
}

void TuneStream::on_progress(const TuneProgress& progress, double seconds) {
  message_.candidates = static_cast<std::int64_t>(progress.candidates);
  message_.seconds = seconds;
  if (std::isfinite(progress.best_ns) &&
      (!message_.best_ns || progress.best_ns < *message_.best_ns)) {
    message_.best_ns = progress.best_ns;
  }
  const bool other = message_.what != progress.what;
  message_.what = progress.what;
  if (other || monotonic_ns() - told_ns_ >= kTuneProgressNs) tell();
}

void TuneStream::tell() {
  told_ns_ = monotonic_ns();
  // The next one says more: none needs to wait for a slow link.
  link_.send_if_room(RpcNotification{std::string(TuningMessage::kMethod), message_.to_json()});
}

TuneAnswer answer_of(const TuneOutcome& outcome) {
  const TuneReport& report = outcome.report;
  TuneAnswer answer;
  answer.recording = outcome.recording;
  answer.recorded_under = outcome.recorded_under;
  if (outcome.recorded_ns > 0) answer.recorded_step_ns = std::llround(outcome.recorded_ns);
  if (outcome.error_share > 0) answer.error_share = outcome.error_share;
  for (const RatedPolicy& each : report.front)
    answer.front.push_back(row_of(each, true));
  for (const RatedPolicy& each : report.known)
    answer.known.push_back(row_of(each, false));
  for (const MeasuredPolicy& each : outcome.measured) {
    answer.measured.push_back(row_of(each.rated, true));
    answer.measured.back().measured_step_ns = each.step_ns;
  }
  answer.bound.path_ns = std::llround(report.bound.path_ns);
  answer.bound.sm_area_ns = std::llround(report.bound.area_ns);
  if (report.bound.bytes_ns > 0) answer.bound.bytes_ns = std::llround(report.bound.bytes_ns);
  answer.bound.issue_ns = std::llround(report.bound.issue_ns);
  answer.candidates = static_cast<std::int64_t>(report.candidates);
  answer.rejected = static_cast<std::int64_t>(report.rejected);
  answer.first_rejected = report.first_rejected;
  answer.unrated = static_cast<std::int64_t>(report.unrated);
  answer.searched = report.searched;
  answer.stopped = outcome.interrupted;
  answer.seconds = outcome.seconds;
  return answer;
}

}  // namespace quintet
