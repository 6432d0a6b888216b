/// The page of the HTML report: its parts as text, built in from profiler/report/assets.
#pragma once

#include <string_view>

namespace quintet {

/// The document with the marks {{title}}, {{style}}, {{script}} and {{data}}.
std::string_view html_page();
std::string_view html_style();
std::string_view html_script();
/// The part of the script that other pages share: small tools and the timeline.
std::string_view html_timeline_script();

}  // namespace quintet
