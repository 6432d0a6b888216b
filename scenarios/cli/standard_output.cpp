#include "scenarios/cli/standard_output.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace quintet {

ExitCode print_output(std::string_view text, ExitCode status) {
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

}  // namespace quintet
