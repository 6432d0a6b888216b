/// A scenario: what is trained, on which data, how, and under which policy. A TOML file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/data/data_source.h"
#include "runtime/model/lowering.h"
#include "runtime/model/op.h"
#include "runtime/model/result.h"
#include "runtime/network/evaluation_weights.h"
#include "runtime/network/learning_rate.h"
#include "runtime/network/optimizer.h"
#include "runtime/network/precision.h"

namespace quintet {

/// The schedule as a file gives it; warm-up in steps or in epochs, not both; falls at milestones or
/// every so many epochs, not both.
struct LearningRateSetup {
  ScheduleKind schedule = ScheduleKind::constant;
  double peak = 0.01;
  double final_rate = 0;
  std::int64_t warmup_steps = 0;
  double warmup_epochs = 0;
  double power = 1;                      ///< polynomial
  double gamma = 0.1;                    ///< step
  std::vector<std::int64_t> milestones;  ///< step: epochs, rising
  std::int64_t every_epochs = 0;         ///< step; 0 = at the milestones
};

struct Scenario {
  std::string name;
  std::string description;
  std::string file;                  ///< where it was read; cited in errors
  std::string text;                  ///< the TOML it was read from
  std::string network;               ///< a name of the network catalog
  std::vector<std::int64_t> hidden;  ///< widths of the hidden layers; mlp only
  DataSource data;
  std::int64_t batch = 64;
  std::int64_t epochs = 1;
  std::optional<std::int64_t> steps;  ///< stops training after so many steps, whatever the epochs
  Precision precision = Precision::fp32;
  Lowering lowering = Lowering::article;
  OptimizerHyper optimizer;
  std::optional<EmaHyper> ema;  ///< nothing = no averages of weights are kept
  EvaluationWeights evaluate = EvaluationWeights::trained;
  LossHyper loss;
  std::int64_t micro_batches = 1;  ///< batches whose gradients are added up before each update
  bool resident_input = false;     ///< RunLength::resident_input: for step times without transfers
  LearningRateSetup learning_rate;
  std::string policy = "renaissance";  ///< name or path; the command line may choose another
  std::uint64_t seed = 1;              ///< of starting weights and of the order of images
};

/// The schedule of a run: epochs are turned into steps, and a cosine comes down at the end of
/// `epochs`, wherever `steps` stops.
LearningRateSchedule schedule_of(const Scenario& scenario, std::int64_t steps_per_epoch);

/// Parses and validates. Errors name file, line and cure: unknown keys and names, values out of
/// range, what is not implemented.
Result<Scenario> parse_scenario(std::string_view text, const std::string& file);
/// Reads a scenario file.
Result<Scenario> load_scenario(const std::string& path);

}  // namespace quintet
