#include "scenarios/lab/advisor.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

#include "profiler/whatif/prediction.h"
#include "runtime/policy/hazard_proof.h"

namespace quintet {

namespace {

std::int64_t waits_of(const ExecutionPlan& plan) {
  std::size_t edges = 0;
  for (const auto& [key, graph] : plan.graphs)
    edges += graph.edges.size();
  return static_cast<std::int64_t>(edges);
}

std::int64_t device_bytes(const ExecutionPlan& plan) {
  return static_cast<std::int64_t>(plan.memory.bytes(MemorySpace::device));
}

std::string price_of(std::int64_t waits) {
  if (waits == 0) return {};
  return fmt::format(" It {} {} {} between streams.", waits < 0 ? "saves" : "takes",
                     std::abs(waits), std::abs(waits) == 1 ? "wait" : "waits");
}

class Advisor {
 public:
  Advisor(const Trace& trace, const Predictor& predictor, const AdviceOptions& options)
      : trace_(trace), predictor_(predictor), options_(options) {}

  Result<AdviceReport> advise(const KeepAdvising& keep) {
    const auto now = predict_step(predictor_.recorded(), predictor_.model());
    if (!now) return tl::unexpected(now.error());
    report_.step_ns = now->step_ns;
    report_.error_share = now->error_share;
    report_.recorded_ns = predictor_.recorded_ns();
    report_.waits = longest_waits(trace_);
    const StreamPolicy& policy = predictor_.replanner().policy();
    const std::vector<AdviceMove> moves = advice_moves(trace_, predictor_.recorded(), policy,
                                                       predictor_.model(), options_.most_tried);
    for (std::size_t move = 0; move < moves.size(); ++move) {
      if (keep && !keep(move, moves.size())) {
        report_.complete = false;
        break;
      }
      try_move(moves[move]);
    }
    choose();
    return std::move(report_);
  }

 private:
  void try_move(const AdviceMove& move) {
    const auto plan = predictor_.replanner().plan(move.policy);
    const auto predicted = plan ? predict_step(*plan, predictor_.model())
                                : Result<Prediction>(tl::unexpected(plan.error()));
    if (!predicted) {
      ++report_.impossible;
      return;
    }
    ++report_.tried;
    const double gain = report_.step_ns - predicted->step_ns;
    if (gain <= 0 || gain < options_.least_share * report_.step_ns) return;
    Advice advice;
    advice.title = move.title;
    advice.policy = move.policy;
    advice.step_ns = predicted->step_ns;
    advice.gain_ns = gain;
    advice.memory_bytes = device_bytes(*plan) - device_bytes(predictor_.recorded());
    advice.waits = waits_of(*plan) - waits_of(predictor_.recorded());
    advice.why = move.why + price_of(advice.waits);
    report_.advice.push_back(std::move(advice));
  }

  void choose() {
    std::stable_sort(report_.advice.begin(), report_.advice.end(),
                     [](const Advice& a, const Advice& b) { return a.gain_ns > b.gain_ns; });
    if (report_.advice.size() > options_.most) report_.advice.resize(options_.most);
    for (Advice& advice : report_.advice) {
      const auto plan = predictor_.replanner().plan(advice.policy);
      const auto proof = plan ? prove(*plan) : Result<ProofReport>(tl::unexpected(plan.error()));
      advice.race_free = proof && proof->race_free();
      if (!advice.race_free) {
        advice.race = proof ? proof->races.front().text : to_string(proof.error());
      }
    }
  }

  const Trace& trace_;
  const Predictor& predictor_;
  const AdviceOptions& options_;
  AdviceReport report_;
};

}  // namespace

Result<AdviceReport> advise(const Trace& trace, const Predictor& predictor,
                            const AdviceOptions& options, const KeepAdvising& keep) {
  return Advisor(trace, predictor, options).advise(keep);
}

}  // namespace quintet
