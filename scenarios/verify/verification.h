/// What `quintet verify` says of one plan: the proof with its consequences, for people and for
/// programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"
#include "runtime/policy/hazard_proof.h"
#include "scenarios/verify/lost_concurrency.h"

namespace quintet {

struct Verification {
  std::string subject;  ///< "generated-lenet under serial"
  ExecutionPlan plan;
  ProofReport proof;
  std::vector<std::vector<std::string>> race_tensors;  ///< per race, what lies at its bytes
  std::vector<SurplusCost> surplus;                    ///< as ProofReport::surplus
  std::vector<GraphConcurrency> graphs;
  bool as_recorded = false;  ///< the plan is what a recording holds
};

/// `recorded` (may be null): the recording whose very plan it is.
Verification verification_of(std::string subject, ExecutionPlan plan, ProofReport proof,
                             const Trace* recorded);

/// Races with tasks, bytes, tensors and cure; waits that order nothing with what they cost; how wide
/// the graphs are. Without the verdict's first line.
std::string text_of(const Verification& verification);
/// The fields of the object "quintet.verify", without head and verdict.
nlohmann::ordered_json json_of(const Verification& verification);

}  // namespace quintet
