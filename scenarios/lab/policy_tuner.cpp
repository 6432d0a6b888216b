#include "scenarios/lab/policy_tuner.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "profiler/whatif/prediction.h"
#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/policy_catalog.h"
#include "scenarios/lab/mapping_reasons.h"
#include "scenarios/lab/mapping_search.h"

namespace quintet {

namespace {

constexpr std::array kGradientModes = {GradientMode::separate, GradientMode::in_place};
constexpr std::array kStepModes = {StepMode::whole_step, StepMode::event_sync, StepMode::host_sync};
/// Streams that a search may use: all but that of the copies.
constexpr std::array kSearchStreams = {StreamKind::COMP_1, StreamKind::COMP_2, StreamKind::COMP_3,
                                       StreamKind::UPDATE};

bool faster(const RatedPolicy& a, const RatedPolicy& b) {
  return a.step_ns < b.step_ns;
}

/// Tasks of a step that belong together: of one kind and part, of one layer, all weight gradients.
std::vector<std::vector<std::uint32_t>> groups_of(const StepDag& dag,
                                                  const std::vector<Task>& tasks) {
  std::map<std::string, std::vector<std::uint32_t>> groups;
  for (std::uint32_t node = 0; node < dag.size(); ++node) {
    const Task& task = tasks[dag.node(node).task.value()];
    groups[fmt::format("kind {}/{}", name_of(task.kind), name_of(task.part))].push_back(node);
    groups[fmt::format("part {}", name_of(task.part))].push_back(node);
    groups["layer " + task.layer].push_back(node);
  }
  std::vector<std::vector<std::uint32_t>> lists;
  for (auto& [name, group] : groups) {
    if (group.size() > 1) lists.push_back(std::move(group));
  }
  return lists;
}

std::uint64_t workspace_bytes(const MemoryPlan& memory) {
  std::uint64_t sum = 0;
  for (const StreamKind stream : kStreamKinds)
    sum += memory.workspace(stream).bytes;
  return sum;
}

class Tuner {
 public:
  Tuner(const Replanner& run, const CostModel& costs, const TuneOptions& options,
        const KeepTuning& keep)
      : run_(run), costs_(costs), options_(options), keep_(keep) {}

  Result<TuneReport> tune() {
    if (auto rated = rate_known(); !rated) return tl::unexpected(rated.error());
    for (std::size_t part = 0; part < kGradientModes.size(); ++part) {
      if (auto done = search(part); !done) return tl::unexpected(done.error());
    }
    return finish();
  }

 private:
  bool keep(std::string_view what, int part, std::uint64_t candidates, double best_ns) const {
    return !keep_ ||
           keep_({what, part, static_cast<int>(kGradientModes.size()), candidates, best_ns});
  }

  /// A policy that does not plan, or races, is counted, never kept.
  void rate(Result<StreamPolicy> policy, PolicyOrigin origin, std::vector<RatedPolicy>& into) {
    Result<RatedPolicy> rated = policy ? rate_policy(run_, costs_, std::move(*policy), origin)
                                       : Result<RatedPolicy>(tl::unexpected(policy.error()));
    if (rated && rated->race_free) {
      into.push_back(std::move(*rated));
      return;
    }
    if (report_.rejected++ == 0) {
      report_.first_rejected =
          rated ? rated->policy.name + ": the proof finds races" : to_string(rated.error());
    }
  }

  Result<void> rate_known() {
    const TaskWeights weights = weights_of(run_.input(), costs_);
    Result<RatedPolicy> recorded =
        rate_policy(run_, costs_, run_.policy(), PolicyOrigin::recording);
    if (!recorded) return tl::unexpected(recorded.error());
    report_.known.push_back(std::move(*recorded));
    bool stopped = false;
    for (const StepMode step : kStepModes) {
      for (const GradientMode gradients : kGradientModes) {
        if (stopped) {
          report_.unrated += policy_catalog().size() + computed_catalog().size();
          continue;
        }
        for (const BuiltinPolicy& builtin : policy_catalog()) {
          Result<StreamPolicy> policy = find_policy(std::string(builtin.name));
          if (policy) policy->gradients = gradients;
          if (policy) policy->step = step;
          rate(std::move(policy), PolicyOrigin::built_in, report_.known);
        }
        for (const ComputedPolicy& computed : computed_catalog())
          rate(compute_policy(computed, run_.input(), weights, {gradients, step}),
               PolicyOrigin::computed, report_.known);
        stopped = !keep("known policies", 0, 0, std::numeric_limits<double>::infinity());
      }
    }
    std::stable_sort(report_.known.begin(), report_.known.end(), faster);
    return {};
  }

  /// The mappings that the known policies have in the whole step, and where the search may go.
  struct Part {
    std::vector<StepMapping> starts;
    SearchOptions options;
    std::uint64_t other_bytes = 0;  ///< device memory without workspaces
  };

  Result<Part> prepare(const MappedStep& step, GradientMode gradients) const {
    Part part;
    for (const RatedPolicy& known : report_.known) {
      if (known.policy.gradients != gradients || known.policy.step != StepMode::whole_step)
        continue;
      const Result<ExecutionPlan> plan = run_.plan(known.policy);
      if (!plan) return tl::unexpected(plan.error());
      Result<StepMapping> mapping = mapping_of(*plan, step.dag());
      if (!mapping) return tl::unexpected(mapping.error());
      part.starts.push_back(std::move(*mapping));
      part.other_bytes = plan->memory.bytes(MemorySpace::device) - workspace_bytes(plan->memory);
    }
    if (part.starts.empty()) part.starts.push_back(one_stream(step.dag()));
    part.options.seed = options_.seed;
    part.options.candidates = options_.candidates / kGradientModes.size();
    part.options.streams.assign(kSearchStreams.begin(), kSearchStreams.end());
    part.options.groups = groups_of(step.dag(), run_.input().tasks);
    if (options_.most_memory_bytes != std::numeric_limits<std::uint64_t>::max()) {
      part.options.most_workspace_bytes =
          options_.most_memory_bytes - std::min(options_.most_memory_bytes, part.other_bytes);
    }
    return part;
  }

  Result<void> search(std::size_t index) {
    const GradientMode gradients = kGradientModes[index];
    if (run_.input().micro_batches > 1) return {};
    Result<MappedStep> step = MappedStep::of(run_, costs_, gradients);
    if (!step) return tl::unexpected(step.error());
    const Result<Part> part = prepare(*step, gradients);
    if (!part) return tl::unexpected(part.error());
    lower_bound(*step);
    const std::uint64_t before = report_.candidates;
    const SearchResult found = search_mappings(
        *step, part->starts, part->options, [&](std::uint64_t candidates, double best_ns) {
          return keep(name_of(gradients), static_cast<int>(index), before + candidates, best_ns);
        });
    report_.candidates += found.candidates;
    report_.searched = true;
    for (const FoundMapping& each : found.best) {
      PolicyHead head;
      head.name = options_.name;
      head.description =
          fmt::format("found by search: {} mappings tried from {} policies, seed {}; task times {}",
                      found.candidates, part->starts.size(), options_.seed,
                      weights_of(run_.input(), costs_).source);
      head.knobs.gradients = gradients;
      const StepMapping explained = with_reasons(*step, each.mapping, each.step_ns);
      rate(policy_of(explained, step->dag(), run_.input().tasks, head), PolicyOrigin::search,
           found_);
    }
    return {};
  }

  void lower_bound(const MappedStep& step) {
    double bytes = 0;
    for (const DagNode& node : step.dag().nodes()) {
      if (node.task.value() < run_.input().tasks.size() && !node.fixed)
        bytes += run_.input().tasks[node.task.value()].bytes;
    }
    const StepBound bound = step_bound(step, bytes);
    if (report_.bound.ns() == 0 || bound.ns() < report_.bound.ns()) report_.bound = bound;
  }

  /// What a search finds for the whole step may do as well in other step modes.
  void try_other_steps() {
    if (found_.empty()) return;
    const RatedPolicy best = *std::min_element(found_.begin(), found_.end(), faster);
    for (const StepMode step : kStepModes) {
      if (step == best.policy.step) continue;
      StreamPolicy policy = best.policy;
      policy.step = step;
      rate(std::move(policy), PolicyOrigin::search, found_);
    }
  }

  Result<TuneReport> finish() {
    try_other_steps();
    std::vector<RatedPolicy> all = report_.known;
    all.insert(all.end(), found_.begin(), found_.end());
    std::erase_if(all, [&](const RatedPolicy& each) {
      return !each.race_free || each.memory_bytes > options_.most_memory_bytes;
    });
    if (all.empty()) {
      return fail("no race-free policy stays within the limit of memory",
                  "allow more memory, or take a smaller batch");
    }
    std::stable_sort(all.begin(), all.end(), [](const RatedPolicy& a, const RatedPolicy& b) {
      return std::pair(a.step_ns, a.memory_bytes) < std::pair(b.step_ns, b.memory_bytes);
    });
    for (RatedPolicy& each : all) {
      if (report_.front.empty() || each.memory_bytes < report_.front.back().memory_bytes)
        report_.front.push_back(std::move(each));
    }
    return std::move(report_);
  }

  const Replanner& run_;
  const CostModel& costs_;
  const TuneOptions& options_;
  const KeepTuning& keep_;
  TuneReport report_;
  std::vector<RatedPolicy> found_;
};

}  // namespace

Result<RatedPolicy> rate_policy(const Replanner& run, const CostModel& costs, StreamPolicy policy,
                                PolicyOrigin origin) {
  const Result<ExecutionPlan> plan = run.plan(policy);
  if (!plan) return tl::unexpected(plan.error());
  const Result<Prediction> predicted = predict_step(*plan, costs);
  if (!predicted) return tl::unexpected(predicted.error());
  const Result<ProofReport> proof = prove(*plan);
  if (!proof) return tl::unexpected(proof.error());
  return RatedPolicy{std::move(policy), origin, predicted->step_ns,
                     plan->memory.bytes(MemorySpace::device), proof->race_free()};
}

Result<TuneReport> tune(const Replanner& run, const CostModel& costs, const TuneOptions& options,
                        const KeepTuning& keep) {
  return Tuner(run, costs, options, keep).tune();
}

}  // namespace quintet
