#include "scenarios/worker/catalog_answers.h"

#include "runtime/host/host_device.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/policy_catalog.h"
#include "scenarios/cli/gpu.h"
#include "scenarios/cli/prepared_scenario.h"

namespace quintet {

DevicesAnswer devices_answer() {
  const HostDevice host = describe_host();
  DevicesAnswer answer;
  WorkerDevice processor;
  processor.executor = "host";
  processor.name = host.processor;
  processor.memory_bytes = host.memory_bytes;
  processor.cores = host.cores;
  processor.versions = {"oneDNN " + host.library};
  answer.devices.push_back(std::move(processor));
  const Result<GpuReport> gpus = describe_gpus();
  if (!gpus) {
    answer.missing.push_back({"cuda", gpus.error().message});
    return answer;
  }
  for (const Gpu& gpu : gpus->gpus) {
    WorkerDevice device;
    device.executor = "cuda";
    device.name = gpu.name;
    device.memory_bytes = gpu.memory_bytes;
    device.multiprocessors = gpu.multiprocessors;
    device.compute_capability = gpu.compute;
    device.versions = {"driver " + gpus->driver, "runtime " + gpus->runtime, "cuDNN " + gpus->cudnn,
                       "cuBLASLt " + gpus->cublaslt, "NCCL " + gpus->nccl};
    answer.devices.push_back(std::move(device));
  }
  return answer;
}

Result<ScenariosAnswer> scenarios_answer() {
  ScenariosAnswer answer;
  for (const BuiltinScenario& entry : scenario_catalog()) {
    const Result<Scenario> scenario = find_scenario(std::string(entry.name));
    if (!scenario) return tl::unexpected(scenario.error());
    answer.scenarios.push_back({scenario->name, scenario->description, scenario->network,
                                scenario->data.dataset, scenario->batch, scenario->epochs,
                                scenario->policy});
  }
  return answer;
}

Result<PoliciesAnswer> policies_answer() {
  PoliciesAnswer answer;
  for (const BuiltinPolicy& entry : policy_catalog()) {
    const Result<StreamPolicy> policy = find_policy(std::string(entry.name));
    if (!policy) return tl::unexpected(policy.error());
    answer.policies.push_back({policy->name, policy->description, std::string(entry.toml)});
  }
  // Those that are computed from a step have no text before there is one.
  for (const ComputedPolicy& entry : computed_catalog())
    answer.policies.push_back({std::string(entry.name), std::string(entry.description), ""});
  return answer;
}

Result<VerifyAnswer> verify_answer(const RunOptions& options) {
  const auto backend = open_backend(options.executor);
  if (!backend) return tl::unexpected(backend.error());
  const auto prepared = prepare_scenario(options.scenario, options.policy, *backend);
  if (!prepared) return tl::unexpected(prepared.error());
  const ExecutionPlan& plan = prepared->session->plan();
  const ProofReport& proof = prepared->proof;
  VerifyAnswer answer;
  answer.scenario = prepared->scenario.name;
  answer.policy = plan.policy;
  for (const Race& race : proof.races) {
    answer.races.push_back(
        {plan.task(race.earlier).name, plan.task(race.later).name, race.text, race.cure});
  }
  for (const SurplusEdge& edge : proof.surplus)
    answer.surplus_edges.push_back(edge.text);
  answer.task_runs = static_cast<std::int64_t>(proof.task_runs);
  answer.conflicting_pairs = static_cast<std::int64_t>(proof.conflicting_pairs);
  answer.edges = static_cast<std::int64_t>(proof.edges);
  answer.proof_ns = proof.elapsed_ns;
  answer.device_bytes = plan.memory.bytes(MemorySpace::device);
  answer.host_bytes = plan.memory.bytes(MemorySpace::host);
  return answer;
}

}  // namespace quintet
