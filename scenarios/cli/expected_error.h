/// How far off a prediction may be, in words and in JSON; unknown is never 0.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace quintet {

/// Shares of the step time, 0 = unknown: the median and the worst.
std::string expected_error_text(double share, double worst_share = 0);

/// Null where the share is 0: unknown.
nlohmann::ordered_json share_or_null(double share);

}  // namespace quintet
