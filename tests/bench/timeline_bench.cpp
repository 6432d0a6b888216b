// Time to prepare a frame of the timeline over 10 million spans at 1920x1080, to build its index,
// and to open such a recording up to its first correct frame. Targets: 4 ms (p99) a frame at any
// zoom, 2 s to open, 48 bytes a span of trace and index together.
//   streams  five lanes that interleave, 0.9 us of every us busy, some spans a thousand times longer
//   dense    the same in one lane
//   lanes40  the same in forty lanes, all in view
//   nested   five lanes whose spans overlap three deep
//   crowded  forty lanes in which every 61st span is a hundred times longer
//   packed   forty lanes in which every 17th span is thirty times longer: as many boxes as fit
// frame/SHAPE/NS: NS = what is in view, 0 = everything; views at random places, each prepared once
// after 64 MiB of other memory were written: CPU time of the thread, as counters p50_us, p99_us,
// max_us; and boxes, blocks (means).
// snapshot/SHAPE/SPANS: SPANS = how long a run is that grows by 5000 spans; publish_ms = of the live
// trace before it, late_spans = how far back the new ones reach.

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <filesystem>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <time.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "profiler/trace/span_order.h"
#include "profiler/trace/trace_batch.h"
#include "profiler/trace/trace_file.h"
#include "profiler/trace/trace_reader.h"
#include "viewer/live/live_trace.h"
#include "viewer/model/timeline/timeline_frame.h"

namespace quintet::viewer {
namespace {

constexpr std::int64_t kSpans = 10'000'000;
constexpr double kWidth = 1920;
constexpr double kHeight = 1080;

enum class Shape : std::uint8_t { streams, dense, lanes40, nested, crowded, packed };

std::uint16_t lanes_of(Shape shape) {
  switch (shape) {
    case Shape::streams:
    case Shape::nested:
      return 5;
    case Shape::dense:
      return 1;
    case Shape::lanes40:
    case Shape::crowded:
    case Shape::packed:
      return 40;
  }
  return 1;
}

/// Gives the spans of a shape one after the other, in no order of time over all lanes.
class SpanSource {
 public:
  explicit SpanSource(Shape shape)
      : shape_(shape), now_ns_(lanes_of(shape), 1'000'000'000'000'000'000) {}

  Span next() {
    const auto lane = static_cast<std::uint16_t>(given_ % lanes_of(shape_));
    const std::uint64_t draw = engine_();
    Span span;
    std::int64_t length = 200 + static_cast<std::int64_t>(draw % 1400);
    if (draw % long_ones().first == 0) length *= long_ones().second;
    std::int64_t& now = now_ns_[lane];
    span.begin_ns = now + static_cast<std::int64_t>(draw >> 40) % 200;
    span.end_ns = span.begin_ns + length;
    now = shape_ == Shape::nested ? span.begin_ns + length / 3 : span.end_ns;
    span.task = static_cast<std::uint32_t>(draw % 100);
    span.step = static_cast<std::int32_t>(given_++ / 1000);
    span.lane = lane;
    span.executor_lane = lane;
    return span;
  }
  /// No lane stays further behind the first one, as where a step ends.
  void gather(std::int64_t behind_ns) {
    const std::int64_t first = *std::max_element(now_ns_.begin(), now_ns_.end());
    for (std::int64_t& now : now_ns_)
      now = std::max(now, first - behind_ns);
  }

 private:
  /// One span in how many is how many times as long.
  [[nodiscard]] std::pair<std::uint64_t, std::int64_t> long_ones() const {
    if (shape_ == Shape::crowded) return {61, 100};
    if (shape_ == Shape::packed) return {17, 30};
    return {1009, 1000};
  }

  Shape shape_;
  std::mt19937_64 engine_{1};
  std::vector<std::int64_t> now_ns_;  ///< per lane
  std::int64_t given_ = 0;
};

std::shared_ptr<Trace> make_trace(Shape shape, SpanSource& source, std::int64_t spans) {
  auto trace = std::make_shared<Trace>();
  for (std::uint16_t lane = 0; lane < lanes_of(shape); ++lane) {
    Lane entry;
    entry.id = LaneId(lane);
    entry.name = "stream " + std::to_string(lane);
    trace->lanes.push_back(entry);
  }
  trace->tasks.resize(100);
  for (std::int64_t span = 0; span < spans; ++span)
    append_span(trace->spans, source.next());
  sort_spans(trace->spans);
  return trace;
}

/// One trace is in memory at a time.
std::shared_ptr<Trace> trace_of(Shape shape) {
  static std::shared_ptr<Trace> trace;
  static Shape held = Shape::streams;
  if (!trace || held != shape) {
    trace.reset();
    SpanSource source(shape);
    trace = make_trace(shape, source, kSpans);
    held = shape;
  }
  return trace;
}

double bytes_a_span(std::size_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(kSpans);
}

void index(benchmark::State& state, Shape shape) {
  const std::shared_ptr<Trace> trace = trace_of(shape);
  std::size_t bytes = 0;
  for (auto _ : state) {
    const auto built = TimelineIndex::build(trace);
    if (!built) state.SkipWithError(to_string(built.error()).c_str());
    bytes = built ? built->held_bytes() : 0;
  }
  state.SetItemsProcessed(state.iterations() * kSpans);
  state.counters["bytes_a_span"] = bytes_a_span(bytes);
}

/// Reads memory that frames do not need, so that no frame finds its own in a cache.
class CacheSweeper {
 public:
  CacheSweeper() : memory_(64 << 20) {}
  void sweep() {
    for (std::size_t i = 0; i < memory_.size(); i += 64)
      ++memory_[i];
    benchmark::ClobberMemory();
  }

 private:
  std::vector<unsigned char> memory_;
};

/// Of this thread: what others do on the machine is no part of a frame.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void frame(benchmark::State& state, Shape shape) {
  const auto built = TimelineIndex::build(trace_of(shape));
  if (!built) return state.SkipWithError(to_string(built.error()).c_str());
  LaneMetrics metrics;
  const LaneLayout layout(*built, metrics);
  TimelineCamera camera;
  camera.set_width(kWidth);
  camera.set_extent(built->extent());
  std::mt19937_64 engine(2);
  CacheSweeper sweeper;
  TimelineFrame prepared;
  std::vector<double> micros;
  std::uint64_t boxes = 0;
  std::uint64_t blocks = 0;
  for (auto _ : state) {
    const Interval& all = built->extent();
    camera.fit();
    if (state.range(0) > 0) {
      const auto at = std::uniform_int_distribution<std::int64_t>(all.begin, all.end)(engine);
      camera.show({at, at + state.range(0)}, 0);
    }
    sweeper.sweep();
    const double begin = cpu_seconds();
    prepare_frame(*built, layout, {camera.view(), 0, kHeight}, prepared);
    const double seconds = cpu_seconds() - begin;
    state.SetIterationTime(seconds);
    micros.push_back(seconds * 1e6);
    boxes += prepared.boxes.size();
    blocks += prepared.blocks.size();
  }
  std::sort(micros.begin(), micros.end());
  const auto quantile = [&micros](double p) {
    return micros[static_cast<std::size_t>(p * static_cast<double>(micros.size() - 1))];
  };
  state.counters["p50_us"] = quantile(0.5);
  state.counters["p99_us"] = quantile(0.99);
  state.counters["max_us"] = micros.back();
  state.counters["boxes"] = static_cast<double>(boxes) / static_cast<double>(micros.size());
  state.counters["blocks"] = static_cast<double>(blocks) / static_cast<double>(micros.size());
}

/// A recording of a trace in a folder of its own, removed with it.
class RecordedFile {
 public:
  explicit RecordedFile(const Trace& trace) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "quintet-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    if (auto written = write_trace(trace, path(), TraceForm::plain); !written) {
      throw std::runtime_error(to_string(written.error()));
    }
  }
  ~RecordedFile() {
    std::error_code none;
    std::filesystem::remove_all(folder_, none);
  }
  RecordedFile(const RecordedFile&) = delete;
  RecordedFile& operator=(const RecordedFile&) = delete;
  [[nodiscard]] std::string path() const { return folder_ + "/run.qtrace"; }

 private:
  std::string folder_;
};

void first_frame(benchmark::State& state, Shape shape) {
  const RecordedFile file(*trace_of(shape));
  double read_ms = 0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    auto trace = read_trace(file.path());
    if (!trace) return state.SkipWithError(to_string(trace.error()).c_str());
    const auto read = std::chrono::steady_clock::now();
    const auto built = TimelineIndex::build(std::make_shared<Trace>(std::move(*trace)));
    if (!built) return state.SkipWithError(to_string(built.error()).c_str());
    const LaneLayout layout(*built, {});
    TimelineCamera camera;
    camera.set_width(kWidth);
    camera.set_extent(built->extent());
    TimelineFrame prepared;
    prepare_frame(*built, layout, {camera.view(), 0, kHeight}, prepared);
    if (prepared.blocks.empty()) return state.SkipWithError("the frame is empty");
    read_ms += std::chrono::duration<double, std::milli>(read - begin).count();
  }
  state.counters["read_ms"] = read_ms / static_cast<double>(state.iterations());
}

/// A run of which `range(0)` spans are there grows by 5000 a snapshot, of which some lie a few thousand
/// spans back: the time that the index takes to follow.
void snapshot(benchmark::State& state, Shape shape) {
  constexpr int kSpansASnapshot = 5000;
  SpanSource source(shape);
  LiveTrace live(2 * static_cast<std::size_t>(kSpans));
  live.begin(std::move(*make_trace(shape, source, state.range(0))));
  LiveSnapshot shown = live.snapshot();
  auto index = TimelineIndex::build(shown.trace);
  if (!index) return state.SkipWithError(to_string(index.error()).c_str());
  double publish_ms = 0;
  double late = 0;
  for (auto _ : state) {
    source.gather(100'000);
    TraceBatch batch;
    for (int span = 0; span < kSpansASnapshot; ++span)
      append_span(batch.spans, source.next());
    live.append(std::move(batch));
    const auto begin = std::chrono::steady_clock::now();
    if (!live.publish()) return state.SkipWithError("nothing was published");
    const auto published = std::chrono::steady_clock::now();
    const LiveSnapshot next = live.snapshot();
    const std::size_t unchanged = next.history.shared_with(shown.history);
    auto grown = TimelineIndex::grown(*index, next.trace, unchanged);
    const auto end = std::chrono::steady_clock::now();
    if (!grown) return state.SkipWithError(to_string(grown.error()).c_str());
    state.SetIterationTime(std::chrono::duration<double>(end - published).count());
    publish_ms += std::chrono::duration<double, std::milli>(published - begin).count();
    late += static_cast<double>(shown.trace->spans.size() - unchanged);
    index = std::move(grown);
    shown = next;
  }
  state.counters["publish_ms"] = publish_ms / static_cast<double>(state.iterations());
  state.counters["late_spans"] = late / static_cast<double>(state.iterations());
}

void zooms(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t ns :
       {0L, 1'000'000'000L, 300'000'000L, 100'000'000L, 30'000'000L, 10'000'000L, 3'000'000L,
        1'000'000L, 300'000L, 100'000L, 30'000L, 10'000L, 3'000L, 1'000L})
    benchmark->Arg(ns);
  benchmark->Iterations(300)->UseManualTime()->Unit(benchmark::kMicrosecond);
}
void few(benchmark::internal::Benchmark* benchmark) {
  benchmark->Iterations(3)->UseRealTime()->Unit(benchmark::kMillisecond);
}

void growths(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1'000'000)->Arg(kSpans);
  benchmark->Iterations(50)->UseManualTime()->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(index, streams, Shape::streams)->Apply(few);
BENCHMARK_CAPTURE(frame, streams, Shape::streams)->Apply(zooms);
BENCHMARK_CAPTURE(first_frame, streams, Shape::streams)->Apply(few);
BENCHMARK_CAPTURE(index, dense, Shape::dense)->Apply(few);
BENCHMARK_CAPTURE(frame, dense, Shape::dense)->Apply(zooms);
BENCHMARK_CAPTURE(index, lanes40, Shape::lanes40)->Apply(few);
BENCHMARK_CAPTURE(frame, lanes40, Shape::lanes40)->Apply(zooms);
BENCHMARK_CAPTURE(index, nested, Shape::nested)->Apply(few);
BENCHMARK_CAPTURE(frame, nested, Shape::nested)->Apply(zooms);
BENCHMARK_CAPTURE(snapshot, streams, Shape::streams)->Apply(growths);
BENCHMARK_CAPTURE(snapshot, lanes40, Shape::lanes40)->Apply(growths);
BENCHMARK_CAPTURE(index, crowded, Shape::crowded)->Apply(few);
BENCHMARK_CAPTURE(frame, crowded, Shape::crowded)->Apply(zooms);
BENCHMARK_CAPTURE(index, packed, Shape::packed)->Apply(few);
BENCHMARK_CAPTURE(frame, packed, Shape::packed)->Apply(zooms);

}  // namespace
}  // namespace quintet::viewer
