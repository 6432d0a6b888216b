#include "profiler/wire/tune_messages.h"

#include <utility>

#include "profiler/wire/field_reader.h"

namespace quintet {

namespace {

constexpr std::int64_t kMostMeasured = 100;

WireJson policies_json(const std::vector<TunedPolicy>& policies) {
  WireJson list = WireJson::array();
  for (const TunedPolicy& policy : policies) {
    list.push_back({{"name", policy.name},
                    {"origin", policy.origin},
                    {"step", policy.step},
                    {"gradients", policy.gradients},
                    {"step_ns", policy.step_ns},
                    {"device_bytes", policy.device_bytes},
                    {"race_free", policy.race_free},
                    {"toml", policy.toml},
                    {"measured_step_ns", or_null(policy.measured_step_ns)}});
  }
  return list;
}

std::vector<TunedPolicy> read_policies(FieldReader& reader, const char* key) {
  std::vector<TunedPolicy> policies;
  reader.objects(key, [&](FieldReader& row) {
    TunedPolicy policy;
    policy.name = row.text("name");
    policy.origin = row.text("origin");
    policy.step = row.text("step");
    policy.gradients = row.text("gradients");
    policy.step_ns = row.integer("step_ns", 0);
    policy.device_bytes = row.size("device_bytes");
    policy.race_free = row.flag("race_free");
    policy.toml = row.optional_text("toml");
    policy.measured_step_ns = row.optional_integer("measured_step_ns", 0);
    policies.push_back(std::move(policy));
  });
  return policies;
}

}  // namespace

WireJson TuneRequest::to_json() const {
  WireJson json = plan_json(plan);
  if (candidates) json["candidates"] = *candidates;
  if (seconds) json["seconds"] = *seconds;
  if (seed) json["seed"] = *seed;
  if (most_memory_mib) json["most_memory_mib"] = *most_memory_mib;
  if (measure) json["measure"] = *measure;
  return json;
}

Result<TuneRequest> TuneRequest::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  TuneRequest request;
  request.plan = read_plan_request(reader);
  request.candidates = reader.optional_integer("candidates", 1);
  request.seconds = reader.optional_real("seconds");
  if (request.seconds && *request.seconds <= 0) reader.refuse("seconds", "is not above 0");
  request.seed = reader.optional_integer("seed", 0);
  request.most_memory_mib =
      reader.optional_integer("most_memory_mib", 1, FieldReader::kMost >> 20U);
  request.measure = reader.optional_integer("measure", 1, kMostMeasured);
  return reader.result(std::move(request));
}

WireJson TuneAnswer::to_json() const {
  return {{"recording", recording},
          {"recorded_under", recorded_under},
          {"recorded_step_ns", or_null(recorded_step_ns)},
          {"error_share", finite_or_null(error_share)},
          {"front", policies_json(front)},
          {"known", policies_json(known)},
          {"measured", policies_json(measured)},
          {"bound",
           {{"path_ns", bound.path_ns},
            {"sm_area_ns", bound.sm_area_ns},
            {"bytes_ns", or_null(bound.bytes_ns)},
            {"issue_ns", bound.issue_ns}}},
          {"candidates", candidates},
          {"rejected", rejected},
          {"first_rejected", first_rejected},
          {"unrated", unrated},
          {"searched", searched},
          {"stopped", stopped},
          {"seconds", seconds}};
}

Result<TuneAnswer> TuneAnswer::from_json(const WireJson& json) {
  FieldReader reader(json, "tune");
  TuneAnswer answer;
  answer.recording = reader.text("recording");
  answer.recorded_under = reader.text("recorded_under");
  answer.recorded_step_ns = reader.optional_integer("recorded_step_ns", 0);
  answer.error_share = reader.optional_real("error_share");
  answer.front = read_policies(reader, "front");
  answer.known = read_policies(reader, "known");
  answer.measured = read_policies(reader, "measured");
  reader.object("bound", [&](FieldReader& bound) {
    answer.bound.path_ns = bound.integer("path_ns", 0);
    answer.bound.sm_area_ns = bound.integer("sm_area_ns", 0);
    answer.bound.bytes_ns = bound.optional_integer("bytes_ns", 0);
    answer.bound.issue_ns = bound.integer("issue_ns", 0);
  });
  answer.candidates = reader.integer("candidates", 0);
  answer.rejected = reader.integer("rejected", 0);
  answer.first_rejected = reader.optional_text("first_rejected");
  answer.unrated = reader.integer("unrated", 0);
  answer.searched = reader.flag("searched");
  answer.stopped = reader.flag("stopped");
  answer.seconds = reader.real("seconds");
  return reader.result(std::move(answer));
}

WireJson TuningMessage::to_json() const {
  return {{"what", what},
          {"candidates", candidates},
          {"best_ns", finite_or_null(best_ns)},
          {"seconds", seconds}};
}

Result<TuningMessage> TuningMessage::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  TuningMessage message;
  message.what = reader.text("what");
  message.candidates = reader.integer("candidates", 0);
  message.best_ns = reader.optional_real("best_ns");
  message.seconds = reader.real("seconds");
  return reader.result(std::move(message));
}

}  // namespace quintet
