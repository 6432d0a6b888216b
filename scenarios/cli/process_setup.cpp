#include "scenarios/cli/process_setup.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace quintet {

namespace {

void occupy_standard_descriptors() {
  constexpr std::array kWrongWay = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    // open takes the lowest free number, which is this one: those below are in use.
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) open("/dev/null", kWrongWay[descriptor]);
  }
}

}  // namespace

void prepare_process() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  occupy_standard_descriptors();
}

}  // namespace quintet
