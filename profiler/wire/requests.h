/// What a viewer asks of a worker and how that answers: the methods of the protocol, as structs.
/// Each request has its method's name, params and back; each answer its result and back. from_json refuses what
/// is missing, of another type or out of bounds, by name, and passes over keys that it does not know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/wire/rpc_message.h"
#include "runtime/model/result.h"

namespace quintet {

/// One thing that can run tasks.
struct WorkerDevice {
  std::string executor;  ///< host or cuda
  std::string name;
  std::uint64_t memory_bytes = 0;
  std::int64_t cores = 0;             ///< host; 0 = a GPU
  std::int64_t multiprocessors = 0;   ///< GPU; 0 = a host
  std::string compute_capability;     ///< GPU: "9.0"
  std::vector<std::string> versions;  ///< "oneDNN 2.6.3", "cuDNN 9.1"
};

/// An executor that is not there, and why.
struct MissingExecutor {
  std::string executor;
  std::string reason;
};

struct DevicesAnswer {
  std::vector<WorkerDevice> devices;
  std::vector<MissingExecutor> missing;

  [[nodiscard]] WireJson to_json() const;
  static Result<DevicesAnswer> from_json(const WireJson& json);
};

struct DevicesRequest {
  static constexpr std::string_view kMethod = "devices";
  using Answer = DevicesAnswer;
  [[nodiscard]] WireJson to_json() const { return WireJson::object(); }
  static Result<DevicesRequest> from_json(const WireJson& json);
};

/// A scenario that is built in.
struct WorkerScenario {
  std::string name;
  std::string description;
  std::string network;
  std::string dataset;
  std::int64_t batch = 0;
  std::int64_t epochs = 0;
  std::string policy;
};

struct ScenariosAnswer {
  std::vector<WorkerScenario> scenarios;

  [[nodiscard]] WireJson to_json() const;
  static Result<ScenariosAnswer> from_json(const WireJson& json);
};

struct ScenariosRequest {
  static constexpr std::string_view kMethod = "scenarios";
  using Answer = ScenariosAnswer;
  [[nodiscard]] WireJson to_json() const { return WireJson::object(); }
  static Result<ScenariosRequest> from_json(const WireJson& json);
};

/// A policy that is built in, with the text of its file.
struct WorkerPolicy {
  std::string name;
  std::string description;
  std::string toml;
};

struct PoliciesAnswer {
  std::vector<WorkerPolicy> policies;

  [[nodiscard]] WireJson to_json() const;
  static Result<PoliciesAnswer> from_json(const WireJson& json);
};

struct PoliciesRequest {
  static constexpr std::string_view kMethod = "policies";
  using Answer = PoliciesAnswer;
  [[nodiscard]] WireJson to_json() const { return WireJson::object(); }
  static Result<PoliciesRequest> from_json(const WireJson& json);
};

struct SetPolicyAnswer {
  std::string name;  ///< of the policy; empty where none is set any more

  [[nodiscard]] WireJson to_json() const;
  static Result<SetPolicyAnswer> from_json(const WireJson& json);
};

/// The policy of every later run and verify that names none. An empty text unsets it.
struct SetPolicyRequest {
  static constexpr std::string_view kMethod = "set_policy";
  using Answer = SetPolicyAnswer;
  std::string toml;  ///< what a policy file holds

  [[nodiscard]] WireJson to_json() const;
  static Result<SetPolicyRequest> from_json(const WireJson& json);
};

/// What is planned: scenario, policy and their knobs. Empty or nothing: as scenario and policy say.
struct PlanRequest {
  std::string scenario;     ///< name, or path on the worker's machine
  std::string policy;       ///< the same
  std::string policy_toml;  ///< the text of a policy, in place of `policy`
  std::string sync;
  std::string gradients;
  std::string step;
  std::string precision;
  std::string lowering;
  std::optional<std::int64_t> batch;
  std::optional<std::int64_t> epochs;
  std::optional<std::int64_t> steps;  ///< of training, at most
  bool resident_input = false;
  std::string executor = "host";  ///< host or cuda
  std::string plans;              ///< cuda: the file of its plans; empty = in the cache folder
  std::string plan_search;        ///< cuda: first or measured

  friend bool operator==(const PlanRequest&, const PlanRequest&) = default;
};

class FieldReader;

/// A plan among the params of a request, and back; faults are the reader's.
WireJson plan_json(const PlanRequest& plan);
PlanRequest read_plan_request(FieldReader& reader);

struct RunAnswer {
  std::int64_t run = 0;  ///< its number, from 1; notifications carry it

  [[nodiscard]] WireJson to_json() const;
  static Result<RunAnswer> from_json(const WireJson& json);
};

/// Trains and records; answered as soon as the run has been taken on. One run at a time.
struct RunRequest {
  static constexpr std::string_view kMethod = "run";
  using Answer = RunAnswer;
  PlanRequest plan;
  std::string record;               ///< of a GPU: off, graph, node or sampled
  std::vector<std::string> delays;  ///< LAYER=MICROSECONDS
  std::string out;                  ///< the recording; empty = SCENARIO-POLICY.qtrace
  bool allow_races = false;

  [[nodiscard]] WireJson to_json() const;
  static Result<RunRequest> from_json(const WireJson& json);
  friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

struct StopAnswer {
  bool stopping = false;  ///< false: nothing ran

  [[nodiscard]] WireJson to_json() const;
  static Result<StopAnswer> from_json(const WireJson& json);
};

/// Ends the run after the step that it is in; its recording is completed.
struct StopRequest {
  static constexpr std::string_view kMethod = "stop";
  using Answer = StopAnswer;
  [[nodiscard]] WireJson to_json() const { return WireJson::object(); }
  static Result<StopRequest> from_json(const WireJson& json);
};

/// One race of the proof.
struct WorkerRace {
  std::string earlier;  ///< task names
  std::string later;
  std::string text;
  std::string cure;
};

struct VerifyAnswer {
  std::string scenario;
  std::string policy;
  std::vector<WorkerRace> races;
  std::vector<std::string> surplus_edges;  ///< a sentence each
  std::int64_t task_runs = 0;
  std::int64_t conflicting_pairs = 0;
  std::int64_t edges = 0;
  std::int64_t proof_ns = 0;
  std::uint64_t device_bytes = 0;
  std::uint64_t host_bytes = 0;

  [[nodiscard]] bool race_free() const { return races.empty(); }
  [[nodiscard]] WireJson to_json() const;
  static Result<VerifyAnswer> from_json(const WireJson& json);
};

/// The race proof of a plan; nothing runs. Refused while a run goes on, whose times it would spoil.
struct VerifyRequest {
  static constexpr std::string_view kMethod = "verify";
  using Answer = VerifyAnswer;
  PlanRequest plan;

  [[nodiscard]] WireJson to_json() const;
  static Result<VerifyRequest> from_json(const WireJson& json);
};

}  // namespace quintet
