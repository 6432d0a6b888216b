#include "scenarios/cli/standard_output.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

ExitCode print_raw(std::string_view text, ExitCode status) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return status;
    } else if (errno != EINTR) {
      return report_failure(std::string("cannot write standard output: ") + std::strerror(errno));
    }
  }
  return status;
}

}  // namespace

ExitCode print_output(std::string_view text, ExitCode status) {
  return print_raw(visible_text(text, "\n\t"), status);
}

ExitCode print_document(std::string_view text, ExitCode status) {
  return isatty(STDOUT_FILENO) != 0 ? print_output(text, status) : print_raw(text, status);
}

}  // namespace quintet
