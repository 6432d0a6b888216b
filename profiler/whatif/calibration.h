/// The constants of a device as text, as a recording keeps them: provenance key `calibration`.
#pragma once

#include <string>
#include <string_view>

#include "profiler/whatif/device_model.h"
#include "runtime/model/result.h"

namespace quintet {

inline constexpr std::string_view kCalibrationKey = "calibration";

/// One JSON object, times in ns; parse_calibration() of it gives the same model.
std::string calibration_text(const DeviceModel& device);

/// Errors: no JSON object, another schema, a constant that is missing, no number, negative or beyond
/// what any device has.
Result<DeviceModel> parse_calibration(std::string_view text);

}  // namespace quintet
