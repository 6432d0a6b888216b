// Speed and memory of the import of Kineto's JSON: text like that of a training run is written to a
// temporary file and read from the page cache, on one core. Targets: 300 MB/s, 48 bytes a span and
// its strings, the same speed at 1, 5 and 10 times the size.
//
// QUINTET_IMPORT_BENCH_MB=1000 adds one more size.

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <string>

#include "profiler/import/import.h"

namespace {

using namespace quintet;

constexpr std::int64_t kMegabyte = 1'000'000;

/// A file that goes away.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view name)
      : path_(std::filesystem::temp_directory_path() / name) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

constexpr const char* kHeader = R"({
  "schemaVersion": 1,
  "deviceProperties": [
    {"id": 0, "name": "NVIDIA H200", "numSms": 132}
  ],
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": 1790857026000000000,
  "traceEvents": [
)";

std::string kernel_name(std::int64_t index) {
  if (index % 3 == 0)
    return fmt::format("nvjet_sm90_hsh_{}x8_64x16_1x2_h_bz_NNT", 8 * (index % 40));
  return fmt::format(
      "void at::native::vectorized_elementwise_kernel<{}, at::native::(anonymous namespace)::"
      "launch_clamp_scalar(at::TensorIteratorBase&, c10::Scalar, c10::Scalar, at::native::detail::"
      "ClampLimits)::{{lambda()#1}}::operator()() const, std::array<char*, 2ul> >(int)",
      index % 60);
}

/// One op, its launch, its kernel, and the arrows between them, as PyTorch 2.11 writes them.
std::string events_of_op(std::int64_t index) {
  const std::int64_t ns = 5'123'964'733'550'284 + index * 9'731;
  const auto time = [](std::int64_t value) {
    return fmt::format("{}.{:03}", value / 1000, value % 1000);
  };
  return fmt::format(
      R"x(  {{
    "ph": "X", "cat": "cpu_op", "name": "aten::op_{op}", "pid": 474, "tid": 474,
    "ts": {begin}, "dur": 21.113,
    "args": {{
      "External id": {index},"Record function id": 0, "Sequence number": {index}, "Fwd thread id": 1, "Ev Idx": {index}
    }}
  }},
  {{
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 474, "tid": 474,
    "ts": {launch}, "dur": 4.882,
    "args": {{
      "External id": {index},      "cbid": 211, "correlation": {correlation}
    }}
  }},
  {{
    "ph": "s", "id": {correlation}, "pid": 474, "tid": 474, "ts": {launch},
    "cat": "ac2g", "name": "ac2g"
  }},
  {{
    "ph": "X", "cat": "kernel", "name": "{kernel}", "pid": 0, "tid": {stream},
    "ts": {work}, "dur": 6.720,
    "args": {{
      "External id": {index},      "queued": 0, "device": 0, "context": 1,      "stream": {stream}, "correlation": {correlation},      "registers per thread": 33,      "shared memory": 0,      "blocks per SM": 0.484848,      "warps per SM": 1.939394,      "grid": [{grid}, 1, 1],      "block": [128, 1, 1],      "est. achieved occupancy %": 3
    }}
  }},
  {{
    "ph": "f", "id": {correlation}, "pid": 0, "tid": {stream}, "ts": {work},
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  }},
)x",
      fmt::arg("op", index % 150), fmt::arg("index", index), fmt::arg("correlation", index + 1),
      fmt::arg("begin", time(ns)), fmt::arg("launch", time(ns + 9'000)),
      fmt::arg("work", time(ns + 31'000 + (index % 7) * 500)),
      fmt::arg("kernel", kernel_name(index)), fmt::arg("stream", index % 5 == 0 ? 20 : 7),
      fmt::arg("grid", 64 * (1 + index % 4)));
}

void write_trace(const std::string& path, std::int64_t bytes) {
  std::ofstream file(path, std::ios::binary);
  file << kHeader;
  for (std::int64_t index = 0; file.tellp() < bytes; ++index)
    file << events_of_op(index);
  file << R"(  {"name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": 1}
  ]
}
)";
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

template <class T>
std::size_t held(const std::vector<T>& column) {
  return column.capacity() * sizeof(T);
}

double column_bytes(const SpanColumns& spans) {
  return static_cast<double>(held(spans.begin_ns) + held(spans.end_ns) + held(spans.cpu_ns) +
                             held(spans.task) + held(spans.step) + held(spans.lane) +
                             held(spans.executor_lane) + held(spans.activity) +
                             held(spans.correlation) + held(spans.channel));
}

/// Bytes of memory the process held at most since reset_peak(); 0 where the system does not tell.
double peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

void import_kineto_json(benchmark::State& state) {
  const TemporaryFile file("quintet_import_bench.json");
  write_trace(file.path(), state.range(0) * kMegabyte);
  const auto bytes = static_cast<double>(std::filesystem::file_size(file.path()));
  double spans = 0;
  double columns = 0;
  reset_peak();
  const double before = peak_bytes();
  for (auto _ : state) {
    const Result<Imported> imported = import_trace(file.path());
    if (!imported) throw std::runtime_error(to_string(imported.error()));
    spans = static_cast<double>(imported->trace.spans.size());
    columns = column_bytes(imported->trace.spans);
  }
  const auto rate = [](double value) {
    return benchmark::Counter(value, benchmark::Counter::kIsIterationInvariantRate);
  };
  state.counters["MB/s"] = rate(bytes / 1e6);
  state.counters["spans"] = spans;
  state.counters["bytes/span"] = columns / spans;
  state.counters["peak/span"] = (peak_bytes() - before) / spans;
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int megabytes : {10, 50, 100})
    benchmark->Arg(megabytes);
  const char* more = std::getenv("QUINTET_IMPORT_BENCH_MB");
  if (more != nullptr && std::atoi(more) > 0) benchmark->Arg(std::atoi(more));
}

BENCHMARK(import_kineto_json)->Apply(sizes)->Unit(benchmark::kMillisecond);

}  // namespace
