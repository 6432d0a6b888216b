#include "viewer/live/worker_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace quintet {

namespace {

struct Pipe {
  OwnedDescriptor read_end;
  OwnedDescriptor write_end;
};

std::optional<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1])};
}

void never_block(const OwnedDescriptor& descriptor) {
  fcntl(descriptor.get(), F_SETFL, fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

/// What the child changes of itself before it becomes the program.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void use(const OwnedDescriptor& descriptor, int as) {
    posix_spawn_file_actions_adddup2(&actions_, descriptor.get(), as);
  }
  void work_in(const std::string& folder) {
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
  }
  /// Returns an error number.
  int spawn(pid_t& pid, std::vector<std::string> command) const {
    std::vector<char*> arguments;
    for (std::string& word : command)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return posix_spawnp(&pid, arguments.front(), &actions_, &attributes_, arguments.data(),
                        environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

Result<WorkerProcess> WorkerProcess::start(const std::vector<std::string>& command,
                                           const std::string& folder) {
  std::optional<Pipe> in = make_pipe();
  std::optional<Pipe> out = make_pipe();
  std::optional<Pipe> err = make_pipe();
  if (!in || !out || !err) {
    return fail("cannot make a pipe to the worker", "close some files or programs");
  }
  SpawnPlan plan;
  plan.use(in->read_end, STDIN_FILENO);
  plan.use(out->write_end, STDOUT_FILENO);
  plan.use(err->write_end, STDERR_FILENO);
  plan.work_in(folder);
  WorkerProcess process;
  if (const int error = plan.spawn(process.pid_, command); error != 0) {
    process.pid_ = -1;
    return fail(fmt::format("cannot start {}: {}", command.front(), std::strerror(error)),
                folder.empty() ? "install it, or name its path"
                               : "install it, or name its path; and see that the folder is there",
                folder);
  }
  process.input_ = std::move(in->write_end);
  process.output_ = std::move(out->read_end);
  process.errors_ = std::move(err->read_end);
  // By its number: the header of glibc 2.36 declares pidfd_open for C alone.
  process.ended_.reset(static_cast<int>(syscall(SYS_pidfd_open, process.pid_, 0)));
  never_block(process.input_);
  never_block(process.output_);
  never_block(process.errors_);
  return process;
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)),
      errors_(std::move(other.errors_)),
      ended_(std::move(other.ended_)),
      end_(other.end_) {}

WorkerProcess::~WorkerProcess() {
  if (pid_ < 0 || poll_end()) return;
  send(SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
}

void WorkerProcess::send(int signal) const {
  if (pid_ > 0 && !end_) kill(pid_, signal);
}

std::optional<ProcessEnd> WorkerProcess::poll_end() {
  if (end_ || pid_ < 0) return end_;
  int status = 0;
  const pid_t ended = waitpid(pid_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return std::nullopt;
  end_ = ProcessEnd{};
  if (ended == pid_ && WIFEXITED(status)) end_->code = WEXITSTATUS(status);
  if (ended == pid_ && WIFSIGNALED(status)) end_->signal = WTERMSIG(status);
  return end_;
}

}  // namespace quintet
