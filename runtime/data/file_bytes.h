/// The bytes of a whole file, as the readers of data sets want them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/model/result.h"

namespace quintet {

/// Errors: no such file, a folder, not permitted. They leave the cure to the caller where only he
/// knows the source.
Result<std::vector<std::uint8_t>> read_bytes(const std::string& path);

}  // namespace quintet
