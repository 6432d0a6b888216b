#include "viewer/live/worker_launch.h"

#include <filesystem>
#include <system_error>

namespace quintet {

namespace {

namespace fs = std::filesystem;

/// As one word of a POSIX shell.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// The command beside this program; by its name alone where there is none.
std::string program_here() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path beside = self.parent_path() / "quintet";
  if (!error && fs::is_regular_file(beside, error)) return beside.string();
  return "quintet";
}

}  // namespace

Result<std::vector<std::string>> command_of(const WorkerLaunch& launch) {
  if (launch.host.empty()) {
    return std::vector<std::string>{launch.program.empty() ? program_here() : launch.program,
                                    "worker"};
  }
  if (launch.host.starts_with('-') || launch.host.find_first_of(" \t\n") != std::string::npos) {
    return fail("'" + launch.host + "' is no name of a machine",
                "write it as ssh takes it: machine, or user@machine");
  }
  if (launch.ssh.empty()) return fail("there is no program that connects", "name ssh");
  std::vector<std::string> command = launch.ssh;
  // Nobody could answer a question for a password here; and a terminal would change the bytes.
  // A network that is gone says nothing: asked for a sign of life, ssh ends after 40 s of silence.
  for (const char* option : {"-o", "BatchMode=yes", "-o", "ConnectTimeout=30", "-o",
                             "ServerAliveInterval=10", "-o", "ServerAliveCountMax=3", "-T"})
    command.emplace_back(option);
  command.emplace_back("--");
  command.push_back(launch.host);
  std::string there = quoted(launch.program.empty() ? "quintet" : launch.program) + " worker";
  if (!launch.folder.empty()) there = "cd -- " + quoted(launch.folder) + " && exec " + there;
  command.push_back(there);
  return command;
}

}  // namespace quintet
