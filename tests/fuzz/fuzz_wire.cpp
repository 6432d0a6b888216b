// Any bytes as what a worker sends: never a crash, never more held than allowed, and never a trace that
// contradicts itself. The first byte chooses: a stream of bytes, the payload of a frame that is right, or values
// put into a message that makes sense.

#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "profiler/wire/batch_message.h"
#include "profiler/wire/frame.h"
#include "profiler/wire/plan_message.h"
#include "tests/fuzz/byte_script.h"
#include "tests/fuzz/trace_check.h"
#include "tests/profiler/trace/sample_trace.h"
#include "viewer/live/run_watch.h"

namespace quintet {
namespace {

constexpr std::size_t kMostSpans = 1'000;

/// A client without a process: what it is told ends in a trace.
class Listener {
 public:
  Listener() : live_(kMostSpans), watch_(live_, [](Severity, const std::string&) {}) {
    watch_.asked();
    watch_.accepted({1});
  }
  void take(std::span<const std::byte> payload) {
    Result<RpcMessage> message = decode(payload);
    if (!message) {
      require(!message.error().message.empty(), "a refusal says why");
      return;
    }
    if (const auto* request = std::get_if<RpcRequest>(&*message)) read_request(*request);
    if (const auto* note = std::get_if<RpcNotification>(&*message)) tell(*note);
  }
  void tell(const RpcNotification& note) {
    watch_.take(note);
    live_.publish();
    const LiveSnapshot now = live_.snapshot();
    if (!now.trace) return;
    require(now.trace->spans.size() <= kMostSpans, "no more spans than allowed");
    require_consistent(*now.trace);
  }

 private:
  static void read_request(const RpcRequest& request) {
    if (Result<RunRequest> run = RunRequest::from_json(request.params)) {
      require(RunRequest::from_json(run->to_json()).value() == *run, "what was read is told again");
    }
  }
  LiveTrace live_;
  RunWatch watch_;
};

void read_stream(std::span<const std::byte> bytes, std::size_t piece) {
  constexpr std::size_t kMostPayload = 4'096;
  Listener listener;
  FrameDecoder decoder(kMostPayload);
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    decoder.take(bytes.subspan(at, std::min(piece, bytes.size() - at)),
                 [&](std::span<const std::byte> payload) { listener.take(payload); });
    require(decoder.held_bytes() <= kMostPayload + kFrameHeaderBytes, "what is held is bounded");
  }
  decoder.end();
}

void read_payload(std::span<const std::byte> payload) {
  Listener listener;
  FrameDecoder decoder;
  decoder.take(frame_of(payload), [&](std::span<const std::byte> whole) { listener.take(whole); });
  require(decoder.counts().frames == 1, "a right frame is delivered");
}

WireJson value_of(ByteScript& script) {
  switch (script.below(9)) {
    case 0:
      return nullptr;
    case 1:
      return script.number(8);
    case 2:
      return -static_cast<std::int64_t>(script.number(4));
    case 3:
      return 1e300;
    case 4:
      return true;
    case 5:
      return std::string(script.below(9), 'x');
    case 6:
      return WireJson::array({script.number(1), "x"});
    case 7:
      return WireJson::object();
    default: {
      std::vector<std::uint8_t> bytes(script.below(65));
      for (std::uint8_t& byte : bytes)
        byte = script.byte();
      return WireJson::binary(std::move(bytes));
    }
  }
}

void put_value(WireJson& json, ByteScript& script) {
  WireJson* at = &json;
  while (at->is_structured() && !at->empty() && script.below(6) != 0)
    at = &*std::next(at->begin(), static_cast<std::ptrdiff_t>(script.number(2) % at->size()));
  if (at->is_binary() && script.below(2) == 0 && !at->get_binary().empty()) {
    auto& bytes = at->get_binary();
    bytes.at(script.number(2) % bytes.size()) = script.byte();
  } else {
    *at = value_of(script);
  }
}

/// A plan, two steps and an end, with values put into some of them.
void read_changed(ByteScript& script) {
  DoneMessage done;
  done.run = 1;
  done.ran = true;
  std::vector<RpcNotification> messages = {
      {"task_graph", TaskGraphMessage{1, "a.qtrace", sample_plan()}.to_json()},
      {"spans", SpansMessage{1, 0, 0, 0, sample_step(0)}.to_json()},
      {"steps", StepsMessage{1, 1, sample_step(0).steps}.to_json()},
      {"spans", SpansMessage{1, 2, 0, 0, sample_step(1)}.to_json()},
      {"done", done.to_json()}};
  while (!script.done())
    put_value(messages.at(script.below(messages.size())).params, script);
  Listener listener;
  for (const RpcNotification& message : messages)
    listener.tell(message);
}

}  // namespace
}  // namespace quintet

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quintet;
  if (size == 0) return 0;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      read_stream(std::as_bytes(rest), 1 + data[0] / 3U);
      break;
    case 1:
      read_payload(std::as_bytes(rest));
      break;
    default: {
      ByteScript script(rest);
      read_changed(script);
    }
  }
  return 0;
}
