#include "scenarios/cli/run_json.h"

#include <utility>

namespace quintet {

OrderedJson run_json(const RunOutcome& outcome) {
  const TrainingResult& result = outcome.result;
  OrderedJson losses = OrderedJson::array();
  for (const double loss : result.losses)
    losses.push_back(number_or_null(loss));
  const auto optional = [](const std::optional<double>& value) {
    return value ? number_or_null(*value) : OrderedJson(nullptr);
  };
  return {{"schema", "quintet.run"},
          {"version", 1},
          {"scenario", outcome.scenario},
          {"policy", outcome.policy},
          {"executor", outcome.executor},
          {"lowering", outcome.lowering},
          {"verdict", outcome.races.empty() ? "race-free" : "races"},
          {"races", outcome.races},
          {"steps", result.losses.size()},
          {"evaluation_steps", result.steps - static_cast<std::int64_t>(result.losses.size())},
          {"losses", std::move(losses)},
          {"weights_hash", result.weights_hash},
          {"test_loss", optional(result.test_loss)},
          {"test_accuracy", optional(result.test_accuracy)},
          {"step_time_ns", step_time_json(outcome.metrics)},
          {"recording", outcome.ran ? OrderedJson(outcome.recording) : OrderedJson(nullptr)},
          {"interrupted", outcome.interrupted},
          {"findings", findings_json(outcome.trace.findings)},
          {"metrics", metrics_json(outcome.metrics)}};
}

}  // namespace quintet
