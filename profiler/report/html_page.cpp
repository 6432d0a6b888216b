#include "profiler/report/html_page.h"

#include "profiler/trace/utf8.h"

namespace quintet {

std::string for_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (std::size_t index = 0; index < json.size(); ++index) {
    const std::string_view rest = std::string_view(json).substr(index);
    if (json[index] == '<') {
      text += "\\u003c";
    } else if (json[index] == '>') {
      text += "\\u003e";
    } else if (json[index] == '&') {
      text += "\\u0026";
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      text += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
      index += 2;
    } else {
      text += json[index];
    }
  }
  return text;
}

std::string for_markup(const std::string& raw) {
  std::string text;
  for (const char each : visible_text(raw, "\n\t")) {
    switch (each) {
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '&':
        text += "&amp;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:  // over characters, not an enum
        text += each;
    }
  }
  return text;
}

std::string fill_page(std::string_view page, const std::map<std::string, std::string>& parts) {
  std::string text;
  while (true) {
    const std::size_t open = page.find("{{");
    const std::size_t close = page.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    text += page.substr(0, open);
    const auto part = parts.find(std::string(page.substr(open + 2, close - open - 2)));
    if (part != parts.end()) text += part->second;
    page.remove_prefix(close + 2);
  }
  return text + std::string(page);
}

}  // namespace quintet
