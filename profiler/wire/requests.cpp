#include "profiler/wire/requests.h"

#include <utility>

#include "profiler/wire/field_reader.h"

namespace quintet {

namespace {

/// Of a request without params.
template <class Request>
Result<Request> empty_request(const WireJson& json) {
  const FieldReader reader(json, std::string(Request::kMethod));
  return reader.result(Request{});
}

}  // namespace

WireJson plan_json(const PlanRequest& plan) {
  WireJson json = {{"scenario", plan.scenario}, {"executor", plan.executor}};
  const auto put = [&json](const char* key, const auto& value, bool given) {
    if (given) json[key] = value;
  };
  put("policy", plan.policy, !plan.policy.empty());
  put("policy_toml", plan.policy_toml, !plan.policy_toml.empty());
  put("sync", plan.sync, !plan.sync.empty());
  put("gradients", plan.gradients, !plan.gradients.empty());
  put("step", plan.step, !plan.step.empty());
  put("precision", plan.precision, !plan.precision.empty());
  put("lowering", plan.lowering, !plan.lowering.empty());
  put("batch", plan.batch.value_or(0), plan.batch.has_value());
  put("epochs", plan.epochs.value_or(0), plan.epochs.has_value());
  put("steps", plan.steps.value_or(0), plan.steps.has_value());
  put("resident_input", true, plan.resident_input);
  put("plans", plan.plans, !plan.plans.empty());
  put("plan_search", plan.plan_search, !plan.plan_search.empty());
  return json;
}

PlanRequest read_plan_request(FieldReader& reader) {
  PlanRequest plan;
  plan.scenario = reader.text("scenario");
  plan.policy = reader.optional_text("policy");
  plan.policy_toml = reader.optional_text("policy_toml");
  if (!plan.policy.empty() && !plan.policy_toml.empty()) {
    reader.refuse("policy_toml", "stands beside policy: give one of them");
  }
  plan.sync = reader.optional_text("sync");
  plan.gradients = reader.optional_text("gradients");
  plan.step = reader.optional_text("step");
  plan.precision = reader.optional_text("precision");
  plan.lowering = reader.optional_text("lowering");
  plan.batch = reader.optional_integer("batch", 1);
  plan.epochs = reader.optional_integer("epochs", 1);
  plan.steps = reader.optional_integer("steps", 1);
  plan.resident_input = reader.optional_flag("resident_input");
  plan.executor = reader.text("executor");
  plan.plans = reader.optional_text("plans");
  plan.plan_search = reader.optional_text("plan_search");
  return plan;
}

Result<DevicesRequest> DevicesRequest::from_json(const WireJson& json) {
  return empty_request<DevicesRequest>(json);
}

Result<ScenariosRequest> ScenariosRequest::from_json(const WireJson& json) {
  return empty_request<ScenariosRequest>(json);
}

Result<PoliciesRequest> PoliciesRequest::from_json(const WireJson& json) {
  return empty_request<PoliciesRequest>(json);
}

Result<StopRequest> StopRequest::from_json(const WireJson& json) {
  return empty_request<StopRequest>(json);
}

WireJson DevicesAnswer::to_json() const {
  WireJson there = WireJson::array();
  for (const WorkerDevice& device : devices) {
    there.push_back({{"executor", device.executor},
                     {"name", device.name},
                     {"memory_bytes", device.memory_bytes},
                     {"cores", device.cores},
                     {"multiprocessors", device.multiprocessors},
                     {"compute_capability", device.compute_capability},
                     {"versions", device.versions}});
  }
  WireJson not_there = WireJson::array();
  for (const MissingExecutor& each : missing)
    not_there.push_back({{"executor", each.executor}, {"reason", each.reason}});
  return {{"devices", std::move(there)}, {"missing", std::move(not_there)}};
}

Result<DevicesAnswer> DevicesAnswer::from_json(const WireJson& json) {
  FieldReader reader(json, "devices");
  DevicesAnswer answer;
  reader.objects("devices", [&](FieldReader& row) {
    answer.devices.push_back({row.text("executor"), row.text("name"), row.size("memory_bytes"),
                              row.integer("cores", 0), row.integer("multiprocessors", 0),
                              row.optional_text("compute_capability"),
                              row.optional_texts("versions")});
  });
  reader.objects("missing", [&](FieldReader& row) {
    answer.missing.push_back({row.text("executor"), row.text("reason")});
  });
  return reader.result(std::move(answer));
}

WireJson ScenariosAnswer::to_json() const {
  WireJson list = WireJson::array();
  for (const WorkerScenario& scenario : scenarios) {
    list.push_back({{"name", scenario.name},
                    {"description", scenario.description},
                    {"network", scenario.network},
                    {"dataset", scenario.dataset},
                    {"batch", scenario.batch},
                    {"epochs", scenario.epochs},
                    {"policy", scenario.policy}});
  }
  return {{"scenarios", std::move(list)}};
}

Result<ScenariosAnswer> ScenariosAnswer::from_json(const WireJson& json) {
  FieldReader reader(json, "scenarios");
  ScenariosAnswer answer;
  reader.objects("scenarios", [&](FieldReader& row) {
    answer.scenarios.push_back({row.text("name"), row.text("description"), row.text("network"),
                                row.text("dataset"), row.integer("batch", 1),
                                row.integer("epochs", 1), row.text("policy")});
  });
  return reader.result(std::move(answer));
}

WireJson PoliciesAnswer::to_json() const {
  WireJson list = WireJson::array();
  for (const WorkerPolicy& policy : policies) {
    list.push_back(
        {{"name", policy.name}, {"description", policy.description}, {"toml", policy.toml}});
  }
  return {{"policies", std::move(list)}};
}

Result<PoliciesAnswer> PoliciesAnswer::from_json(const WireJson& json) {
  FieldReader reader(json, "policies");
  PoliciesAnswer answer;
  reader.objects("policies", [&](FieldReader& row) {
    answer.policies.push_back({row.text("name"), row.text("description"), row.text("toml")});
  });
  return reader.result(std::move(answer));
}

WireJson SetPolicyRequest::to_json() const {
  return {{"toml", toml}};
}

Result<SetPolicyRequest> SetPolicyRequest::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  SetPolicyRequest request{reader.text("toml")};
  return reader.result(std::move(request));
}

WireJson SetPolicyAnswer::to_json() const {
  return {{"name", name}};
}

Result<SetPolicyAnswer> SetPolicyAnswer::from_json(const WireJson& json) {
  FieldReader reader(json, "set_policy");
  SetPolicyAnswer answer{reader.text("name")};
  return reader.result(std::move(answer));
}

WireJson RunRequest::to_json() const {
  WireJson json = plan_json(plan);
  if (!record.empty()) json["record"] = record;
  if (!delays.empty()) json["delays"] = delays;
  if (!out.empty()) json["out"] = out;
  if (allow_races) json["allow_races"] = true;
  return json;
}

Result<RunRequest> RunRequest::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  RunRequest request;
  request.plan = read_plan_request(reader);
  request.record = reader.optional_text("record");
  request.delays = reader.optional_texts("delays");
  request.out = reader.optional_text("out");
  request.allow_races = reader.optional_flag("allow_races");
  return reader.result(std::move(request));
}

WireJson RunAnswer::to_json() const {
  return {{"run", run}};
}

Result<RunAnswer> RunAnswer::from_json(const WireJson& json) {
  FieldReader reader(json, "run");
  RunAnswer answer{reader.integer("run", 1)};
  return reader.result(answer);
}

WireJson StopAnswer::to_json() const {
  return {{"stopping", stopping}};
}

Result<StopAnswer> StopAnswer::from_json(const WireJson& json) {
  FieldReader reader(json, "stop");
  StopAnswer answer{reader.flag("stopping")};
  return reader.result(answer);
}

WireJson VerifyRequest::to_json() const {
  return plan_json(plan);
}

Result<VerifyRequest> VerifyRequest::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  VerifyRequest request{read_plan_request(reader)};
  return reader.result(std::move(request));
}

WireJson VerifyAnswer::to_json() const {
  WireJson list = WireJson::array();
  for (const WorkerRace& race : races) {
    list.push_back({{"earlier", race.earlier},
                    {"later", race.later},
                    {"text", race.text},
                    {"cure", race.cure}});
  }
  return {{"scenario", scenario},
          {"policy", policy},
          {"races", std::move(list)},
          {"surplus_edges", surplus_edges},
          {"task_runs", task_runs},
          {"conflicting_pairs", conflicting_pairs},
          {"edges", edges},
          {"proof_ns", proof_ns},
          {"device_bytes", device_bytes},
          {"host_bytes", host_bytes}};
}

Result<VerifyAnswer> VerifyAnswer::from_json(const WireJson& json) {
  FieldReader reader(json, "verify");
  VerifyAnswer answer;
  answer.scenario = reader.text("scenario");
  answer.policy = reader.text("policy");
  reader.objects("races", [&](FieldReader& row) {
    answer.races.push_back(
        {row.text("earlier"), row.text("later"), row.text("text"), row.text("cure")});
  });
  answer.surplus_edges = reader.texts("surplus_edges");
  answer.task_runs = reader.integer("task_runs", 0);
  answer.conflicting_pairs = reader.integer("conflicting_pairs", 0);
  answer.edges = reader.integer("edges", 0);
  answer.proof_ns = reader.integer("proof_ns", 0);
  answer.device_bytes = reader.size("device_bytes");
  answer.host_bytes = reader.size("host_bytes");
  return reader.result(std::move(answer));
}

}  // namespace quintet
