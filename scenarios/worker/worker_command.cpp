// `quintet worker`: keeps its standard output for frames, whatever libraries print.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

#include "scenarios/cli/command.h"
#include "scenarios/cli/interrupt_watch.h"
#include "scenarios/worker/worker_server.h"

namespace quintet {

namespace {

/// What is still queued when the client says goodbye is soon read or never.
constexpr std::chrono::seconds kClosingTime{5};

/// A copy of standard output; that itself becomes standard error, so that a stray line is a line of the log and
/// no part of a frame. -1 where there is none.
int take_standard_output() {
  const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (output >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
  return output;
}

/// Says what of the input was no request; bad_input where nothing else came.
ExitCode judge(const InputCounts& input) {
  const std::int64_t bytes = input.frames.stray_bytes;
  if (bytes == 0 && input.other_messages == 0) return ExitCode::fine;
  const std::string rejected = fmt::format(
      "{} bytes of the input belong to no frame, {} frames were rejected, {} hold no "
      "request",
      bytes, input.frames.rejected(), input.other_messages);
  if (!input.senseless()) {
    report_failure(rejected);
    return ExitCode::fine;
  }
  return report_error({"no request came: " + rejected,
                       "start a viewer instead, quintet view; what a worker understands is in "
                       "profiler/wire/README.md",
                       {},
                       0});
}

ExitCode work(std::size_t droppable_mib) {
  if (isatty(STDOUT_FILENO) != 0) {
    return report_error({"a worker speaks to a program, not to a terminal",
                         "run scenarios with: quintet run; see quintet worker --help",
                         {},
                         0});
  }
  const int output = take_standard_output();
  if (output < 0) {
    return report_failure(std::string("cannot use standard output: ") + std::strerror(errno));
  }
  InputCounts input;
  {
    InterruptWatch watch;  // before the thread of the link
    FrameSenderLimits limits;
    limits.droppable_bytes = droppable_mib << 20U;
    FrameSender link(output, limits);
    WorkerServer server(STDIN_FILENO, link);
    server.serve(watch);
    input = server.input();
    link.close(kClosingTime);
  }
  close(output);
  return judge(input);
}

}  // namespace

CommandAction add_worker(CLI::App& app) {
  auto queue = std::make_shared<std::size_t>(FrameSenderLimits{}.droppable_bytes >> 20U);
  app.add_option("--queue", *queue,
                 "MiB that may wait for a slow link before spans are left out; the recording has "
                 "them all")
      ->check(CLI::Range(1, 128))
      ->capture_default_str();
  return [queue] { return work(*queue); };
}

}  // namespace quintet
