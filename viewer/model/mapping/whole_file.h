/// Small text files that are always either as they were or whole.
#pragma once

#include <string>
#include <string_view>

#include "runtime/model/result.h"

namespace quintet {

/// Writes beside `path` and renames into place. Errors: the folder or the disk, with the system's
/// words; what was there before is then untouched.
Result<void> write_whole_file(const std::string& path, std::string_view text);

/// A file of this folder that is not there yet, of a name's letters and digits: "serial-edited.toml",
/// then "serial-edited-2.toml".
std::string unused_file(std::string_view name, std::string_view ending);

}  // namespace quintet
