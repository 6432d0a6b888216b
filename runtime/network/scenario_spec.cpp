#include "runtime/network/scenario_spec.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/data/reader_catalog.h"
#include "runtime/network/network_catalog.h"

namespace quintet {

Result<std::shared_ptr<const DatasetPair>> open_data(const Scenario& scenario) {
  const Result<const DataReader*> reader = find_reader(scenario.data.dataset);
  if (!reader) return tl::unexpected(reader.error());
  Result<DatasetPair> data = (*reader)->open(scenario.data);
  if (!data) return tl::unexpected(data.error());
  return std::make_shared<const DatasetPair>(std::move(*data));
}

Result<TrainingSpec> spec_of(const Scenario& scenario, const DataShape& data) {
  Result<NetworkDefinition> network = make_network(
      scenario.network, {data.height, data.width, data.channels, data.classes, scenario.hidden});
  if (!network) {
    Error error = network.error();
    error.file = scenario.file;
    return tl::unexpected(error);
  }
  TrainingSpec spec;
  spec.network = std::move(*network);
  spec.precision = scenario.precision;
  spec.optimizer = scenario.optimizer;
  spec.loss = scenario.loss;
  spec.ema = scenario.ema;
  spec.evaluate = scenario.evaluate;
  spec.micro_batches = static_cast<std::int32_t>(scenario.micro_batches);
  spec.length.micro_batches = spec.micro_batches;
  spec.lowering = scenario.lowering;
  spec.seed = scenario.seed;
  spec.length.train_samples = data.train_count;
  spec.length.test_samples = data.test_count;
  spec.length.batch = scenario.batch;
  spec.length.epochs = scenario.epochs;
  spec.length.resident_input = scenario.resident_input;
  spec.length.max_train_steps = scenario.steps.value_or(-1);
  const std::int64_t per_epoch = (data.train_count + scenario.batch - 1) / scenario.batch;
  spec.learning_rates = schedule_of(scenario, per_epoch).table(train_step_count(spec.length));
  return spec;
}

}  // namespace quintet
