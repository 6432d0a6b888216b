/// Files that the command writes: whole or not at all.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "profiler/report/byte_sink.h"
#include "runtime/model/result.h"

namespace quintet {

/// Writes `text` beside `path` and renames it into place, so that a failure leaves what was there
/// before. Creates no folders.
Result<void> write_file(const std::string& path, std::string_view text);
/// The same of what `write` sends to its sink, piece by piece. Its errors leave what was there, too.
Result<void> write_file(const std::string& path,
                        const std::function<Result<void>(const ByteSink&)>& write);

}  // namespace quintet
