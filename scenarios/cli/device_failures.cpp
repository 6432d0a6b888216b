#include "scenarios/cli/device_failures.h"

#include <fmt/format.h>

namespace quintet {

DeviceFailures failures_since(const DeviceFailures& before, const DeviceFailures& after) {
  DeviceFailures since;
  for (const auto& [text, count] : after) {
    const auto known = before.find(text);
    const std::int64_t fresh = count - (known == before.end() ? 0 : known->second);
    if (fresh > 0) since.emplace(text, fresh);
  }
  return since;
}

std::optional<Finding> finding_of(const DeviceFailures& failures) {
  if (failures.empty()) return std::nullopt;
  std::int64_t all = 0;
  std::string list;
  for (const auto& [text, count] : failures) {
    all += count;
    list += list.empty() ? text : "; " + text;
    if (count > 1) list += fmt::format(" ({} times)", count);
  }
  return Finding{Severity::error, "device_failures",
                 fmt::format("giving back what was held of the GPU failed {}: {}",
                             all == 1 ? std::string("once") : fmt::format("{} times", all), list),
                 all};
}

}  // namespace quintet
