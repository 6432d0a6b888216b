/// Slowdowns planted on purpose, to see that a check finds them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace quintet {

/// Layer -> nanoseconds that each of its tasks takes longer.
using LayerDelays = std::map<std::string, std::int64_t>;

}  // namespace quintet
