/// Text as the formats we write demand it.
#pragma once

#include <string>
#include <string_view>

namespace quintet {

/// The same text with each byte that is no UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace quintet
