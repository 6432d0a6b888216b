/// What the proof says of a policy under edit, held against the policy that the edits began with.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"
#include "runtime/model/execution_plan.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/stream_policy.h"
#include "viewer/model/mapping/policy_edit.h"

namespace quintet {

/// Plans the run at hand under a policy: a Replanner's plan(). Called from one thread at a time.
using PlanMaker = std::function<Result<ExecutionPlan>(const StreamPolicy&)>;

struct VerdictRace {
  std::string earlier;  ///< tasks, by name
  std::string later;
  std::string region;  ///< "FEATURES"
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string text;                ///< one sentence: who, which bytes, what is missing
  std::string cure;                ///< the edge or wait that would order them
  std::optional<ManualEdge> edge;  ///< the same for a policy file; nothing: no edge of a graph
  bool new_here = true;            ///< the base does not have it
};

/// A wait between streams, whatever the shape of the step.
struct VerdictEdge {
  std::string from;  ///< tasks, by name
  std::string to;
  EdgeRule rule = EdgeRule::conflict;
  std::string reason;
};

struct RegionBytes {
  std::string name;  ///< "FEATURES", "WORKSPACE/COMP_2"
  MemorySpace space = MemorySpace::device;
  std::uint64_t bytes = 0;
  std::int64_t difference = 0;  ///< against the base, in bytes
};

/// What a step would take under the plan.
struct Forecast {
  double step_ns = 0;
  double base_step_ns = 0;             ///< the same prediction of the base
  double error_share = 0;              ///< median error to expect, of step_ns
  std::size_t unpriced = 0;            ///< tasks that no cost is known of
  std::shared_ptr<const Trace> trace;  ///< a few predicted steps, to be drawn
};

enum class VerdictKind : std::uint8_t { race_free, races, no_plan };

struct MappingVerdict {
  VerdictKind kind = VerdictKind::race_free;
  std::optional<Error> error;       ///< why there is no plan
  std::vector<VerdictRace> races;   ///< those that the base does not have come first
  std::vector<VerdictEdge> added;   ///< waits that the base does not need, by name
  std::vector<VerdictEdge> freed;   ///< waits of the base that this does not need
  std::vector<RegionBytes> memory;  ///< every region that holds something here or in the base
  std::uint64_t device_bytes = 0;
  std::int64_t device_difference = 0;
  std::size_t waits = 0;             ///< different waits in all
  std::vector<VerdictEdge> surplus;  ///< waits that order nothing that conflicts, by name
  std::int64_t elapsed_ns = 0;
  std::shared_ptr<const ExecutionPlan> plan;  ///< null where there is none
  std::optional<Forecast> forecast;           ///< made by those who have a model of the device
  std::string why_no_forecast;                ///< otherwise; empty: nobody asked
};

/// Plans and proves; `base` (may be null) is what differences are held against.
MappingVerdict judge(const PlanMaker& maker, const StreamPolicy& policy,
                     const MappingVerdict* base);

/// "race-free, 3 waits more, 1 fewer, -38.0 MiB"; "2 races: ..."; the error in one line.
std::string headline(const MappingVerdict& verdict);

/// "predicted 6.710 -> 6.200 ms (-7.6 %, +- 3.0 %)"; one time where nothing changes; or why there is
/// none; empty where nobody asked.
std::string forecast_text(const MappingVerdict& verdict);

/// The waits of a plan as a policy file lists them: where manual sync begins.
std::vector<ManualEdge> listed_edges(const ExecutionPlan& plan);

/// Whether a move may be dropped where the pointer is.
struct DropAnswer {
  bool allowed = true;
  std::string why;                ///< what the move does, or the race that forbids it
  std::vector<PolicyEdit> cures;  ///< edits that would make it safe, the smallest first
};

/// A move that brings a race, or no plan, is refused; races that the base has too forbid nothing.
DropAnswer drop_answer(const MappingVerdict& verdict, const StreamPolicy& policy);

}  // namespace quintet
