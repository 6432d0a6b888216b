#include "scenarios/cli/terminal.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace quintet {

namespace {

constexpr std::size_t kNarrowest = 60;
constexpr std::size_t kWidest = 200;

/// The locale variables in the order in which they count.
bool locale_is_utf8() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text(value);
    return text.find("UTF-8") != std::string_view::npos ||
           text.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

TextOptions terminal_options() {
  TextOptions options;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    options.width = std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest);
  }
  options.unicode = locale_is_utf8();
  return options;
}

}  // namespace quintet
