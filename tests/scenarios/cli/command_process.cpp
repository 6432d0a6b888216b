#include "tests/scenarios/cli/command_process.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <grp.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace quintet {

namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  return {ends[0], ends[1]};
}

/// A terminal that passes on every byte as it is.
Pipe make_terminal() {
  const int reader = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (reader < 0 || grantpt(reader) != 0 || unlockpt(reader) != 0)
    throw std::runtime_error("no terminal");
  const int writer = open(ptsname(reader), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings{};
  tcgetattr(writer, &settings);
  cfmakeraw(&settings);
  tcsetattr(writer, TCSANOW, &settings);
  return {reader, writer};
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 65'536> block{};
  ssize_t got = 0;
  while ((got = read(descriptor, block.data(), block.size())) > 0)
    text.append(block.data(), static_cast<std::size_t>(got));
  close(descriptor);
  return text;
}

void become(uid_t user) {
  if (setgroups(0, nullptr) != 0 || setgid(user) != 0 || setuid(user) != 0) _exit(126);
}

/// What execv takes: pointers to char that it does not write through. Made before the fork, after
/// which a process with threads had better not allocate.
class ArgumentList {
 public:
  explicit ArgumentList(std::vector<std::string> arguments) : texts_(std::move(arguments)) {
    texts_.insert(texts_.begin(), "quintet");
    for (std::string& text : texts_)
      pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  [[nodiscard]] char* const* data() const { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

/// In the child: everything that the setup asks for, then the command.
[[noreturn]] void execute(const CommandSetup& setup, const ArgumentList& arguments, int out,
                          int err) {
  if (chdir(setup.folder.c_str()) != 0) _exit(126);
  dup2(err, STDERR_FILENO);
  dup2(out, STDOUT_FILENO);
  if (setup.output == OutputKind::closed) close(STDOUT_FILENO);
  if (setup.output == OutputKind::full_device) dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
  if (setup.file_size_limit) {
    const rlimit limit{*setup.file_size_limit, *setup.file_size_limit};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (setup.user) become(*setup.user);
  execv(QUINTET_COMMAND, arguments.data());
  _exit(127);
}

}  // namespace

CommandProcess::CommandProcess(const CommandSetup& setup) {
  const Pipe out = setup.output == OutputKind::terminal ? make_terminal() : make_pipe();
  const Pipe err = make_pipe();
  if (setup.output == OutputKind::reader_gone) close(out.read_end);
  const ArgumentList arguments(setup.arguments);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no process");
  if (pid_ == 0) execute(setup, arguments, out.write_end, err.write_end);
  close(out.write_end);
  close(err.write_end);
  if (setup.output != OutputKind::reader_gone) {
    out_reader_ = std::thread([this, out] { result_.out = read_all(out.read_end); });
  }
  err_reader_ = std::thread([this, err] { result_.err = read_all(err.read_end); });
}

CommandProcess::~CommandProcess() {
  if (pid_ < 0) return;
  send(SIGKILL);
  wait();
}

void CommandProcess::send(int signal) const {
  kill(pid_, signal);
}

bool CommandProcess::running() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0;
}

CommandResult CommandProcess::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  if (out_reader_.joinable()) out_reader_.join();
  err_reader_.join();
  result_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result_;
}

bool may_execute_command(uid_t user) {
  const pid_t child = fork();
  if (child == 0) {
    become(user);
    _exit(access(QUINTET_COMMAND, X_OK) == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace quintet
