/// What a run failed at when it gave back what it held of a GPU, in words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "profiler/trace/trace.h"

namespace quintet {

/// What was tried and the library's reason ("destroying a stream: invalid argument") -> how often, in
/// this process.
using DeviceFailures = std::map<std::string, std::int64_t>;

/// Those of `after` that `before` does not have yet.
DeviceFailures failures_since(const DeviceFailures& before, const DeviceFailures& after);

/// The finding `device_failures`, which counts and names them; nothing where there are none.
std::optional<Finding> finding_of(const DeviceFailures& failures);

}  // namespace quintet
