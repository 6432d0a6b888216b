// The `quintet` command: turns what a sub-command returns or throws into an exit status.
#include <exception>
#include <new>

#include "scenarios/cli/command_line.h"
#include "scenarios/cli/process_setup.h"

namespace {

quintet::ExitCode run(int argc, char** argv) {
  try {
    return quintet::run_command_line(argc, argv);
  } catch (const std::bad_alloc&) {
    return quintet::report_failure("out of memory; use a smaller batch, network or data set");
  } catch (const std::exception& error) {
    return quintet::report_failure(error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  quintet::prepare_process();
  return static_cast<int>(run(argc, argv));
}
