/// The page of a comparison: its parts as text, built in from profiler/compare/assets.
#pragma once

#include <string_view>

namespace quintet {

/// The document with the marks {{title}}, {{style}}, {{script}} and {{data}}.
std::string_view compare_page();
/// What comes after the script that it shares with the report's page.
std::string_view compare_script();

}  // namespace quintet
