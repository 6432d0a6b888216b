#include "scenarios/cli/exit_code.h"

#include <cstdio>
#include <fmt/format.h>

namespace quintet {

ExitCode report_error(const Error& error) {
  fmt::print(stderr, "quintet: {}\n", to_string(error));
  return ExitCode::bad_input;
}

}  // namespace quintet
