// A worker that does what the name of its scenario says, so that clients can be tested without anything to run:
//   steps N      N steps of the sample trace, then done        forever     steps until it is stopped
//   crash N      exit status 3 after N steps                   torn N      ends inside a frame after N steps
//   stray N      prints between and before its frames          gap N       leaves the spans of one step out
//   senseless N  a step full of indices that point nowhere     mute        takes requests and answers none
//   close        closes its output and stays                   races       is refused for its races
//   blast N      N spans as fast as they go
//   deaf         reads nothing any more                        stubborn    goes on when its input has ended
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <poll.h>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

#include "profiler/wire/batch_message.h"
#include "profiler/wire/frame.h"
#include "profiler/wire/frame_sender.h"
#include "profiler/wire/notifications.h"
#include "profiler/wire/plan_message.h"
#include "profiler/wire/requests.h"
#include "profiler/wire/trace_sender.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

template <class Message>
RpcNotification notification_of(const Message& message) {
  return {std::string(Message::kMethod), message.to_json()};
}

class ScriptedWorker {
 public:
  explicit ScriptedWorker(std::int64_t protocol)
      : protocol_(protocol), link_(std::make_unique<FrameSender>(STDOUT_FILENO)) {}

  int serve() {
    link_->send(notification_of(HelloMessage{protocol_, "scripted", "1", "here", getpid()}));
    while (!input_ended_ && !exit_status_)
      read_input(-1);
    if (!exit_status_) link_->close(std::chrono::seconds(5));
    return exit_status_.value_or(0);
  }

 private:
  void read_input(int timeout_ms) {
    pollfd wait{STDIN_FILENO, POLLIN, 0};
    if (poll(&wait, 1, timeout_ms) <= 0) return;
    std::array<std::byte, 4096> block{};
    const ssize_t got = read(STDIN_FILENO, block.data(), block.size());
    if (got <= 0) {
      input_ended_ = true;
      return;
    }
    decoder_.take(std::span(block).first(static_cast<std::size_t>(got)),
                  [this](std::span<const std::byte> payload) {
                    if (auto message = decode(payload)) take(std::get<RpcRequest>(*message));
                  });
  }

  void take(const RpcRequest& request) {
    if (request.method == DevicesRequest::kMethod) {
      link_->send(answer_to(request.id, DevicesAnswer{{}, {{"cuda", "scripted"}}}.to_json()));
    } else if (request.method == StopRequest::kMethod) {
      stopping_ = true;
      link_->send(answer_to(request.id, StopAnswer{true}.to_json()));
    } else if (request.method == RunRequest::kMethod) {
      start(request.id, RunRequest::from_json(request.params).value().plan.scenario);
    } else {
      link_->send(refusal_of(request.id, RpcErrorCode::unknown_method,
                             {"unknown method", "ask another", {}, 0}));
    }
  }

  void start(std::int64_t id, const std::string& script) {
    const std::size_t blank = script.find(' ');
    const std::string what = script.substr(0, blank);
    std::int64_t count = 0;
    if (blank != std::string::npos) {
      std::from_chars(script.data() + blank + 1, script.data() + script.size(), count);
    }
    if (what == "mute") return;
    link_->send(answer_to(id, RunAnswer{++run_}.to_json()));
    stopping_ = false;
    if (what == "deaf") std::this_thread::sleep_for(std::chrono::hours(1));
    run(what, count);
  }

  /// Through the same descriptor as the frames, between two of them.
  void print_stray() {
    while (!link_->idle())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, "stray line\n", 11);
  }

  void run(const std::string& what, std::int64_t count) {
    TraceSender trace(*link_, run_);
    ProgressMessage progress{run_, RunPhase::training, 0, count, {}, false, {}};
    link_->send(notification_of(progress));
    if (what == "races") return finish(trace, 0, {"one race"});
    Trace plan = sample_plan();
    plan.state = RecordingState::growing;
    trace.send_plan(plan, "/there/run.qtrace");
    if (what == "blast") return blast(trace, count);
    const bool forever = what == "forever" || what == "stubborn";
    std::int64_t step = 0;
    for (; (forever || step < count) && !stopping_ && (!input_ended_ || what == "stubborn"); ++step)
      send_step(trace, what, step, count);
    end(what, trace, step);
  }

  void send_step(TraceSender& trace, const std::string& what, std::int64_t step,
                 std::int64_t count) {
    TraceBatch batch = sample_step(step);
    if (what == "stray") print_stray();
    if (what == "senseless" && step == count - 1) {
      batch.spans.task.assign(batch.spans.size(), 1'000'000);
      batch.launches.at(0).graph = 77;
    }
    if (what == "gap" && step == 1) {
      // As if a message had been lost: the next ones are numbered as those of a sender that sent it.
      StepsMessage late{run_, 40, batch.steps};
      link_->send(notification_of(late));
      return;
    }
    trace.send_batch(std::move(batch));
    read_input(what == "forever" || what == "stubborn" ? 1 : 0);
  }

  void end(const std::string& what, TraceSender& trace, std::int64_t step) {
    if (what == "crash") {
      std::fprintf(stderr, "first line\nabout to crash\n");
      link_->close(std::chrono::seconds(20));
      exit_status_ = 3;
    } else if (what == "torn") {
      link_->close(std::chrono::seconds(20));
      const auto frame = frame_of(encode(notification_of(LogMessage{Severity::info, "torn"})));
      [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, frame.data(), frame.size() - 1);
      exit_status_ = 0;
    } else if (what == "close") {
      link_->close(std::chrono::seconds(20));
      close(STDOUT_FILENO);
      std::this_thread::sleep_for(std::chrono::hours(1));
    } else {
      finish(trace, step, {});
    }
  }

  void finish(const TraceSender& trace, std::int64_t steps, std::vector<std::string> races) {
    DoneMessage done;
    done.run = run_;
    done.ran = races.empty();
    done.interrupted = stopping_ || input_ended_;
    done.races = std::move(races);
    done.recording = "/there/run.qtrace";
    done.steps = steps;
    done.findings = sample_plan().findings;
    done.provenance = {{"weights_hash", "0123456789abcdef"}};
    done.unsent_spans = trace.unsent_spans();
    link_->send(notification_of(MetricsMessage{run_, {}}));
    link_->send(notification_of(done));
  }

  /// Steps of 64 flushed at once, as a recorder does.
  void blast(TraceSender& trace, std::int64_t spans) {
    constexpr std::int64_t kSpansABatch = 4096;
    std::int64_t sent = 0;
    for (std::int64_t batch_number = 0; sent < spans; ++batch_number) {
      TraceBatch batch;
      const auto step = static_cast<std::int32_t>(batch_number);
      for (std::int64_t i = 0; i < kSpansABatch; ++i) {
        const std::int64_t begin = (sent + i) * 1000;
        append_span(batch.spans, {begin, begin + 900, -1, static_cast<std::uint32_t>(i % 3), step});
      }
      batch.steps.push_back({step, "train", "train", "A", 64, sent * 1000,
                             (sent + kSpansABatch) * 1000, 0.5, 3, 0.05});
      while (!link_->has_room())
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      trace.send_batch(std::move(batch));
      sent += kSpansABatch;
    }
    finish(trace, sent / kSpansABatch, {});
  }

  std::int64_t protocol_;
  std::unique_ptr<FrameSender> link_;
  FrameDecoder decoder_;
  std::int64_t run_ = 0;
  bool stopping_ = false;
  bool input_ended_ = false;
  std::optional<int> exit_status_;
};

}  // namespace
}  // namespace quintet

// Called by the name "future" it speaks a protocol that is still to come.
int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  const bool future = argc > 0 && std::string_view(argv[0]).ends_with("/future");
  return quintet::ScriptedWorker(quintet::kProtocolVersion + (future ? 1 : 0)).serve();
}
