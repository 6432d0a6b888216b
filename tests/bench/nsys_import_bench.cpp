// Speed and memory of the import of Nsight Systems' SQLite exports: rows like those of a training
// run (calls, kernels of graphs and of single launches, copies, NVTX ranges) are written to a
// temporary file and read from the page cache, on one core. The argument is millions of rows.
// Counters: rows a second, MB_per_second (of the file), bytes_a_span (held in columns),
// peak_bytes_a_span (of the process while it imports).

#include <benchmark/benchmark.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include "profiler/import/import.h"
#include "profiler/trace/sqlite.h"

namespace quintet::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kProcess = (1LL << 56) | (4711LL << 24);
constexpr int kNames = 500;

constexpr const char* kTables =
    "CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE META_DATA_EXPORT(name TEXT NOT NULL, value TEXT);"
    "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.28.1');"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, "
    "contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, "
    "globalPid INTEGER, demangledName INTEGER, shortName INTEGER, mangledName INTEGER, "
    "registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, "
    "blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, "
    "graphNodeId INTEGER, graphId INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, deviceId INTEGER, "
    "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER, "
    "srcKind INTEGER, dstKind INTEGER, graphNodeId INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, eventClass INTEGER, "
    "globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER, "
    "callchainId INTEGER);"
    "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, textId INTEGER, "
    "globalTid INTEGER, domainId INTEGER);";

/// A file that goes away.
class ExportFile {
 public:
  explicit ExportFile(std::int64_t rows)
      : path_(fs::temp_directory_path() / fmt::format("quintet-bench-{}.sqlite", getpid())) {
    fs::remove(path_);
    Database database(path_.string(), Database::Mode::create);
    database.execute("PRAGMA synchronous = OFF");
    Transaction transaction(database, Transaction::Kind::write);
    database.execute(kTables);
    write_names(database);
    write_rows(database, rows);
    transaction.commit();
  }
  ~ExportFile() {
    std::error_code none;
    fs::remove(path_, none);
  }
  ExportFile(const ExportFile&) = delete;
  ExportFile& operator=(const ExportFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  static void write_names(Database& database) {
    Statement insert = database.prepare("INSERT INTO StringIds VALUES (?, ?)");
    for (int id = 0; id < kNames; ++id) {
      insert.run(id, fmt::format("void quintet::kernel<{}, float, (anonymous namespace)::Tile<64, "
                                 "{}>, std::array<char*, 2ul> >(float*, float const*, int)",
                                 id, id % 7));
    }
  }

  /// Of ten rows four are calls, four kernels, one a copy, one a range.
  static void write_rows(Database& database, std::int64_t rows) {
    Statement call = database.prepare(
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, 0, ?, ?, ?, 0, NULL)");
    Statement kernel = database.prepare(
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, 0, 1, NULL, ?, ?, ?, ?, ?, NULL, 40, "
        "?, 1, 1, 256, 1, 1, 0, 4096, ?, NULL)");
    Statement copy = database.prepare(
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?, ?, 0, 13, ?, ?, 65536, 1, 1, 2, NULL)");
    Statement range = database.prepare("INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, ?, ?, 0)");
    const std::int64_t thread = kProcess | 4711;
    for (std::int64_t i = 0; i < rows / 10; ++i) {
      const std::int64_t begin = 1'000'000 + i * 40'000;
      range.run(begin, begin + 39'000, i % kNames, thread);
      for (std::int64_t k = 0; k < 4; ++k) {
        const std::int64_t at = begin + k * 9'000;
        const std::int64_t correlation = i * 4 + k + 1;
        const std::int64_t name = correlation % kNames;
        const std::int64_t node = k == 0 ? 0 : (5LL << 32) | name;  // 0: in no graph
        call.run(at, at + 4'000, thread, correlation, name);
        kernel.run(at + 6'000, at + 14'000, 7 + k, correlation, kProcess, name, name,
                   1 + name % 132, node);
      }
      copy.run(begin + 1'000, begin + 5'000, i * 4 + 1, kProcess);
    }
  }

  fs::path path_;
};

std::size_t held_bytes(const SpanColumns& spans) {
  const auto bytes = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
  return bytes(spans.begin_ns) + bytes(spans.end_ns) + bytes(spans.cpu_ns) + bytes(spans.task) +
         bytes(spans.step) + bytes(spans.lane) + bytes(spans.executor_lane) +
         bytes(spans.activity) + bytes(spans.correlation) + bytes(spans.channel);
}

/// Most memory the process held since reset_peak(), in bytes; 0 where the system does not tell.
double peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

void import_nsys_export(benchmark::State& state) {
  const std::int64_t rows = state.range(0) * 1'000'000;
  const ExportFile file(rows);
  const auto bytes = static_cast<double>(fs::file_size(file.path()));
  double columns = 0;
  reset_peak();
  const double before = peak_bytes();
  for (auto _ : state) {
    const Result<Imported> imported = import_trace(file.path());
    if (!imported || imported->report.spans != rows) {
      state.SkipWithError(imported ? "spans are missing" : to_string(imported.error()).c_str());
      break;
    }
    columns = static_cast<double>(held_bytes(imported->trace.spans));
  }
  state.SetItemsProcessed(state.iterations() * rows);
  state.counters["MB_per_second"] = benchmark::Counter(
      bytes / 1e6 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["bytes_a_span"] = columns / static_cast<double>(rows);
  state.counters["peak_bytes_a_span"] = (peak_bytes() - before) / static_cast<double>(rows);
}

BENCHMARK(import_nsys_export)
    ->Arg(1)
    ->Arg(5)
    ->Arg(10)
    ->Iterations(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace quintet::test
