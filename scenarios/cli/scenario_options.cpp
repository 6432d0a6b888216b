#include "scenarios/cli/scenario_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <fmt/format.h>

#include "runtime/network/scenario_catalog.h"
#include "scenarios/cli/recorded_catalog.h"

namespace quintet {

namespace {

constexpr std::array kPrecisions = {Precision::fp32, Precision::amp};
constexpr std::array kLowerings = {Lowering::article, Lowering::fused};

template <class Values>
std::vector<std::string> names(const Values& values) {
  std::vector<std::string> texts;
  for (const auto value : values)
    texts.emplace_back(name_of(value));
  return texts;
}

/// CLI11's own range check quotes its bounds as doubles.
CLI::Validator count_from_one() {
  return {[](const std::string& text) {
            std::int64_t count = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, count);
            const bool fine = error == std::errc() && stop == end && count > 0;
            return fine ? std::string() : fmt::format("{} is no whole number from 1 up", text);
          },
          "COUNT"};
}

/// The value of that name; the parser has checked that there is one.
template <class Values>
auto named(const std::string& text, const Values& values) {
  for (const auto value : values) {
    if (name_of(value) == text) return value;
  }
  return values.front();
}

}  // namespace

void add_scenario_options(CLI::App& app, ScenarioOptions& options) {
  app.add_option("scenario", options.scenario, "Built-in scenario or scenario file")->required();
  app.add_option("--batch", options.batch, "Override the batch")->check(count_from_one());
  app.add_option("--epochs", options.epochs, "Override the epochs")->check(count_from_one());
  app.add_option("--steps", options.steps, "Train at most so many steps")->check(count_from_one());
  app.add_option("--precision", options.precision, "Override the number format")
      ->check(CLI::IsMember(names(kPrecisions)));
  app.add_option("--lowering", options.lowering, "Override how ops become tasks")
      ->check(CLI::IsMember(names(kLowerings)));
  app.add_flag("--resident-input", options.resident_input,
               "Train on the first two batches again and again, without transfers and evaluation");
}

Result<Scenario> choose_scenario(const ScenarioOptions& options) {
  if (means_recorded(options.scenario)) {
    return fail(fmt::format("{} was recorded elsewhere, it is no scenario", options.scenario),
                fmt::format("show it: quintet run {}", options.scenario));
  }
  Result<Scenario> scenario = find_scenario(options.scenario);
  if (!scenario) return scenario;
  std::string changed;
  const auto note = [&](std::string_view key, std::string_view value) {
    changed += fmt::format("{}{} = {}", changed.empty() ? "" : ", ", key, value);
  };
  if (options.batch) {
    scenario->batch = *options.batch;
    note("batch", std::to_string(*options.batch));
  }
  if (!options.precision.empty()) {
    scenario->precision = named(options.precision, kPrecisions);
    note("precision", options.precision);
  }
  if (!options.lowering.empty()) {
    scenario->lowering = named(options.lowering, kLowerings);
    note("lowering", options.lowering);
  }
  if (options.resident_input) {
    scenario->resident_input = true;
    note("resident_input", "true");
  }
  if (options.epochs) scenario->epochs = *options.epochs;
  if (options.steps) scenario->steps = *options.steps;
  if (!changed.empty()) scenario->name += fmt::format(" ({})", changed);
  return scenario;
}

}  // namespace quintet
