#include "runtime/exec/scenario_session.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "runtime/data/reader_catalog.h"
#include "runtime/network/network_catalog.h"

namespace quintet {

namespace {

/// What a scenario may ask for and a training session cannot do.
std::optional<Error> unsupported_part_of(const Scenario& scenario) {
  const auto error = [&](std::string message, std::string cure) {
    return Error{std::move(message), std::move(cure), scenario.file, 0};
  };
  if (!std::holds_alternative<SgdHyper>(scenario.optimizer)) {
    return error(fmt::format("optimizer {} is not implemented", name_of(scenario.optimizer)),
                 "use sgd");
  }
  if (scenario.precision != Precision::fp32) {
    return error(fmt::format("precision {} is not implemented", name_of(scenario.precision)),
                 "use fp32");
  }
  if (scenario.ema) return error("[ema] is not implemented", "delete the table");
  if (scenario.loss.smoothing != 0.0F)
    return error("label_smoothing is not implemented", "delete the key");
  if (scenario.micro_batches != 1)
    return error("micro_batches is not implemented", "delete the key");
  return std::nullopt;
}

}  // namespace

Result<std::shared_ptr<const DatasetPair>> open_data(const Scenario& scenario) {
  const Result<const DataReader*> reader = find_reader(scenario.data.dataset);
  if (!reader) return tl::unexpected(reader.error());
  Result<DatasetPair> data = (*reader)->open(scenario.data);
  if (!data) return tl::unexpected(data.error());
  return std::make_shared<const DatasetPair>(std::move(*data));
}

Result<TrainingSpec> spec_of(const Scenario& scenario, const DatasetPair& data,
                             std::optional<std::int64_t> max_train_steps) {
  if (const std::optional<Error> error = unsupported_part_of(scenario))
    return tl::unexpected(*error);
  const ImageDataset& train = data.train;
  Result<NetworkDefinition> network =
      make_network(scenario.network,
                   {train.height, train.width, train.channels, train.classes, scenario.hidden});
  if (!network) {
    Error error = network.error();
    error.file = scenario.file;
    return tl::unexpected(error);
  }
  TrainingSpec spec;
  spec.network = std::move(*network);
  spec.sgd = std::get<SgdHyper>(scenario.optimizer);
  spec.lowering = scenario.lowering;
  spec.seed = scenario.seed;
  spec.length.train_samples = train.count;
  spec.length.test_samples = data.test.count;
  spec.length.batch = scenario.batch;
  spec.length.epochs = scenario.epochs;
  for (const std::optional<std::int64_t> limit : {scenario.steps, max_train_steps}) {
    if (!limit) continue;
    std::int64_t& steps = spec.length.max_train_steps;
    steps = steps < 0 ? *limit : std::min(steps, *limit);
  }
  const std::int64_t per_epoch = (train.count + scenario.batch - 1) / scenario.batch;
  spec.learning_rates = schedule_of(scenario, per_epoch).table(train_step_count(spec.length));
  return spec;
}

}  // namespace quintet
