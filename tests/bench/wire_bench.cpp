// What it costs to see a run while it goes on.
//   wire/encode, wire/decode   a message of 16,384 spans; bytes a second are those of its payload
//   wire/stream                a worker's process that sends spans as fast as they go, through a pipe, a client and
//                              its live trace, while a viewer takes sixty snapshots a second. Target: at least
//                              100,000 spans a second, from the request to the end that is seen.
// Counters: spans a second; snapshots that brought something new; unsent spans (0: the sender waits for room).

#include <algorithm>
#include <atomic>
#include <benchmark/benchmark.h>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "profiler/wire/batch_message.h"
#include "profiler/wire/frame.h"
#include "viewer/live/worker_client.h"

namespace quintet {
namespace {

constexpr std::int64_t kSpansOfMessage = 16'384;

SpansMessage spans_message() {
  SpansMessage message;
  message.run = 1;
  for (std::int64_t i = 0; i < kSpansOfMessage; ++i)
    append_span(message.batch.spans, {i * 1000, i * 1000 + 900, -1, static_cast<std::uint32_t>(i)});
  return message;
}

std::vector<std::byte> payload_of(const SpansMessage& message) {
  return encode(RpcNotification{std::string(SpansMessage::kMethod), message.to_json()});
}

void count(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  state.SetItemsProcessed(state.iterations() * kSpansOfMessage);
}

void encode_spans(benchmark::State& state) {
  const SpansMessage message = spans_message();
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::vector<std::byte> frame = frame_of(payload_of(message));
    bytes = frame.size();
    benchmark::DoNotOptimize(frame.data());
  }
  count(state, bytes);
}

void decode_spans(benchmark::State& state) {
  const std::vector<std::byte> frame = frame_of(payload_of(spans_message()));
  for (auto _ : state) {
    FrameDecoder decoder;
    std::size_t spans = 0;
    decoder.take(frame, [&](std::span<const std::byte> payload) {
      const RpcMessage message = decode(payload).value();
      spans = SpansMessage::from_json(std::get<RpcNotification>(message).params)
                  .value()
                  .batch.spans.size();
    });
    if (spans != kSpansOfMessage) throw std::runtime_error("spans are missing");
  }
  count(state, frame.size());
}

/// Takes a snapshot sixty times a second, as a window does, and looks at its newest span.
class SixtyTimesASecond {
 public:
  explicit SixtyTimesASecond(const WorkerClient& client)
      : thread_([this, &client] {
          std::uint64_t generation = 0;
          LiveSnapshot held;
          while (!done_) {
            held = client.snapshot();
            if (held.generation != generation && held.trace) ++fresh_;
            generation = held.generation;
            std::this_thread::sleep_for(std::chrono::microseconds(16'667));
          }
        }) {}
  ~SixtyTimesASecond() { stop(); }
  SixtyTimesASecond(const SixtyTimesASecond&) = delete;
  SixtyTimesASecond& operator=(const SixtyTimesASecond&) = delete;
  int stop() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
    return fresh_;
  }

 private:
  std::atomic<bool> done_ = false;
  std::atomic<int> fresh_ = 0;
  std::thread thread_;
};

void stream_spans(benchmark::State& state) {
  const std::int64_t spans = state.range(0) * 1'000'000;
  WorkerClientOptions options;
  options.launch.program = QUINTET_SCRIPTED_WORKER;
  std::int64_t fresh = 0;
  std::int64_t unsent = 0;
  for (auto _ : state) {
    WorkerClient client(options);
    SixtyTimesASecond viewer(client);
    RunRequest request;
    request.plan.scenario = "blast " + std::to_string(spans);
    if (!client.ask(request).get()) throw std::runtime_error("no run");
    while (client.status().run != RunState::finished)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    while (client.snapshot().trace->state != RecordingState::complete)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (client.snapshot().trace->spans.size() < static_cast<std::size_t>(spans)) {
      throw std::runtime_error("spans are missing");
    }
    fresh += viewer.stop();
    unsent += client.status().counts.unsent_spans;
  }
  state.SetItemsProcessed(state.iterations() * spans);
  state.counters["snapshots"] =
      benchmark::Counter(static_cast<double>(fresh), benchmark::Counter::kAvgIterations);
  state.counters["unsent"] = static_cast<double>(unsent);
}

BENCHMARK(encode_spans)->Name("wire/encode")->Unit(benchmark::kMillisecond);
BENCHMARK(decode_spans)->Name("wire/decode")->Unit(benchmark::kMillisecond);
BENCHMARK(stream_spans)
    ->Name("wire/stream")
    ->Arg(1)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace quintet
