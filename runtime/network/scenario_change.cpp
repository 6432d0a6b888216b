#include "runtime/network/scenario_change.h"

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "runtime/policy/nearest_name.h"

namespace quintet {

namespace {

constexpr std::array kPrecisions = {Precision::fp32, Precision::amp};
constexpr std::array kLowerings = {Lowering::article, Lowering::fused};
constexpr std::array<std::string_view, 6> kKeys = {"batch",          "precision", "lowering",
                                                   "resident_input", "epochs",    "steps"};
constexpr std::string_view kSeparator = " = ";

/// As in a scenario file: epochs times the steps of one stay a number.
constexpr std::int64_t kMostOfACount = 1'000'000'000;

std::optional<std::int64_t> count_of(std::string_view text) {
  std::int64_t count = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  if (count < 1 || count > kMostOfACount) return std::nullopt;
  return count;
}

template <class Values, class Value>
bool choose(std::string_view text, const Values& values, Value& value) {
  for (const Value known : values) {
    if (name_of(known) != text) continue;
    value = known;
    return true;
  }
  return false;
}

/// Sets the value; false where the text is none. `known` is set for every key there is.
bool set_value(Scenario& scenario, std::string_view key, std::string_view value, bool& known) {
  known = true;
  const std::optional<std::int64_t> count = count_of(value);
  if (key == "batch") {
    scenario.batch = count.value_or(scenario.batch);
    return count.has_value();
  }
  if (key == "epochs") {
    scenario.epochs = count.value_or(scenario.epochs);
    return count.has_value();
  }
  if (key == "steps") {
    if (count) scenario.steps = count;
    return count.has_value();
  }
  if (key == "precision") return choose(value, kPrecisions, scenario.precision);
  if (key == "lowering") return choose(value, kLowerings, scenario.lowering);
  if (key == "resident_input") {
    scenario.resident_input = value == "true";
    return value == "true" || value == "false";
  }
  known = false;
  return false;
}

void note(Scenario& scenario, std::string_view key, std::string_view value) {
  const std::string change = fmt::format("{}{}{}", key, kSeparator, value);
  if (scenario.name.ends_with(')')) {
    scenario.name.pop_back();
    scenario.name += ", " + change + ")";
  } else {
    scenario.name += " (" + change + ")";
  }
}

}  // namespace

Result<void> change_scenario(Scenario& scenario, std::string_view key, std::string_view value) {
  bool known = false;
  if (!set_value(scenario, key, value, known)) {
    if (!known) {
      return fail(fmt::format("a scenario has no value \"{}\" that can be changed", key),
                  suggestion(key, kKeys));
    }
    return fail(
        fmt::format("\"{}\" is no value of {}", value, key),
        "counts are whole numbers from 1 to 1,000,000,000; precision is fp32 or amp, lowering "
        "article or fused, resident_input true or false");
  }
  if (key != "epochs" && key != "steps") note(scenario, key, value);
  return {};
}

ChangedName split_name(std::string_view name) {
  const std::size_t open = name.find(" (");
  if (open == std::string_view::npos || !name.ends_with(')')) return {std::string(name), {}};
  const std::size_t begin = open + 2;
  return {std::string(name.substr(0, open)),
          std::string(name.substr(begin, name.size() - begin - 1))};
}

Result<void> apply_changes(Scenario& scenario, std::string_view changes) {
  while (!changes.empty()) {
    const std::size_t end = changes.find(", ");
    const std::string_view change = changes.substr(0, end);
    const std::size_t middle = change.find(kSeparator);
    if (middle == std::string_view::npos) {
      return fail(fmt::format("\"{}\" is no change of a scenario", change), "write key = value");
    }
    auto changed = change_scenario(scenario, change.substr(0, middle),
                                   change.substr(middle + kSeparator.size()));
    if (!changed) return changed;
    changes = end == std::string_view::npos ? std::string_view() : changes.substr(end + 2);
  }
  return {};
}

}  // namespace quintet
