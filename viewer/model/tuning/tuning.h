/// A search for better mappings of a recording: how it stands while it goes on, and what came of it.
/// Times are predicted from the costs of the recording; the error to expect stands beside them.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"
#include "scenarios/lab/policy_tuner.h"
#include "scenarios/lab/predictor.h"
#include "viewer/model/background.h"
#include "viewer/model/mapping/policy_edit.h"
#include "viewer/model/workbench.h"

namespace quintet::viewer {

/// A policy that was found or known, with what its step would take.
struct TuneCandidate {
  RatedPolicy rated;
  bool on_front = false;          ///< no other is better in both step time and device bytes
  bool within = true;             ///< the limit of memory
  std::vector<MovedTasks> moved;  ///< against the recorded plan, most tasks first
  std::string changes;            ///< the same and the knobs, in one line
  PolicyEdit edit;                ///< puts it in place of all that is there; "tuned: 5.62 ms"
};

/// The best step time so far, each time that it became better.
struct TunePoint {
  std::uint64_t candidates = 0;  ///< simulated until then
  double seconds = 0;            ///< since the begin
  double best_ns = 0;
};

/// How a search stands.
struct TuneStanding {
  std::string what;              ///< "known policies", "gradients separate"; empty = not begun
  std::uint64_t candidates = 0;  ///< simulated
  double seconds = 0;            ///< since the begin
  double share = -1;             ///< of its budget, 0 to 1; less than 0 = it has none
  std::vector<TunePoint> best;   ///< oldest first
};

/// What came of a search.
struct Tuning {
  TuneChoice choice;
  /// Those of the front by step time, so that the first is the best; then the recorded policy and
  /// every other known one in its best modes, by step time. None stands twice.
  std::vector<TuneCandidate> candidates;
  std::size_t recorded = 0;    ///< where the recorded policy stands among them
  StepBound bound;             ///< 0 where nothing was searched
  bool searched = false;       ///< false: a step is no single graph, only known policies were rated
  bool stopped = false;        ///< before its budget was spent
  std::uint64_t tried = 0;     ///< mappings
  std::uint64_t rejected = 0;  ///< policies that the proof or the planner refused
  std::string first_rejected;  ///< why, of the first
  std::uint64_t unrated = 0;   ///< known policies that were not looked at: it was stopped
  double recorded_ns = 0;      ///< the recorded step, measured; 0 = unknown
  double error_share = 0;      ///< median error to expect of a step time; 0 = unknown
  TuneStanding standing;       ///< at its end
};

/// Between the thread that searches and the one that draws. Threads: any.
class TuneWatch {
 public:
  /// The search ends soon, with the best so far.
  void stop() { stopped_ = true; }
  [[nodiscard]] bool stopped() const { return stopped_; }
  void tell(const TuneProgress& progress, double seconds, double share);
  [[nodiscard]] TuneStanding standing() const;

 private:
  std::atomic<bool> stopped_ = false;
  mutable std::mutex mutex_;
  TuneStanding standing_;
};

/// Searches until the choice's budget is spent, or it is stopped or cancelled. Same trace and choice
/// without a limit of seconds: same answer. Errors: those of Predictor::of_trace() and tune().
Result<Tuning> tune_recording(const Trace& trace, const TuneChoice& choice, TuneWatch& watch,
                              JobControl& control);

/// What makes `policy` another than `recorded`, in one line: "26 tasks on other streams (20
/// CONV_AMP_BWD/dW COMP_1 -> COMP_2, ...), step = whole_step"; "as recorded".
std::string changes_text(const StreamPolicy& recorded, const StreamPolicy& policy,
                         const std::vector<MovedTasks>& moved);

}  // namespace quintet::viewer
