/// Whether a message of a profiler says that it lost records.
#pragma once

#include <string_view>

namespace quintet {

/// True for "12 CUPTI buffers were dropped", "Not all CUDA events might have been collected" and the
/// like; false for texts that count none ("0 events dropped") and about anything else.
bool reports_dropped_records(std::string_view text);

}  // namespace quintet
