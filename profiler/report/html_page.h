/// Putting a self-contained HTML page together out of text that is not to be trusted.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace quintet {

/// JSON that may stand in a script element: no `<`, so nothing can end the element or begin a
/// comment; no line separators that older readers take for line ends.
std::string for_script(const std::string& json);

/// Text that may stand in an element or a quoted attribute; control characters are escaped visibly.
std::string for_markup(const std::string& raw);

/// The page with each {{mark}} replaced once; what is put in is never searched again.
std::string fill_page(std::string_view page, const std::map<std::string, std::string>& parts);

}  // namespace quintet
