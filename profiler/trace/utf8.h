/// Text as the formats we write demand it.
#pragma once

#include <string>
#include <string_view>

namespace quintet {

/// The same text with each byte that is no UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// The same text with everything visible that a terminal would obey and nobody would see: control
/// characters (C0, DEL, C1), marks that turn the direction of text, line separators, bytes that are no
/// UTF-8 and code points that XML forbids. They become `\n`, `\t`, `\r`, `\x1b` (ASCII and bad bytes)
/// or `\u009b`. Characters of `kept` stay as they are.
std::string visible_text(std::string_view text, std::string_view kept = {});

/// The same for a JSON document of valid UTF-8, in which only DEL and what lies beyond can be left raw:
/// always as `\u007f`, so that it says the same as before.
std::string visible_json(std::string_view json);

}  // namespace quintet
