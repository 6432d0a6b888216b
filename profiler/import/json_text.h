/// What a JSON string says: escapes resolved, bytes that are no UTF-8 told.
#pragma once

#include <string>
#include <string_view>

#include "profiler/import/json_cursor.h"

namespace quintet {

/// The text of a string: a view of the raw bytes where there is nothing to resolve, else of `scratch`.
/// Half surrogate pairs and NUL become U+FFFD; unknown escapes stand for their letter. Bytes that
/// are no UTF-8 stay as they are.
std::string_view text_of(const JsonString& string, std::string& scratch);

bool is_utf8(std::string_view text);

}  // namespace quintet
