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

constexpr std::array<std::string_view, 2> kLoweringNames = {name_of(Lowering::article),
                                                            name_of(Lowering::fused)};
constexpr std::array<std::string_view, 2> kPrecisionNames = {name_of(Precision::fp32),
                                                             name_of(Precision::amp)};
constexpr std::array<std::string_view, 4> kSchedules = {
    name_of(ScheduleKind::constant), name_of(ScheduleKind::cosine), name_of(ScheduleKind::step),
    name_of(ScheduleKind::polynomial)};
constexpr std::array<std::string_view, 2> kEvaluationWeights = {"trained", "average"};
constexpr Bounds<std::int64_t> kSeeds{0, std::numeric_limits<std::int64_t>::max()};
/// Wide enough for every image data set, and products of a few of them do not overflow.
constexpr Bounds<std::int64_t> kCounts{1, 1'000'000'000};
constexpr Bounds<std::int64_t> kSides{1, 65'536};
constexpr Bounds<std::int64_t> kMicroBatches{1, 4096};

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
    read_ema();
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
    if (const auto lowering = root_.choice("lowering", kLoweringNames)) {
      scenario_.lowering = static_cast<Lowering>(lowering->value);
    }
    if (const auto precision = root_.choice("precision", kPrecisionNames)) {
      scenario_.precision = static_cast<Precision>(precision->value);
    }
    if (const auto count = root_.integer("micro_batches", kMicroBatches)) {
      scenario_.micro_batches = count->value;
    }
    if (const auto smoothing = root_.number("label_smoothing", {0, 1})) {
      scenario_.loss.smoothing = static_cast<float>(smoothing->value);
      if (smoothing->value == 1)
        errors_.add(smoothing->line, "label_smoothing = 1 ignores the labels", "use less than 1");
    }
    if (const auto resident = root_.flag("resident_input"))
      scenario_.resident_input = resident->value;
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
    const auto directory = data.text("directory");
    if (dataset && !generated && !reader_catalog()[dataset->value].installed) {
      data.require("directory", directory.has_value(), "directory = \"cifar-10-batches-bin\"");
    }
    if (directory) {
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
    take("classes", {1, 65536}, sizes.classes);
  }

  void read_optimizer() {
    TomlSection optimizer = root_.section("optimizer");
    root_.require("optimizer", optimizer.present(), "[optimizer] with kind = \"sgd\"");
    const auto kind = optimizer.choice("kind", kOptimizerNames);
    if (optimizer.present()) {
      optimizer.require("kind", kind.has_value(), "kind = \"sgd\"");
    }
    // In the order of the names. Without a kind all of them read, so that no key counts as unknown.
    using Reader = OptimizerHyper (ScenarioParser::*)(TomlSection&);
    constexpr std::array<Reader, kOptimizerNames.size()> kReaders = {
        &ScenarioParser::read_sgd, &ScenarioParser::read_adam, &ScenarioParser::read_adamw,
        &ScenarioParser::read_lars};
    for (std::size_t i = 0; i < kReaders.size(); ++i) {
      if (!kind || kind->value == i) scenario_.optimizer = (this->*kReaders[i])(optimizer);
    }
    optimizer.finish();
  }

  static void take(TomlSection& section, std::string_view key, Bounds<double> bounds, float& into) {
    if (const auto given = section.number(key, bounds)) into = static_cast<float>(given->value);
  }

  /// The share of the past that is kept: below 1.
  void take_memory(TomlSection& section, std::string_view path, std::string_view what,
                   float& into) {
    const auto given = section.number(path.substr(path.find('.') + 1), {0, 1});
    if (!given) return;
    into = static_cast<float>(given->value);
    if (given->value >= 1) {
      errors_.add(given->line, fmt::format("{} = 1 never forgets {}", path, what),
                  "use less than 1");
    }
  }

  OptimizerHyper read_sgd(TomlSection& optimizer) {
    SgdHyper sgd;
    take_memory(optimizer, "optimizer.momentum", "a gradient", sgd.momentum);
    take(optimizer, "weight_decay", {0, 1}, sgd.weight_decay);
    const auto nesterov = optimizer.flag("nesterov");
    sgd.nesterov = nesterov && nesterov->value;
    if (sgd.nesterov && sgd.momentum == 0) {
      errors_.add(nesterov->line, "optimizer.nesterov = true needs a momentum",
                  "add momentum = 0.9 or set nesterov = false");
    }
    return sgd;
  }

  void read_adam_into(TomlSection& optimizer, AdamHyper& adam) {
    take_memory(optimizer, "optimizer.beta1", "a gradient", adam.beta1);
    take_memory(optimizer, "optimizer.beta2", "a gradient", adam.beta2);
    take(optimizer, "epsilon", {0, 1}, adam.epsilon);
    take(optimizer, "weight_decay", {0, 1}, adam.weight_decay);
  }

  OptimizerHyper read_adam(TomlSection& optimizer) {
    AdamHyper adam;
    read_adam_into(optimizer, adam);
    return adam;
  }

  OptimizerHyper read_adamw(TomlSection& optimizer) {
    AdamWHyper adamw;
    read_adam_into(optimizer, adamw);
    return adamw;
  }

  OptimizerHyper read_lars(TomlSection& optimizer) {
    LarsHyper lars;
    take_memory(optimizer, "optimizer.momentum", "a gradient", lars.momentum);
    take(optimizer, "weight_decay", {0, 1}, lars.weight_decay);
    take(optimizer, "trust", {0, 1000}, lars.trust);
    take(optimizer, "epsilon", {0, 1}, lars.epsilon);
    return lars;
  }

  void read_ema() {
    TomlSection section = root_.section("ema");
    if (!section.present()) return;
    EmaHyper ema{-1};
    take_memory(section, "ema.decay", "the first weights", ema.decay);
    section.require("decay", ema.decay >= 0, "decay = 0.999");
    const auto evaluate = section.choice("evaluate", kEvaluationWeights);
    section.finish();
    scenario_.ema = ema;
    scenario_.evaluate = EvaluationWeights::average;
    if (evaluate) scenario_.evaluate = static_cast<EvaluationWeights>(evaluate->value);
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
    read_descent(rate, schedule.has_value(), peak.has_value());
    read_falls(rate, schedule.has_value());
    read_warmup(rate);
    rate.finish();
  }

  /// Reports a key that the schedule does not know; `right` is one that does.
  void refuse_unless(bool known, std::string_view key, int line, ScheduleKind right) {
    if (known) return;
    errors_.add(line,
                fmt::format("learning_rate.{} is given, but the schedule is {}", key,
                            name_of(scenario_.learning_rate.schedule)),
                fmt::format("delete the key or set schedule = \"{}\"", name_of(right)));
  }

  /// What cosine and polynomial have of their own.
  void read_descent(TomlSection& rate, bool scheduled, bool peak_given) {
    LearningRateSetup& setup = scenario_.learning_rate;
    const bool polynomial = setup.schedule == ScheduleKind::polynomial;
    if (const auto lowest = rate.number("final", {0, 1000})) {
      setup.final_rate = lowest->value;
      refuse_unless(!scheduled || polynomial || setup.schedule == ScheduleKind::cosine, "final",
                    lowest->line, ScheduleKind::cosine);
      if (peak_given && lowest->value > setup.peak) {
        errors_.add(lowest->line,
                    fmt::format("learning_rate.final = {} is above the peak, {}", lowest->value,
                                setup.peak),
                    "use the peak or less");
      }
    }
    if (const auto power = rate.number("power", {0, 100})) {
      setup.power = power->value;
      refuse_unless(!scheduled || polynomial, "power", power->line, ScheduleKind::polynomial);
    }
  }

  /// What the step schedule has of its own.
  void read_falls(TomlSection& rate, bool scheduled) {
    LearningRateSetup& setup = scenario_.learning_rate;
    const bool known = !scheduled || setup.schedule == ScheduleKind::step;
    if (const auto gamma = rate.number("gamma", {0, 1})) {
      setup.gamma = gamma->value;
      refuse_unless(known, "gamma", gamma->line, ScheduleKind::step);
    }
    const auto milestones = rate.integers("milestones", kCounts);
    if (!milestones.empty())
      refuse_unless(known, "milestones", milestones.front().line, ScheduleKind::step);
    for (const auto& milestone : milestones)
      take_milestone(milestone);
    const auto every = rate.integer("every_epochs", kCounts);
    if (every) {
      setup.every_epochs = every->value;
      refuse_unless(known, "every_epochs", every->line, ScheduleKind::step);
    }
    if (every && !milestones.empty()) {
      errors_.add(std::max(every->line, milestones.front().line),
                  "the rate falls both at milestones and every so many epochs",
                  "delete one of the two");
    }
    if (scheduled && setup.schedule == ScheduleKind::step) {
      rate.require("milestones", every || !milestones.empty(),
                   "milestones = [30, 60, 80] or every_epochs = 30");
    }
  }

  void take_milestone(const Located<std::int64_t>& milestone) {
    std::vector<std::int64_t>& taken = scenario_.learning_rate.milestones;
    if (!taken.empty() && milestone.value <= taken.back()) {
      errors_.add(milestone.line,
                  fmt::format("the milestone of epoch {} comes after that of epoch {}",
                              milestone.value, taken.back()),
                  "list them in rising order");
    }
    if (milestone.value >= scenario_.epochs) {
      errors_.add(milestone.line,
                  fmt::format("the milestone of epoch {} is not within the run of {}",
                              milestone.value, scenario_.epochs),
                  "use fewer than epochs");
    }
    taken.push_back(milestone.value);
  }

  void read_warmup(TomlSection& rate) {
    LearningRateSetup& setup = scenario_.learning_rate;
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
  schedule.power = setup.power;
  schedule.gamma = setup.gamma;
  for (const std::int64_t epoch : setup.milestones)
    schedule.milestones.push_back(epoch * steps_per_epoch);
  schedule.every_steps = setup.every_epochs * steps_per_epoch;
  return schedule;
}

Result<Scenario> parse_scenario(std::string_view text, const std::string& file) {
  const auto document = TomlDocument::parse(text, file);
  if (!document) return tl::unexpected(document.error());
  TomlErrors errors(file);
  Scenario scenario = ScenarioParser(document->root(errors), errors, file).parse();
  if (errors.first()) return tl::unexpected(*errors.first());
  scenario.text = text;
  return scenario;
}

Result<Scenario> load_scenario(const std::string& path) {
  const auto text = read_text_file(path, "scenario file");
  if (!text) return tl::unexpected(text.error());
  return parse_scenario(*text, path);
}

}  // namespace quintet
