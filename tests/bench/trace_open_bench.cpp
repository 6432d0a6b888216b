// Time to open a recording of 1, 5 and 10 million spans in the page cache, each name as
// open/streams/10: the order in which spans arrived, millions of spans. Target: 10 million in at
// most 2 s, in whatever order, and at most 48 bytes a span in memory.
//   in_order  each span begins after the one before it
//   streams   five streams; each flush holds spans that began before the end of the last one
//   late      as streams, and with each flush comes a span that began with the recording
// Counters: spans a second, bytes_a_span (held), file_MiB.

#include <benchmark/benchmark.h>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include "profiler/trace/trace_reader.h"
#include "profiler/trace/trace_writer.h"

namespace quintet::test {
namespace {

namespace fs = std::filesystem;

enum class Arrival : std::uint8_t { in_order, streams, late };

constexpr std::uint16_t kStreams = 5;
constexpr std::int64_t kSpansAFlush = 20'000;

/// A fresh folder with one recording, removed with it.
class RecordingFolder {
 public:
  RecordingFolder(Arrival arrival, std::int64_t spans) {
    std::string pattern = (fs::temp_directory_path() / "quintet-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    try {
      write(arrival, spans);
    } catch (...) {
      remove();
      throw;
    }
  }
  ~RecordingFolder() { remove(); }
  RecordingFolder(const RecordingFolder&) = delete;
  RecordingFolder& operator=(const RecordingFolder&) = delete;

  [[nodiscard]] std::string file() const { return folder_ + "/run.qtrace"; }

 private:
  void write(Arrival arrival, std::int64_t spans) const {
    auto writer = TraceWriter::create(file());
    if (!writer) throw std::runtime_error(to_string(writer.error()));
    Trace plan;
    for (std::uint16_t i = 0; i < kStreams; ++i)
      plan.lanes.push_back({LaneId(i), "stream " + std::to_string(i)});
    plan.tasks.resize(100);
    plan.activities.resize(100);
    if (auto written = (*writer)->write_static(plan); !written)
      throw std::runtime_error(to_string(written.error()));
    for (std::int64_t first = 0; first < spans; first += kSpansAFlush) {
      TraceBatch batch;
      for (std::int64_t i = first; i < std::min(first + kSpansAFlush, spans); ++i)
        append_span(batch.spans, span(arrival, i));
      if (!(*writer)->append_batch(std::move(batch)))
        throw std::runtime_error(to_string(*(*writer)->status().error));
    }
    if (auto finished = (*writer)->finish(); !finished)
      throw std::runtime_error(to_string(finished.error()));
  }

  static Span span(Arrival arrival, std::int64_t i) {
    const std::int64_t stream = i % kStreams;
    Span span;
    // Streams run up to 4 ms ahead of each other: each flush reaches far into the next.
    span.begin_ns = 1'000'000'000 + i * 1'000;
    if (arrival != Arrival::in_order) span.begin_ns += stream * 1'000'000;
    if (arrival == Arrival::late && i % kSpansAFlush == 0) span.begin_ns = 1'000'000'000 + i;
    span.end_ns = span.begin_ns + 900 + i % 7;
    span.task = static_cast<std::uint32_t>(i % 100);
    span.step = static_cast<std::int32_t>(i / 1000);
    span.lane = static_cast<std::uint16_t>(stream);
    span.executor_lane = span.lane;
    span.activity = span.task;
    span.correlation = static_cast<std::uint32_t>(i);
    return span;
  }
  void remove() const {
    std::error_code none;
    fs::remove_all(folder_, none);
  }

  std::string folder_;
};

std::size_t held_bytes(const SpanColumns& spans) {
  const auto bytes = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
  return bytes(spans.begin_ns) + bytes(spans.end_ns) + bytes(spans.cpu_ns) + bytes(spans.task) +
         bytes(spans.step) + bytes(spans.lane) + bytes(spans.executor_lane) +
         bytes(spans.activity) + bytes(spans.correlation) + bytes(spans.channel);
}

void open(benchmark::State& state, Arrival arrival) {
  const std::int64_t spans = state.range(0) * 1'000'000;
  const RecordingFolder recording(arrival, spans);
  double bytes_a_span = 0;
  for (auto _ : state) {
    const Result<Trace> trace = read_trace(recording.file());
    if (!trace || trace->spans.size() != static_cast<std::size_t>(spans)) {
      state.SkipWithError(trace ? "spans are missing" : to_string(trace.error()).c_str());
      break;
    }
    bytes_a_span = static_cast<double>(held_bytes(trace->spans)) / static_cast<double>(spans);
  }
  state.SetItemsProcessed(state.iterations() * spans);
  state.counters["bytes_a_span"] = bytes_a_span;
  state.counters["file_MiB"] = static_cast<double>(fs::file_size(recording.file())) / 0x1p20;
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1)->Arg(5)->Arg(10)->Iterations(3)->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK_CAPTURE(open, in_order, Arrival::in_order)->Apply(sizes);
BENCHMARK_CAPTURE(open, streams, Arrival::streams)->Apply(sizes);
BENCHMARK_CAPTURE(open, late, Arrival::late)->Apply(sizes);

}  // namespace
}  // namespace quintet::test
