/// The built `quintet` command as a child process, under conditions that a test chooses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace quintet {

/// Where the child's standard output goes; `captured` unless a test is about the others.
enum class OutputKind : std::uint8_t { captured, closed, reader_gone, full_device, terminal };

struct CommandSetup {
  std::vector<std::string> arguments;
  std::string folder;                            ///< the child's working folder
  std::optional<std::uint64_t> file_size_limit;  ///< in bytes: a full disk
  std::optional<uid_t> user;                     ///< group of the same number
  OutputKind output = OutputKind::captured;
};

struct CommandResult {
  int status = -1;  ///< exit status; 128 + number where a signal ended it
  std::string out;
  std::string err;
};

/// Runs from construction until wait(); killed if nobody waits.
class CommandProcess {
 public:
  explicit CommandProcess(const CommandSetup& setup);
  ~CommandProcess();
  CommandProcess(const CommandProcess&) = delete;
  CommandProcess& operator=(const CommandProcess&) = delete;

  void send(int signal) const;
  /// True until it has ended.
  [[nodiscard]] bool running() const;
  CommandResult wait();

 private:
  pid_t pid_ = -1;
  CommandResult result_;
  std::thread out_reader_;
  std::thread err_reader_;
};

/// True if `user` may execute the command: it may lie in a folder that is closed to others.
bool may_execute_command(uid_t user);

}  // namespace quintet
