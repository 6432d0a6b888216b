#include "runtime/network/scenario.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <type_traits>
#include <utility>

#include "runtime/data/reader_catalog.h"
#include "runtime/network/network_catalog.h"
#include "runtime/policy/toml_section.h"

namespace quintet {

namespace {

constexpr std::array<std::string_view, 2> kLowerings = {name_of(Lowering::article),
                                                        name_of(Lowering::fused)};
constexpr std::array<std::string_view, 2> kPrecisions = {"fp32", "amp"};
constexpr std::array<std::string_view, 1> kOptimizers = {"sgd"};
constexpr std::array<std::string_view, 2> kSchedules = {name_of(ScheduleKind::constant),
                                                        name_of(ScheduleKind::cosine)};
constexpr Bounds<std::int64_t> kSeeds{0, std::numeric_limits<std::int64_t>::max()};
/// Wide enough for every image data set, and products of a few of them do not overflow.
constexpr Bounds<std::int64_t> kCounts{1, 1'000'000'000};
constexpr Bounds<std::int64_t> kSides{1, 65'536};

template <class Catalog>
std::vector<std::string_view> names_in(const Catalog& catalog) {
  std::vector<std::string_view> names;
  for (const auto& entry : catalog)
    names.push_back(entry.name);
  return names;
}

/// Reads one scenario: a function for each table of the file.
class ScenarioParser {
 public:
  ScenarioParser(TomlSection root, TomlErrors& errors, const std::string& file)
      : root_(std::move(root)), errors_(errors) {
    scenario_.file = file;
  }

  Scenario parse() {
    read_head();
    read_network();
    read_data();
    read_optimizer();
    read_learning_rate();
    root_.finish();
    return std::move(scenario_);
  }

 private:
  void read_head() {
    const auto name = root_.text("name");
    root_.require("name", name.has_value(), "name = \"my-scenario\"");
    if (name) scenario_.name = name->value;
    if (name && name->value.empty()) errors_.add(name->line, "name is empty", "give it a name");
    if (const auto text = root_.text("description")) scenario_.description = text->value;
    const auto batch = root_.integer("batch", kCounts);
    root_.require("batch", batch.has_value(), "batch = 64");
    if (batch) scenario_.batch = batch->value;
    if (const auto epochs = root_.integer("epochs", kCounts)) scenario_.epochs = epochs->value;
    if (const auto steps = root_.integer("steps", kCounts)) scenario_.steps = steps->value;
    if (const auto lowering = root_.choice("lowering", kLowerings)) {
      scenario_.lowering = static_cast<Lowering>(lowering->value);
    }
    const auto precision = root_.choice("precision", kPrecisions);
    if (precision && kPrecisions[precision->value] != name_of(Precision::fp32)) {
      errors_.add(
          precision->line,
          fmt::format("precision = \"{}\" is not implemented", kPrecisions[precision->value]),
          "use \"fp32\", the only one that is");
    }
    if (const auto policy = root_.text("policy")) scenario_.policy = policy->value;
    if (const auto seed = root_.integer("seed", kSeeds)) {
      scenario_.seed = static_cast<std::uint64_t>(seed->value);
    }
  }

  void read_network() {
    const auto networks = names_in(network_catalog());
    const auto network = root_.choice("network", networks);
    root_.require("network", network.has_value(), "network = \"lenet5\"");
    if (network) scenario_.network = networks[network->value];
    TomlSection mlp = root_.section("mlp");
    for (const auto& [width, line] : mlp.integers("hidden", kSides))
      scenario_.hidden.push_back(width);
    mlp.finish();
    if (mlp.present() && network && scenario_.network != "mlp") {
      errors_.add(mlp.line(),
                  fmt::format("[mlp] is given, but the network is {}", scenario_.network),
                  "delete the table or set network = \"mlp\"");
    }
  }

  void read_data() {
    TomlSection data = root_.section("data");
    root_.require("data", data.present(), "[data] with dataset = \"fashion-mnist\"");
    const auto readers = names_in(reader_catalog());
    const auto dataset = data.choice("dataset", readers);
    if (data.present()) {
      data.require("dataset", dataset.has_value(), "dataset = \"fashion-mnist\"");
    }
    const bool generated = dataset && reader_catalog()[dataset->value].generated;
    if (dataset) scenario_.data.dataset = readers[dataset->value];
    if (const auto directory = data.text("directory")) {
      scenario_.data.directory = directory->value;
      if (generated) {
        errors_.add(
            directory->line,
            fmt::format("data.directory is given, but {} reads no file", scenario_.data.dataset),
            "delete the key");
      }
    }
    read_generated(data, dataset.has_value() && !generated);
    data.finish();
  }

  void read_generated(TomlSection& data, bool from_files) {
    GeneratedSizes& sizes = scenario_.data.generated;
    const auto take = [&](std::string_view key, Bounds<std::int64_t> bounds, auto& into) {
      const auto given = data.integer(key, bounds);
      if (!given) return;
      into = static_cast<std::remove_reference_t<decltype(into)>>(given->value);
      if (from_files) {
        errors_.add(
            given->line,
            fmt::format("data.{} is given, but {} is read from files", key, scenario_.data.dataset),
            "delete the key");
      }
    };
    take("seed", kSeeds, scenario_.data.seed);
    take("train", kCounts, sizes.train);
    take("test", kCounts, sizes.test);
    take("height", kSides, sizes.height);
    take("width", kSides, sizes.width);
    take("channels", kSides, sizes.channels);
    take("classes", {1, 256}, sizes.classes);
  }

  void read_optimizer() {
    TomlSection optimizer = root_.section("optimizer");
    root_.require("optimizer", optimizer.present(), "[optimizer] with kind = \"sgd\"");
    const auto kind = optimizer.choice("kind", kOptimizers);
    if (optimizer.present()) {
      optimizer.require("kind", kind.has_value(), "kind = \"sgd\"");
    }
    SgdHyper& sgd = scenario_.optimizer;
    // Without momentum, [optimizer] means plain descent: the file says what is done.
    const auto momentum = optimizer.number("momentum", {0, 1});
    sgd.momentum = momentum ? static_cast<float>(momentum->value) : 0.0F;
    if (momentum && momentum->value >= 1) {
      errors_.add(momentum->line, "optimizer.momentum = 1 never forgets a gradient",
                  "use less than 1");
    }
    if (const auto decay = optimizer.number("weight_decay", {0, 1})) {
      sgd.weight_decay = static_cast<float>(decay->value);
    }
    const auto nesterov = optimizer.flag("nesterov");
    sgd.nesterov = nesterov && nesterov->value;
    if (sgd.nesterov && sgd.momentum == 0) {
      errors_.add(nesterov->line, "optimizer.nesterov = true needs a momentum",
                  "add momentum = 0.9 or set nesterov = false");
    }
    optimizer.finish();
  }

  void read_learning_rate() {
    TomlSection rate = root_.section("learning_rate");
    root_.require("learning_rate", rate.present(), "[learning_rate] with schedule and peak");
    LearningRateSetup& setup = scenario_.learning_rate;
    const auto schedule = rate.choice("schedule", kSchedules);
    const auto peak = rate.number("peak", {0, 1000});
    if (rate.present()) {
      rate.require("schedule", schedule.has_value(), "schedule = \"cosine\"");
      rate.require("peak", peak.has_value(), "peak = 0.05");
    }
    if (schedule) setup.schedule = static_cast<ScheduleKind>(schedule->value);
    if (peak) setup.peak = peak->value;
    const auto lowest = rate.number("final", {0, 1000});
    if (lowest) setup.final_rate = lowest->value;
    if (lowest && schedule && setup.schedule == ScheduleKind::constant) {
      errors_.add(lowest->line, "learning_rate.final is given, but the schedule is constant",
                  "delete the key or set schedule = \"cosine\"");
    }
    if (lowest && peak && lowest->value > peak->value) {
      errors_.add(
          lowest->line,
          fmt::format("learning_rate.final = {} is above the peak, {}", lowest->value, peak->value),
          "use the peak or less");
    }
    const auto steps = rate.integer("warmup_steps", {0, kCounts.highest});
    const auto epochs = rate.number("warmup_epochs", {0, 1e6});
    if (steps) setup.warmup_steps = steps->value;
    if (epochs) setup.warmup_epochs = epochs->value;
    if (steps && epochs) {
      errors_.add(std::max(steps->line, epochs->line),
                  "the warm-up is given both in steps and in epochs", "delete one of the two");
    }
    if (epochs && epochs->value >= static_cast<double>(scenario_.epochs)) {
      errors_.add(epochs->line,
                  fmt::format("the warm-up of {} epochs fills the run of {}", epochs->value,
                              scenario_.epochs),
                  "use fewer than epochs");
    }
    rate.finish();
  }

  TomlSection root_;
  TomlErrors& errors_;
  Scenario scenario_;
};

}  // namespace

LearningRateSchedule schedule_of(const Scenario& scenario, std::int64_t steps_per_epoch) {
  const LearningRateSetup& setup = scenario.learning_rate;
  LearningRateSchedule schedule;
  schedule.kind = setup.schedule;
  schedule.peak = setup.peak;
  schedule.final_rate = setup.final_rate;
  schedule.warmup_steps =
      setup.warmup_steps + std::llround(setup.warmup_epochs * static_cast<double>(steps_per_epoch));
  schedule.total_steps = scenario.epochs * steps_per_epoch;
  return schedule;
}

Result<Scenario> parse_scenario(std::string_view text, const std::string& file) {
  const auto document = TomlDocument::parse(text, file);
  if (!document) return tl::unexpected(document.error());
  TomlErrors errors(file);
  Scenario scenario = ScenarioParser(document->root(errors), errors, file).parse();
  if (errors.first()) return tl::unexpected(*errors.first());
  return scenario;
}

Result<Scenario> load_scenario(const std::string& path) {
  const auto text = read_text_file(path, "scenario file");
  if (!text) return tl::unexpected(text.error());
  return parse_scenario(*text, path);
}

}  // namespace quintet
