#include "scenarios/cli/expected_error.h"

#include <fmt/format.h>

namespace quintet {

std::string expected_error_text(double share, double worst_share) {
  if (share <= 0) return "its error is unknown: calibrate to learn it";
  std::string text = fmt::format("expect an error of {:.1f} %", 100 * share);
  if (worst_share > 0) text += fmt::format(", of {:.1f} % at worst", 100 * worst_share);
  return text;
}

nlohmann::ordered_json share_or_null(double share) {
  return share > 0 ? nlohmann::ordered_json(share) : nlohmann::ordered_json(nullptr);
}

}  // namespace quintet
