#include "viewer/model/tuning/tuning.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "profiler/report/format.h"
#include "runtime/network/scenario_change.h"

namespace quintet::viewer {

namespace {

/// Ends each part of the search in time, and tells how it stands.
class TuneClock {
 public:
  TuneClock(const TuneChoice& choice, TuneWatch& watch, JobControl& control)
      : choice_(choice), watch_(watch), control_(control) {}

  bool keep(const TuneProgress& progress) {
    const double passed = seconds();
    const double share = share_of(progress, passed);
    watch_.tell(progress, passed, share);
    control_.progress(share);
    if (control_.cancelled()) return false;
    const auto limit = static_cast<double>(choice_.seconds);
    const bool late = limit > 0 && passed >= limit * (progress.part + 1) / progress.parts;
    late_ = late_ || late;
    return !late && !watch_.stopped();
  }
  [[nodiscard]] bool late() const { return late_; }

 private:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  /// Whichever part of the budget is spent first; less than 0 = there is no budget.
  [[nodiscard]] double share_of(const TuneProgress& progress, double passed) const {
    double share = -1;
    if (choice_.candidates > 0) {
      share = static_cast<double>(progress.candidates) / static_cast<double>(choice_.candidates);
    }
    if (choice_.seconds > 0) share = std::max(share, passed / static_cast<double>(choice_.seconds));
    return std::min(share, 1.0);
  }

  const TuneChoice& choice_;
  TuneWatch& watch_;
  JobControl& control_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool late_ = false;
};

TuneOptions options_of(const TuneChoice& choice, const Predictor& predictor) {
  TuneOptions options;
  options.candidates = static_cast<std::uint64_t>(choice.candidates);
  options.seed = static_cast<std::uint64_t>(choice.seed);
  options.name = "tuned-" + split_name(predictor.replanner().scenario().name).base;
  if (choice.most_memory_mib > 0) {
    options.most_memory_bytes = static_cast<std::uint64_t>(choice.most_memory_mib) << 20U;
  }
  return options;
}

/// Of a search by what it is, so that the undo list reads "tuned: 5.62 ms".
PolicyEdit edit_of(const RatedPolicy& rated) {
  const bool found = rated.origin == PolicyOrigin::search;
  return {
      ReplaceText{save_policy(rated.policy)},
      fmt::format("{}: {}", found ? "tuned" : rated.policy.name, format_duration(rated.step_ns))};
}

TuneCandidate candidate_of(RatedPolicy rated, bool on_front, const TuneChoice& choice,
                           const Predictor& predictor) {
  TuneCandidate candidate;
  candidate.on_front = on_front;
  const auto limit = static_cast<std::uint64_t>(choice.most_memory_mib) << 20U;
  candidate.within = limit == 0 || rated.memory_bytes <= limit;
  if (const Result<WhatIf> what_if = predictor.what_if(rated.policy)) {
    candidate.moved = what_if->moved;
    // Also over the steps of a run whose input stays on the device.
    rated.race_free = rated.race_free && what_if->proof.race_free();
  }
  candidate.changes = changes_text(predictor.replanner().policy(), rated.policy, candidate.moved);
  candidate.edit = edit_of(rated);
  candidate.rated = std::move(rated);
  return candidate;
}

/// The front, then what is known and not on it: each policy by name once, in its best modes.
std::vector<TuneCandidate> candidates_of(const TuneReport& report, const TuneChoice& choice,
                                         const Predictor& predictor, const JobControl& control) {
  std::vector<TuneCandidate> candidates;
  std::set<std::string> names;
  for (const RatedPolicy& each : report.front) {
    if (control.cancelled()) return candidates;
    if (each.origin == PolicyOrigin::built_in || each.origin == PolicyOrigin::computed) {
      names.insert(each.policy.name);
    }
    candidates.push_back(candidate_of(each, true, choice, predictor));
  }
  const auto listed = [&](const RatedPolicy& known) {
    return std::any_of(candidates.begin(), candidates.end(), [&](const TuneCandidate& each) {
      return each.rated.origin == known.origin && each.rated.policy == known.policy;
    });
  };
  for (const RatedPolicy& known : report.known) {
    if (control.cancelled()) return candidates;
    if (known.origin == PolicyOrigin::recording ? listed(known)
                                                : !names.insert(known.policy.name).second)
      continue;
    candidates.push_back(candidate_of(known, false, choice, predictor));
  }
  return candidates;
}

}  // namespace

void TuneWatch::tell(const TuneProgress& progress, double seconds, double share) {
  const std::lock_guard lock(mutex_);
  standing_.what = progress.candidates == 0 ? std::string(progress.what)
                                            : fmt::format("gradients {}", progress.what);
  standing_.candidates = progress.candidates;
  standing_.seconds = seconds;
  standing_.share = share;
  const bool better = standing_.best.empty() || progress.best_ns < standing_.best.back().best_ns;
  if (std::isfinite(progress.best_ns) && better) {
    standing_.best.push_back({progress.candidates, seconds, progress.best_ns});
  }
}

TuneStanding TuneWatch::standing() const {
  const std::lock_guard lock(mutex_);
  return standing_;
}

std::string changes_text(const StreamPolicy& recorded, const StreamPolicy& policy,
                         const std::vector<MovedTasks>& moved) {
  constexpr std::size_t kNamed = 2;
  std::vector<std::string> changes;
  std::uint32_t tasks = 0;
  std::vector<std::string> named;
  for (const MovedTasks& each : moved) {
    tasks += each.tasks;
    if (named.size() < kNamed) {
      named.push_back(fmt::format("{} {} {} -> {}", each.tasks, each.what, name_of(each.from),
                                  name_of(each.to)));
    }
  }
  if (tasks > 0) {
    changes.push_back(fmt::format("{} {} on other streams ({}{})", tasks,
                                  tasks == 1 ? "task" : "tasks", fmt::join(named, ", "),
                                  moved.size() > kNamed ? ", ..." : ""));
  }
  if (policy.issue != recorded.issue) changes.emplace_back("another order");
  if (policy.step != recorded.step)
    changes.push_back(fmt::format("step = {}", name_of(policy.step)));
  if (policy.gradients != recorded.gradients) {
    changes.push_back(fmt::format("gradients = {}", name_of(policy.gradients)));
  }
  if (policy.sync != recorded.sync)
    changes.push_back(fmt::format("sync = {}", name_of(policy.sync)));
  if (policy.priorities != recorded.priorities) changes.emplace_back("other priorities");
  return changes.empty() ? "as recorded" : fmt::format("{}", fmt::join(changes, ", "));
}

Result<Tuning> tune_recording(const Trace& trace, const TuneChoice& choice, TuneWatch& watch,
                              JobControl& control) {
  TuneClock clock(choice, watch, control);
  const Result<Predictor> predictor = Predictor::of_trace(trace);
  if (!predictor) return tl::unexpected(predictor.error());
  Result<TuneReport> report =
      tune(predictor->replanner(), predictor->model(), options_of(choice, *predictor),
           [&clock](const TuneProgress& progress) { return clock.keep(progress); });
  if (!report) return tl::unexpected(report.error());
  Tuning tuning;
  tuning.choice = choice;
  tuning.candidates = candidates_of(*report, choice, *predictor, control);
  for (std::size_t at = 0; at < tuning.candidates.size(); ++at) {
    if (tuning.candidates[at].rated.origin == PolicyOrigin::recording) tuning.recorded = at;
  }
  tuning.bound = report->bound;
  tuning.searched = report->searched;
  tuning.stopped = watch.stopped() || clock.late();
  tuning.tried = report->candidates;
  tuning.rejected = report->rejected;
  tuning.first_rejected = report->first_rejected;
  tuning.unrated = report->unrated;
  tuning.recorded_ns = predictor->recorded_ns();
  tuning.error_share = predictor->model().device.fit_error;
  tuning.standing = watch.standing();
  return tuning;
}

}  // namespace quintet::viewer
