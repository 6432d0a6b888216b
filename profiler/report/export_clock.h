/// The zero of the times that an exported timeline carries.
#pragma once

#include <cstdint>
#include <optional>

#include "profiler/trace/trace.h"

namespace quintet {

/// When the first slice of the trace begins; 0 where it has none.
std::int64_t first_begin_ns(const Trace& trace);

/// What the provenance says to add to a time for Unix time; nothing where it says none, or no
/// whole number.
std::optional<std::int64_t> realtime_offset_ns(const Trace& trace);

}  // namespace quintet
