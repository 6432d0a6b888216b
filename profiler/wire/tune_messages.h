/// A search for better mappings on the worker's machine: what is asked, what it tells of itself, and
/// what came of it. Structs as in profiler/wire/requests.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/wire/requests.h"
#include "profiler/wire/rpc_message.h"
#include "runtime/model/result.h"

namespace quintet {

/// A policy with what its step takes.
struct TunedPolicy {
  std::string name;
  std::string origin;  ///< recording, built-in, computed or search
  std::string step;    ///< its knobs
  std::string gradients;
  std::int64_t step_ns = 0;  ///< predicted
  std::uint64_t device_bytes = 0;
  bool race_free = false;
  std::string
      toml;  ///< what a policy file holds; empty for known policies that are not on the front
  /// Median of steps that were not recorded; the mean of two such where it was run twice.
  std::optional<std::int64_t> measured_step_ns;
};

/// What no mapping of a step in one graph can beat; 0 = nothing was searched.
struct TunedBound {
  std::int64_t path_ns = 0;
  std::int64_t sm_area_ns = 0;
  std::optional<std::int64_t> bytes_ns;  ///< nothing: the rate of the memory is not known
  std::int64_t issue_ns = 0;
};

struct TuneAnswer {
  std::string recording;       ///< path on the worker's machine: where the costs are from
  std::string recorded_under;  ///< its policy
  std::optional<std::int64_t> recorded_step_ns;
  std::optional<double> error_share;  ///< median error to expect of a step time
  std::vector<TunedPolicy> front;     ///< by step time; the first is the best predicted
  std::vector<TunedPolicy> known;     ///< by step time
  std::vector<TunedPolicy> measured;  ///< those that ran, the fastest first
  TunedBound bound;
  std::int64_t candidates = 0;  ///< mappings that were simulated
  std::int64_t rejected = 0;    ///< policies that the proof or the planner refused
  std::string first_rejected;   ///< why, of the first
  std::int64_t unrated = 0;     ///< known policies that were not looked at: it was stopped
  bool searched = false;        ///< false: known policies only
  bool stopped = false;         ///< before its budget was spent
  double seconds = 0;

  [[nodiscard]] WireJson to_json() const;
  static Result<TuneAnswer> from_json(const WireJson& json);
};

/// Searches for a mapping with a shorter step; answered once it has ended, of itself or by `stop`
/// with the best so far. One job at a time, as a run.
struct TuneRequest {
  static constexpr std::string_view kMethod = "tune";
  using Answer = TuneAnswer;
  /// Its scenario may be a recording, a path on the worker's machine; of a scenario, a short serial run
  /// is recorded first. It names no policy and no knob of one: they are what is searched.
  PlanRequest plan;
  std::optional<std::int64_t> candidates;  ///< mappings to simulate; nothing = as the time allows
  std::optional<double> seconds;           ///< nothing = 20, or as long as the candidates take
  std::optional<std::int64_t> seed;        ///< nothing = 1
  std::optional<std::int64_t> most_memory_mib;  ///< on the device
  std::optional<std::int64_t>
      measure;  ///< so many of the best run at the end, serial and renaissance

  [[nodiscard]] WireJson to_json() const;
  static Result<TuneRequest> from_json(const WireJson& json);
};

/// How far the search is; some ten times a second.
struct TuningMessage {
  static constexpr std::string_view kMethod = "tuning";
  std::string what;  ///< "recording", "known policies", "separate", "in_place", "measuring NAME"
  std::int64_t candidates = 0;    ///< simulated
  std::optional<double> best_ns;  ///< predicted; nothing yet
  double seconds = 0;             ///< since the begin

  [[nodiscard]] WireJson to_json() const;
  static Result<TuningMessage> from_json(const WireJson& json);
};

}  // namespace quintet
