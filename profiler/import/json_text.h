/// The text of a JSON string: escapes resolved, bytes that are not UTF-8 detected.
#pragma once

#include <string>
#include <string_view>

#include "profiler/import/json_cursor.h"

namespace quintet {

/// The text of a string: a view of the raw bytes where there is nothing to resolve, else of `scratch`.
/// Half surrogate pairs and NUL become U+FFFD. Unknown escapes stay as they stand, backslash
/// included: "\c", and "\u" without four hexadecimal digits. Bytes that are not UTF-8 stay too.
std::string_view text_of(const JsonString& string, std::string& scratch);

/// Which escapes of a string do not stand for a character.
struct JsonEscapes {
  bool unknown = false;   ///< "C:\cuda": a program forgot to escape a backslash
  bool unpaired = false;  ///< half a surrogate pair, or NUL
};
JsonEscapes escapes_of(const JsonString& string);

bool is_utf8(std::string_view text);

}  // namespace quintet
