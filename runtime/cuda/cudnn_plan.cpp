#include "runtime/cuda/cudnn_plan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <sstream>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/launch_timer.h"
#include "runtime/cuda/plan_store.h"

namespace quintet {

namespace {

/// Heuristics return at most so many configurations of a graph.
constexpr std::int64_t kMostConfigurations = 64;
constexpr std::int64_t kMostKnobs = 64;
/// So many of the best are timed.
constexpr std::size_t kTimedCandidates = 6;

bool noted(const std::vector<cudnnBackendNumericalNote_t>& notes,
           cudnnBackendNumericalNote_t note) {
  return std::find(notes.begin(), notes.end(), note) != notes.end();
}

bool allowed(const CudnnDescriptor& engine, const CudnnLimits& limits) {
  const auto notes = engine.list<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                                              CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
  if (noted(notes, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC)) return false;
  if (!limits.exact_fp32) return true;
  constexpr std::array kInexact = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE,
                                   CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS,
                                   CUDNN_NUMERICAL_NOTE_FFT,
                                   CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION,
                                   CUDNN_NUMERICAL_NOTE_WINOGRAD,
                                   CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4,
                                   CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6,
                                   CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13};
  return std::none_of(kInexact.begin(), kInexact.end(),
                      [&](cudnnBackendNumericalNote_t note) { return noted(notes, note); });
}

}  // namespace

/// What a plan is pinned by.
struct CudnnPlan::Choice {
  std::int64_t engine = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> knobs;

  [[nodiscard]] std::string text() const {
    std::string list;
    for (const auto& [type, value] : knobs)
      list += fmt::format("{}{}:{}", list.empty() ? "" : ",", type, value);
    return fmt::format("engine={} knobs={}", engine, list);
  }
  /// Nothing where the text is no choice.
  static std::optional<Choice> parse(const std::string& text) {
    Choice choice;
    const std::size_t space = text.find(" knobs=");
    if (!text.starts_with("engine=") || space == std::string::npos) return std::nullopt;
    try {
      choice.engine = std::stoll(text.substr(7, space - 7));
      std::istringstream list(text.substr(space + 7));
      for (std::string knob; std::getline(list, knob, ',');) {
        const std::size_t colon = knob.find(':');
        if (colon == std::string::npos) return std::nullopt;
        choice.knobs.emplace_back(std::stoll(knob.substr(0, colon)),
                                  std::stoll(knob.substr(colon + 1)));
      }
    } catch (const std::exception&) {
      return std::nullopt;
    }
    return choice;
  }
};

CudnnPlan::CudnnPlan(CudnnDescriptor plan, std::vector<CudnnBinding> bindings, std::string pinned)
    : plan_(std::move(plan)),
      bindings_(std::move(bindings)),
      pinned_(std::move(pinned)),
      workspace_bytes_(static_cast<std::uint64_t>(
          plan_.get<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE))) {}

std::vector<CudnnPlan::Choice> CudnnPlan::candidates(const CudnnDescriptor& graph,
                                                     const CudnnLimits& limits) {
  std::vector<Choice> found;
  for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
    CudnnDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, mode);
    if (!heuristics.try_finalize()) continue;
    std::vector<CudnnDescriptor> configurations;
    for (std::int64_t i = 0; i < kMostConfigurations; ++i)
      configurations.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    const auto count = static_cast<std::size_t>(
        heuristics.copy_into(CUDNN_ATTR_ENGINEHEUR_RESULTS, configurations));
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<CudnnDescriptor> engine;
      engine.emplace_back(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
      configurations[i].copy_into(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
      if (!allowed(engine[0], limits)) continue;
      Choice choice;
      choice.engine = engine[0].get<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX);
      std::vector<CudnnDescriptor> knobs;
      for (std::int64_t k = 0; k < kMostKnobs; ++k)
        knobs.emplace_back(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
      const auto knob_count = static_cast<std::size_t>(
          configurations[i].copy_into(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, knobs));
      for (std::size_t k = 0; k < knob_count; ++k) {
        choice.knobs.emplace_back(static_cast<std::int64_t>(knobs[k].get<cudnnBackendKnobType_t>(
                                      CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE)),
                                  knobs[k].get<std::int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE));
      }
      found.push_back(std::move(choice));
    }
  }
  return found;
}

std::optional<CudnnPlan> CudnnPlan::build(const CudnnDescriptor& graph,
                                          const std::vector<CudnnBinding>& bindings,
                                          const Choice& choice, const CudnnLimits& limits,
                                          KernelPlanner& planner) {
  CudnnDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph);
  engine.set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, choice.engine);
  if (!engine.try_finalize()) return std::nullopt;
  std::vector<CudnnDescriptor> knobs;
  for (const auto& [type, value] : choice.knobs) {
    CudnnDescriptor& knob = knobs.emplace_back(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
    knob.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, static_cast<cudnnBackendKnobType_t>(type));
    knob.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, value);
    if (!knob.try_finalize()) return std::nullopt;
  }
  CudnnDescriptor configuration(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  configuration.set(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
  if (!knobs.empty()) configuration.set(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, knobs);
  if (!configuration.try_finalize()) return std::nullopt;
  CudnnDescriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, planner.cudnn());
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration);
  if (!plan.try_finalize()) return std::nullopt;
  CudnnPlan built(std::move(plan), bindings, choice.text());
  if (built.workspace_bytes() > limits.workspace_bytes) return std::nullopt;
  return built;
}

std::optional<CudnnPlan> CudnnPlan::make(const CudnnDescriptor& graph,
                                         std::vector<CudnnBinding> bindings,
                                         const CudnnLimits& limits, const std::string& key,
                                         KernelPlanner& planner) {
  PlanStore& store = planner.plans();
  const std::string full_key =
      fmt::format("{} {} workspace={}{}", planner.identity(), key, limits.workspace_bytes,
                  limits.exact_fp32 ? " exact" : "");
  if (const auto stored = store.find(full_key)) {
    if (*stored == "none") return std::nullopt;
    if (const auto choice = Choice::parse(*stored)) {
      if (auto plan = build(graph, bindings, *choice, limits, planner)) return plan;
    }
  }
  const bool measured = store.search() == PlanSearch::measured;
  std::optional<CudnnPlan> best;
  double best_us = 0;
  std::optional<LaunchTimer> timer;
  std::size_t tried = 0;
  for (const Choice& choice : candidates(graph, limits)) {
    std::optional<CudnnPlan> plan = build(graph, bindings, choice, limits, planner);
    if (!plan) continue;
    if (!measured) {
      best = std::move(plan);
      break;
    }
    if (!timer) {
      std::vector<std::uint64_t> sizes;
      for (const CudnnBinding& binding : bindings)
        sizes.push_back(binding.bytes);
      timer.emplace(sizes, limits.workspace_bytes);
      check(cudnnSetStream(planner.cudnn(), timer->stream()), "binding the planning handle");
    }
    try {
      const double us = timer->median_us(
          [&] { plan->run(planner.cudnn(), timer->buffers(), timer->workspace()); });
      if (!best || us < best_us) {
        best = std::move(plan);
        best_us = us;
      }
    } catch (const CudaError&) {
      continue;  // an engine that plans but does not run is no candidate
    }
    if (++tried == kTimedCandidates) break;
  }
  store.put(full_key, best ? best->pinned() : "none");
  return best;
}

void CudnnPlan::run(cudnnHandle_t handle, const std::vector<void*>& pointers, void* workspace) {
  CudnnDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  std::vector<std::int64_t> uids;
  for (const CudnnBinding& binding : bindings_)
    uids.push_back(binding.uid);
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, uids);
  pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, pointers);
  pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, workspace);
  pack.finalize("the pointers of a cuDNN plan");
  check(cudnnBackendExecute(handle, plan_.get(), pack.get()), "running a cuDNN plan");
}

}  // namespace quintet
