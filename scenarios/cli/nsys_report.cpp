#include "scenarios/cli/nsys_report.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "profiler/import/byte_stream.h"

namespace quintet {

namespace {

namespace fs = std::filesystem;

/// Their form is nobody's business but nsys's: told by the name, where no reader knows the content.
bool is_report(const std::string& path) {
  if (!path.ends_with(".nsys-rep") && !path.ends_with(".qdrep")) return false;
  constexpr std::size_t kHeadBytes = 4096;
  const Result<std::string> head = read_head(path, kHeadBytes);
  return head && !head->empty() && recognise(*head) == nullptr;
}

std::string stem_of(const std::string& report) {
  return fs::path(report).stem().string();
}

/// The last thing that nsys said.
std::string last_line(const std::string& log) {
  std::ifstream file(log);
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last;
}

/// What a child starts with: signals as they were before this program took them, no input, and a file
/// for all that it says.
class SpawnSetup {
 public:
  explicit SpawnSetup(const std::string& log) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int ignored : {SIGPIPE, SIGXFSZ})
      sigaddset(&signals, ignored);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  /// 0, or why the program of that name cannot be started.
  int start(std::vector<std::string> words, pid_t& child) {
    std::vector<char*> arguments;
    for (std::string& word : words)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return posix_spawnp(&child, words.front().c_str(), &actions_, &attributes_, arguments.data(),
                        environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// How the child ended; an interrupt ends it.
int wait_for(pid_t child, InterruptWatch& watch) {
  constexpr std::chrono::milliseconds kBetweenLooks(20);
  int status = 0;
  bool stopped = false;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (!stopped && watch.interrupted()) {
      kill(child, SIGTERM);
      stopped = true;
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return status;
}

Result<void> convert(const std::string& report, const std::string& file, const std::string& log,
                     InterruptWatch& watch) {
  const std::string by_hand = fmt::format(
      "nsys export --type sqlite --output {0}.sqlite {1}, then quintet import {0}.sqlite",
      stem_of(report), report);
  // A name that begins with a dash would be an option.
  const std::string input = report.starts_with('-') ? "./" + report : report;
  SpawnSetup setup(log);
  pid_t child = -1;
  const int error =
      setup.start({"nsys", "export", "--type", "sqlite", "--output", file, input}, child);
  if (error == ENOENT) {
    return fail("is a report of Nsight Systems, and its program nsys is not on PATH here",
                "run where it is installed: " + by_hand, report);
  }
  if (error != 0)
    return fail(fmt::format("nsys cannot be started: {}", std::strerror(error)),
                "run by hand: " + by_hand, report);
  const int status = wait_for(child, watch);
  if (watch.interrupted()) return cancelled_import(report);
  std::error_code none;
  const bool written = fs::exists(file, none) && fs::file_size(file, none) > 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && written) return {};
  std::string how = "wrote no file";
  if (WIFSIGNALED(status)) how = fmt::format("was ended by signal {}", WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    how = fmt::format("failed with exit status {}", WEXITSTATUS(status));
  const std::string said = last_line(log);
  return fail(fmt::format("nsys export {}{}", how, said.empty() ? "" : ": " + said),
              "see what it says by hand: " + by_hand, report);
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

Result<ConvertedReports> ConvertedReports::of(const std::vector<std::string>& files,
                                              InterruptWatch& watch) {
  ConvertedReports converted;
  for (const std::string& file : files) {
    converted.files_.push_back(file);
    if (!is_report(file)) continue;
    if (!converted.folder_) {
      auto folder = ScratchFolder::create();
      if (!folder) return tl::unexpected(folder.error());
      converted.folder_.emplace(std::move(*folder));
    }
    // Of the same name, which may tell a rank; reports of two folders may share one.
    const std::string folder =
        converted.folder_->file(std::to_string(converted.conversions_.size()));
    std::error_code error;
    fs::create_directory(folder, error);
    if (error) return fail("cannot be made: " + error.message(), "free some space", folder);
    const std::string conversion = fmt::format("{}/{}.sqlite", folder, stem_of(file));
    if (auto made = convert(file, conversion, folder + "/nsys.log", watch); !made)
      return tl::unexpected(made.error());
    converted.conversions_.push_back({file, conversion});
    converted.files_.back() = conversion;
  }
  return converted;
}

std::string ConvertedReports::told(std::string text) const {
  for (const Conversion& each : conversions_)
    replace_all(text, each.file, each.report);
  return text;
}

Error ConvertedReports::told(Error error) const {
  error.file = told(error.file);
  error.message = told(error.message);
  return error;
}

void ConvertedReports::name_sources(Imported& imported) const {
  if (conversions_.empty()) return;
  for (ImportedFile& file : imported.report.files)
    file.file = told(file.file);
  for (Finding& finding : imported.report.findings)
    finding.message = told(finding.message);
  for (Finding& finding : imported.trace.findings)
    finding.message = told(finding.message);
  for (auto& [key, value] : imported.trace.provenance)
    value = told(value);
}

}  // namespace quintet
