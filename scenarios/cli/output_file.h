/// Files that the command writes: whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "runtime/model/result.h"

namespace quintet {

/// Writes `text` beside `path` and renames it into place, so that a failure leaves what was there
/// before. Creates no folders.
Result<void> write_file(const std::string& path, std::string_view text);

}  // namespace quintet
