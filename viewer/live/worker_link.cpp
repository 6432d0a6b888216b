#include "viewer/live/worker_link.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 10U;
constexpr std::size_t kMostBytesAStep = std::size_t{4} << 20U;  ///< then others get their turn
constexpr std::size_t kMostOutgoingBytes = std::size_t{8} << 20U;
constexpr std::size_t kMostLineBytes = 4'000;
constexpr std::size_t kLastLines = 40;
/// A worker that has closed its output has nothing more to say; one that does not end then is ended.
constexpr std::chrono::seconds kMostSilence{2};
constexpr int kEndPollMs = 50;

/// Bytes read; 0 = the end; nothing = none there now.
std::optional<std::size_t> read_some(int descriptor, std::span<std::byte> block) {
  while (true) {
    const ssize_t got = read(descriptor, block.data(), block.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EAGAIN) return std::nullopt;
    if (errno != EINTR) return 0;
  }
}

}  // namespace

Result<std::unique_ptr<WorkerLink>> WorkerLink::start(const WorkerLaunch& launch,
                                                      Callbacks callbacks) {
  const Result<std::vector<std::string>> command = command_of(launch);
  if (!command) return tl::unexpected(command.error());
  Result<WorkerProcess> process =
      WorkerProcess::start(*command, launch.host.empty() ? launch.folder : std::string());
  if (!process) return tl::unexpected(process.error());
  return std::unique_ptr<WorkerLink>(new WorkerLink(std::move(*process), std::move(callbacks)));
}

bool WorkerLink::send(RpcMessage message) {
  if (outgoing_.size() > kMostOutgoingBytes) return false;
  const std::vector<std::byte> payload = encode(std::move(message));
  if (payload.size() > kMostPayloadBytes) return false;
  const std::vector<std::byte> frame = frame_of(payload);
  outgoing_.insert(outgoing_.end(), frame.begin(), frame.end());
  return true;
}

void WorkerLink::close_input() {
  closing_input_ = true;
  write_outgoing();
}

void WorkerLink::kill() {
  process_.send(SIGKILL);
}

void WorkerLink::write_outgoing() {
  std::size_t written = 0;
  while (process_.input() >= 0 && written < outgoing_.size()) {
    const ssize_t done =
        write(process_.input(), outgoing_.data() + written, outgoing_.size() - written);
    if (done >= 0) {
      written += static_cast<std::size_t>(done);
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      process_.close_input();  // it has gone; step() will notice
    }
  }
  outgoing_.erase(outgoing_.begin(), outgoing_.begin() + static_cast<std::ptrdiff_t>(written));
  if (process_.input() < 0) outgoing_.clear();
  if (closing_input_ && outgoing_.empty()) process_.close_input();
}

/// False once there is no more to come.
bool WorkerLink::read_output(std::size_t at_most) {
  std::array<std::byte, kBlockBytes> block;  // NOLINT: filled by read
  for (std::size_t total = 0; total < at_most;) {
    const std::optional<std::size_t> got = read_some(process_.output(), block);
    if (!got) return true;
    if (*got == 0) return false;
    total += *got;
    received_bytes_ += static_cast<std::int64_t>(*got);
    decoder_.take(std::span(block).first(*got), [this](std::span<const std::byte> payload) {
      Result<RpcMessage> message = decode(payload);
      if (message) {
        callbacks_.message(std::move(*message));
      } else {
        callbacks_.bad_message(message.error());
      }
    });
  }
  return true;
}

bool WorkerLink::read_errors(std::size_t at_most) {
  std::array<std::byte, kBlockBytes> block;  // NOLINT: filled by read
  for (std::size_t total = 0; total < at_most;) {
    const std::optional<std::size_t> got = read_some(process_.errors(), block);
    if (!got) return true;
    if (*got == 0) return false;
    total += *got;
    take_errors({static_cast<const char*>(static_cast<const void*>(block.data())), *got});
  }
  return true;
}

/// Lines of any length: what is beyond the limit of one becomes the next.
void WorkerLink::take_errors(std::string_view text) {
  for (const char c : text) {
    const bool end = c == '\n';
    if (!end) partial_line_ += c;
    if (end || partial_line_.size() == kMostLineBytes) take_line(std::exchange(partial_line_, {}));
  }
}

void WorkerLink::take_line(std::string line) {
  if (line.ends_with('\r')) line.pop_back();  // ssh ends its own lines so
  line = valid_utf8(line);
  last_lines_.push_back(line);
  if (last_lines_.size() > kLastLines) last_lines_.pop_front();
  callbacks_.line(std::move(line));
}

void WorkerLink::step(int wake, int timeout_ms) {
  if (exit_) return;
  write_outgoing();
  std::array<pollfd, 5> waits = {{{wake, POLLIN, 0},
                                  {process_.output(), POLLIN, 0},
                                  {process_.errors(), POLLIN, 0},
                                  {process_.ended(), POLLIN, 0},
                                  {outgoing_.empty() ? -1 : process_.input(), POLLOUT, 0}}};
  const bool must_look = process_.ended() < 0 || silent_since_;
  if (must_look && (timeout_ms < 0 || timeout_ms > kEndPollMs)) timeout_ms = kEndPollMs;
  poll(waits.data(), waits.size(), timeout_ms);
  if (waits[4].revents != 0) write_outgoing();
  if (waits[1].revents != 0 && !read_output(kMostBytesAStep)) process_.close_output();
  if (waits[2].revents != 0 && !read_errors(kMostBytesAStep)) process_.close_errors();
  if (process_.output() < 0 && !silent_since_) silent_since_ = std::chrono::steady_clock::now();
  if (waits[3].revents != 0 || must_look) {
    if (const std::optional<ProcessEnd> end = process_.poll_end()) return finish(*end);
  }
  if (silent_since_ && std::chrono::steady_clock::now() - *silent_since_ > kMostSilence) kill();
}

/// Others may hold its pipes still, as a connection that ssh shares does: what is there is read, and no more waited for.
void WorkerLink::finish(const ProcessEnd& end) {
  constexpr std::size_t kRest = std::size_t{64} << 20U;  // more than a pipe holds
  if (process_.output() >= 0) read_output(kRest);
  if (process_.errors() >= 0) read_errors(kRest);
  decoder_.end();
  if (!partial_line_.empty()) take_line(std::exchange(partial_line_, {}));
  exit_ = WorkerExit{end.code, end.signal, {last_lines_.begin(), last_lines_.end()}};
}

}  // namespace quintet
