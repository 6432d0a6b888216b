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
#include "runtime/network/learning_rate.h"

namespace quintet {

/// Precision of activations and gradients. `amp` is known by name and not implemented yet.
enum class Precision : std::uint8_t { fp32 };

constexpr std::string_view name_of(Precision) {
  return "fp32";
}

/// The schedule as a file gives it; warm-up in steps or in epochs, not both.
struct LearningRateSetup {
  ScheduleKind schedule = ScheduleKind::constant;
  double peak = 0.01;
  double final_rate = 0;
  std::int64_t warmup_steps = 0;
  double warmup_epochs = 0;
};

struct Scenario {
  std::string name;
  std::string description;
  std::string file;                  ///< where it was read; cited in errors
  std::string network;               ///< a name of the network catalog
  std::vector<std::int64_t> hidden;  ///< widths of the hidden layers; mlp only
  DataSource data;
  std::int64_t batch = 64;
  std::int64_t epochs = 1;
  std::optional<std::int64_t> steps;  ///< stops training after so many steps, whatever the epochs
  Precision precision = Precision::fp32;
  Lowering lowering = Lowering::article;
  SgdHyper optimizer;
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
