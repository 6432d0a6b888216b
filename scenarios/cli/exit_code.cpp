#include "scenarios/cli/exit_code.h"

#include <cstdio>
#include <fmt/format.h>

#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

/// A closed standard error must not turn one exit status into another, as fmt::print's throw would.
void print_error_line(const std::string& text) {
  std::fputs(fmt::format("quintet: {}\n", visible_text(text)).c_str(), stderr);
}

}  // namespace

ExitCode report_error(const Error& error) {
  print_error_line(to_string(error));
  switch (error.kind) {
    case ErrorKind::input:
      break;
    case ErrorKind::machine:
      return ExitCode::device_failed;
  }
  return ExitCode::bad_input;
}

ExitCode report_failure(const std::string& message) {
  print_error_line(message);
  return ExitCode::device_failed;
}

}  // namespace quintet
