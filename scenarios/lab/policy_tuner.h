/// The best policies for a run in the model of its recording: every policy that is known, then what a
/// search makes of them, planned and proved.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/whatif/cost_model.h"
#include "runtime/model/result.h"
#include "runtime/policy/stream_policy.h"
#include "scenarios/lab/replanner.h"
#include "scenarios/lab/step_bound.h"

namespace quintet {

/// Policies that a measured winner has to beat, however fast they were predicted.
inline constexpr std::array<std::string_view, 2> kYardsticks = {"serial", "renaissance"};

/// Where a policy comes from.
enum class PolicyOrigin : std::uint8_t { recording, built_in, computed, search };

constexpr std::string_view name_of(PolicyOrigin origin) {
  switch (origin) {
    case PolicyOrigin::recording:
      return "recording";
    case PolicyOrigin::built_in:
      return "built-in";
    case PolicyOrigin::computed:
      return "computed";
    case PolicyOrigin::search:
      return "search";
  }
  return {};
}

/// A policy with what its plan would take.
struct RatedPolicy {
  StreamPolicy policy;
  PolicyOrigin origin = PolicyOrigin::built_in;
  double step_ns = 0;              ///< predicted from its plan
  std::uint64_t memory_bytes = 0;  ///< on the device
  bool race_free = false;          ///< what the proof says of its plan
};

/// By the plan of the policy; proved as well. Errors: those of plan, prediction and proof.
Result<RatedPolicy> rate_policy(const Replanner& run, const CostModel& costs, StreamPolicy policy,
                                PolicyOrigin origin);

/// What a tuning is at. It goes through `parts` parts; each is stopped by itself.
struct TuneProgress {
  std::string_view what;  ///< "known policies", "separate", "in_place", "proof"
  int part = 0;
  int parts = 1;
  std::uint64_t candidates = 0;  ///< of all parts
  double best_ns = 0;            ///< infinite as long as there is none
};

/// Asked every few milliseconds; false ends the part.
using KeepTuning = std::function<bool(const TuneProgress&)>;

struct TuneOptions {
  /// Mappings to simulate before the best are polished; 0 = until told to stop.
  std::uint64_t candidates = 0;
  std::uint64_t seed = 1;
  std::uint64_t most_memory_bytes = std::numeric_limits<std::uint64_t>::max();
  std::string name = "tuned";  ///< of the policies found
};

struct TuneReport {
  /// The recorded, the built-in and the computed policies in every gradient and step mode, by time.
  std::vector<RatedPolicy> known;
  /// Race-free and within the limit, by time: no other policy that was found or known is better in
  /// both time and bytes. The first is the best.
  std::vector<RatedPolicy> front;
  StepBound bound;               ///< the least of both gradient modes
  std::uint64_t candidates = 0;  ///< simulated
  std::uint64_t rejected = 0;    ///< policies that the proof or the planner refused
  std::string first_rejected;    ///< why, of the first
  std::uint64_t unrated = 0;     ///< known policies that were not looked at: it was stopped
  bool searched = false;         ///< false: the step is no single graph, only known policies
};

/// Deterministic: same run, costs, options and answers of `keep`, same report. Errors: nothing within
/// the limit is race-free; those of the prediction.
Result<TuneReport> tune(const Replanner& run, const CostModel& costs, const TuneOptions& options,
                        const KeepTuning& keep = {});

}  // namespace quintet
