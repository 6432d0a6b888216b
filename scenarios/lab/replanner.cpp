#include "scenarios/lab/replanner.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/reader_catalog.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/network/scenario_change.h"
#include "runtime/network/scenario_spec.h"
#include "runtime/network/training_plan.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet {

namespace {

std::string said(const Provenance& provenance, const std::string& key) {
  const auto found = provenance.find(key);
  return found == provenance.end() ? std::string() : found->second;
}

/// The scenario as it was run: its text from the recording, or else the built-in of that name, with
/// the changes that its name tells.
Result<Scenario> scenario_of(const Provenance& provenance) {
  const std::string name = said(provenance, "scenario");
  if (name.empty()) {
    return fail(
        "the recording names no scenario: it is an import, or of a program that is not ours",
        "record one with quintet run to try other policies on it");
  }
  const auto [base, changes] = split_name(name);
  const std::string text = said(provenance, "scenario_toml");
  Result<Scenario> scenario =
      text.empty() ? find_scenario(base) : parse_scenario(text, base + " in the recording");
  if (!scenario) return scenario;
  scenario->name = base;
  if (auto changed = apply_changes(*scenario, changes); !changed) {
    return tl::unexpected(changed.error());
  }
  for (const char* key : {"epochs", "steps"}) {
    const std::string value = said(provenance, key);
    if (value.empty()) continue;
    if (auto changed = change_scenario(*scenario, key, value); !changed) {
      return tl::unexpected(changed.error());
    }
  }
  return scenario;
}

Result<DataShape> shape_of_data(const Scenario& scenario, const std::string& recorded) {
  if (!recorded.empty()) return parse_data_shape(recorded);
  const Result<const DataReader*> reader = find_reader(scenario.data.dataset);
  if (!reader) return tl::unexpected(reader.error());
  return (*reader)->shape(scenario.data);
}

/// A trimmed recording holds only the shapes whose steps it kept: the run without the others.
RunLength without_lost_shapes(RunLength length, const std::vector<TraceTask>& recorded) {
  const auto has = [&](std::string_view shape) {
    return std::any_of(recorded.begin(), recorded.end(),
                       [&](const TraceTask& task) { return task.shape == shape; });
  };
  // Samples that fill no batch are one batch of their own, and no tail.
  const auto drop_tail = [&](std::int64_t& samples) {
    if (samples > length.batch) samples -= samples % length.batch;
  };
  if (!has("train_tail")) drop_tail(length.train_samples);
  if (!has("eval_tail")) drop_tail(length.test_samples);
  if (!has("eval")) length.test_samples = 0;
  return length;
}

/// The learning-rate table has an entry for each training step: older recordings say their length
/// nowhere else.
RunLength with_recorded_steps(RunLength length, const std::vector<TraceTensor>& tensors) {
  for (const TraceTensor& tensor : tensors) {
    if (tensor.name != "lr_table") continue;
    length.max_train_steps = static_cast<std::int64_t>(tensor.bytes / sizeof(float));
  }
  return length;
}

/// `recorded`: nothing of a scenario that no recording stands behind.
Result<PlanInput> input_of(const Scenario& scenario, const std::string& recorded_shape,
                           const Trace* recorded) {
  const Result<DataShape> data = shape_of_data(scenario, recorded_shape);
  if (!data) return tl::unexpected(data.error());
  Result<TrainingSpec> spec = spec_of(scenario, *data);
  if (!spec) return tl::unexpected(spec.error());
  if (recorded != nullptr) {
    spec->length = without_lost_shapes(spec->length, recorded->tasks);
    spec->length = with_recorded_steps(spec->length, recorded->tensors);
  }
  return plan_input_of(*spec);
}

tl::unexpected<Error> differs(const std::string& what) {
  return fail(what + ": this version builds the scenario's tasks differently",
              "record the scenario again with this version");
}

/// A plan's tasks come first; what follows is in no graph: work of no task, what the driver did for
/// itself.
std::size_t planned_tasks(const std::vector<TraceTask>& recorded) {
  const auto end = std::find_if(recorded.begin(), recorded.end(),
                                [](const TraceTask& task) { return task.graph.empty(); });
  return static_cast<std::size_t>(end - recorded.begin());
}

/// Scratch is the kernels' choice, so the recording tells it; all else must be as rebuilt.
Result<void> take_scratch(PlanInput& input, const std::vector<TraceTask>& recorded) {
  if (const std::size_t planned = planned_tasks(recorded); input.tasks.size() != planned) {
    return differs(fmt::format("the recording has {} tasks, the scenario gives {}", planned,
                               input.tasks.size()));
  }
  for (Task& task : input.tasks) {
    const TraceTask& row = recorded[task.id.value()];
    const std::string& shape = input.shapes.at(task.shape.value()).name;
    if (task.name != row.name || shape != row.shape) {
      return differs(fmt::format("task {} is {} ({}) in the recording and {} ({}) as rebuilt",
                                 task.id.value(), row.name, row.shape, task.name, shape));
    }
    if (task.flops != row.flops || task.bytes != row.bytes) {
      return differs(
          fmt::format("{} does {:.0f} operations on {:.0f} bytes in the recording and "
                      "{:.0f} on {:.0f} as rebuilt",
                      task.name, row.flops, row.bytes, task.flops, task.bytes));
    }
    task.workspace_bytes = row.workspace_bytes;
  }
  return {};
}

}  // namespace

Result<Replanner> Replanner::of_trace(const Trace& trace) {
  Result<Scenario> scenario = scenario_of(trace.provenance);
  if (!scenario) return tl::unexpected(scenario.error());
  Result<StreamPolicy> policy =
      parse_policy(said(trace.provenance, "policy_toml"), "policy of the recording");
  if (!policy) return tl::unexpected(policy.error());
  Result<PlanInput> input = input_of(*scenario, said(trace.provenance, "data_shape"), &trace);
  if (!input) return tl::unexpected(input.error());
  if (auto taken = take_scratch(*input, trace.tasks); !taken) return tl::unexpected(taken.error());
  return Replanner(std::move(*scenario), std::move(*policy), std::move(*input));
}

Result<Replanner> Replanner::of_scenario(const Scenario& scenario) {
  Result<StreamPolicy> policy = find_policy(scenario.policy);
  if (!policy) return tl::unexpected(policy.error());
  Result<PlanInput> input = input_of(scenario, {}, nullptr);
  if (!input) return tl::unexpected(input.error());
  return Replanner(scenario, std::move(*policy), std::move(*input));
}

Result<ExecutionPlan> Replanner::plan(const StreamPolicy& policy) const {
  return build_plan(input_, policy);
}

}  // namespace quintet
