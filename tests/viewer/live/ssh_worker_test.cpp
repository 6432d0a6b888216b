// The worker on another machine for real: a daemon of ssh on this one, with keys of its own. Skips where there is none.
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <optional>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/viewer/live/worker_fixture.h"
#include "viewer/live/owned_descriptor.h"
#include "viewer/live/worker_process.h"

namespace quintet {
namespace {

constexpr const char* kDaemon = "/usr/sbin/sshd";

/// A port that nobody listened on a moment ago.
int free_port() {
  const OwnedDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const where = static_cast<sockaddr*>(static_cast<void*>(&address));
  if (bind(socket.get(), where, size) != 0 || getsockname(socket.get(), where, &size) != 0)
    return 0;
  return ntohs(address.sin_port);
}

bool answers(int port) {
  const OwnedDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const auto* const where = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  return connect(socket.get(), where, sizeof address) == 0;
}

/// The process that started another; 0 = there is none of that number.
pid_t parent_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::istringstream rest(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  std::string state;
  pid_t parent = 0;
  rest >> state >> parent;
  return parent;
}

class SshWorker : public Worker {
 protected:
  void SetUp() override {
    if (access(kDaemon, X_OK) != 0) GTEST_SKIP() << kDaemon << " is missing (openssh-server)";
    if (geteuid() == 0 && access("/run/sshd", F_OK) != 0)
      GTEST_SKIP() << "/run/sshd is missing: the daemon wants it where root starts it";
    for (const char* key : {"host_key", "user_key", "other_key"}) {
      const std::string make = "ssh-keygen -q -t ed25519 -N '' -f '" + folder_.file(key) + "'";
      if (std::system(make.c_str()) != 0) GTEST_SKIP() << "ssh-keygen makes no key";
    }
    port_ = free_port();
    std::ofstream(folder_.file("sshd_config"))
        << "ListenAddress 127.0.0.1\nPort " << port_ << "\nHostKey " << folder_.file("host_key")
        << "\nAuthorizedKeysFile " << folder_.file("user_key.pub")
        << "\nPidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n"
           "PasswordAuthentication no\n";
    auto daemon = WorkerProcess::start({kDaemon, "-D", "-e", "-f", folder_.file("sshd_config")},
                                       folder_.path());
    ASSERT_TRUE(daemon) << to_string(daemon.error());
    daemon_.emplace(std::move(*daemon));
    if (!wait_until([&] { return answers(port_) || daemon_->poll_end(); }) || daemon_->poll_end())
      GTEST_SKIP() << "the daemon does not start here";
  }

  [[nodiscard]] WorkerClientOptions options(const std::string& key = "user_key") const {
    WorkerClientOptions options = Worker::options();
    options.launch.host = "127.0.0.1";
    options.launch.ssh = {"ssh",
                          "-F",
                          "none",
                          "-p",
                          std::to_string(port_),
                          "-i",
                          folder_.file(key),
                          "-o",
                          "IdentitiesOnly=yes",
                          "-o",
                          "IdentityAgent=none",
                          "-o",
                          "StrictHostKeyChecking=no",
                          "-o",
                          "UserKnownHostsFile=" + folder_.file("known_hosts")};
    return options;
  }
  /// The daemon's process for the connection that a worker came through.
  [[nodiscard]] pid_t connection_of(pid_t worker) const {
    pid_t process = worker;
    for (pid_t parent = parent_of(process); parent > 1; parent = parent_of(process)) {
      if (parent == daemon_->pid()) return process;
      process = parent;
    }
    return 0;
  }

  int port_ = 0;
  std::optional<WorkerProcess> daemon_;
};

TEST_F(SshWorker, TrainsOnAnotherMachine) {
  WorkerClient client(options());
  finish(client, request(20), RunState::finished);
  EXPECT_EQ(client.snapshot().trace->steps.size(), recording().steps.size());
  EXPECT_GE(recording().steps.size(), 20U);
  EXPECT_EQ(client.status().counts.frames.rejected(), 0);
}

TEST_F(SshWorker, ACutConnectionIsToldAndTheNextRequestConnectsAnew) {
  WorkerClient client(options());
  ASSERT_TRUE(client.ask(request(kForever)).get());
  ASSERT_TRUE(wait_for_steps(client, 20));
  const auto worker = static_cast<pid_t>(client.status().hello.value().pid);
  const pid_t connection = connection_of(worker);
  ASSERT_GT(connection, 1);
  kill(connection, SIGKILL);
  ASSERT_TRUE(wait_for_state(client, RunState::crashed));
  ASSERT_TRUE(client.status().exit.has_value());
  EXPECT_EQ(client.status().exit->code, 255) << "that of ssh";
  // In ssh's own words: "... closed by remote host", or "Broken pipe" where it was writing just then.
  EXPECT_THAT(client.status().run_error.value().message,
              testing::ContainsRegex("(closed[^\r]*|Broken pipe)$"));
  const Trace seen = *client.snapshot().trace;
  EXPECT_EQ(seen.state, RecordingState::abandoned);
  EXPECT_GE(seen.steps.size(), 20U);
  // Left alone, the worker there completes its recording and ends.
  EXPECT_TRUE(wait_until([&] { return kill(worker, 0) != 0; }));
  EXPECT_EQ(recording().state, RecordingState::complete);
  EXPECT_GE(recording().steps.size(), seen.steps.size());
  RunRequest again = request(5);
  again.out = "b.qtrace";
  ASSERT_TRUE(client.ask(again).get());
  EXPECT_TRUE(wait_for_state(client, RunState::finished));
}

TEST_F(SshWorker, SaysWhyItCannotConnect) {
  WorkerClient stranger(options("other_key"));
  const auto refused = stranger.ask(DevicesRequest{}).get();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("Permission denied"), std::string::npos)
      << to_string(refused.error());
  EXPECT_EQ(stranger.status().worker, WorkerState::crashed);
  WorkerClientOptions elsewhere = options();
  elsewhere.launch.program = "/nowhere/quintet";
  WorkerClient lost(elsewhere);
  const auto missing = lost.ask(DevicesRequest{}).get();
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("/nowhere/quintet"), std::string::npos)
      << to_string(missing.error());
}

}  // namespace
}  // namespace quintet
