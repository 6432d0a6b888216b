#include "viewer/model/recorded_order.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "runtime/network/scenario_catalog.h"
#include "runtime/network/scenario_change.h"

namespace quintet::viewer {

namespace {

bool built_in(const std::string& name) {
  const auto known = scenario_catalog();
  return std::any_of(known.begin(), known.end(),
                     [&](const BuiltinScenario& each) { return each.name == name; });
}

}  // namespace

Result<RunOrder> recorded_order(const Document& document) {
  const ChangedName name = split_name(document.said("scenario"));
  if (!built_in(name.base)) {
    return fail(name.base.empty() ? std::string("the recording names no scenario that could be run")
                                  : fmt::format("the scenario {} is not built in", name.base),
                name.base.empty() ? "" : "measure it by: quintet tune RECORDING --measure 3");
  }
  Scenario changed;
  if (auto made = apply_changes(changed, name.changes); !made) return tl::unexpected(made.error());
  const auto changes = [&](const char* key) {
    return name.changes.find(std::string(key) + " = ") != std::string::npos;
  };
  RunOrder order;
  order.scenario = name.base;
  if (changes("batch")) order.batch = changed.batch;
  if (changes("precision")) order.precision = name_of(changed.precision);
  if (changes("lowering")) order.lowering = name_of(changed.lowering);
  order.resident_input = changed.resident_input;
  return order;
}

}  // namespace quintet::viewer
