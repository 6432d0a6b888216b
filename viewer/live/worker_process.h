/// A child process with pipes to its standard streams.
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "runtime/model/result.h"
#include "viewer/live/owned_descriptor.h"

namespace quintet {

/// How a process ended: one of the two.
struct ProcessEnd {
  std::optional<int> code;
  std::optional<int> signal;
};

/// Owns the process, which is killed and reaped when this goes, and our ends of the pipes, which never block. One
/// thread at a time. The child has a process group of its own: Ctrl-C at the viewer's terminal does not reach it.
class WorkerProcess {
 public:
  /// Program and arguments; a program without a slash is looked for on the PATH. `folder` empty = ours.
  /// Errors: a program that cannot be started.
  static Result<WorkerProcess> start(const std::vector<std::string>& command,
                                     const std::string& folder);
  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&&) = delete;
  ~WorkerProcess();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int input() const { return input_.get(); }
  [[nodiscard]] int output() const { return output_.get(); }
  [[nodiscard]] int errors() const { return errors_.get(); }
  /// Readable once the process has ended; -1 where the kernel has no such thing.
  [[nodiscard]] int ended() const { return ended_.get(); }
  void close_input() { input_.reset(); }
  void close_output() { output_.reset(); }
  void close_errors() { errors_.reset(); }
  void send(int signal) const;
  /// Nothing while it runs.
  std::optional<ProcessEnd> poll_end();

 private:
  WorkerProcess() = default;

  pid_t pid_ = -1;
  OwnedDescriptor input_;
  OwnedDescriptor output_;
  OwnedDescriptor errors_;
  OwnedDescriptor ended_;
  std::optional<ProcessEnd> end_;
};

}  // namespace quintet
