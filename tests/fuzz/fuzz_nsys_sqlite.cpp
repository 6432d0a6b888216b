// Any tables of any columns with any values as an Nsight Systems export: never a crash, never a
// trace that contradicts itself. The bytes are a script that makes an in-memory database.

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/import/nsys_sqlite.h"
#include "tests/fuzz/byte_script.h"
#include "tests/fuzz/trace_check.h"

namespace quintet {
namespace {

struct TableShape {
  const char* name;
  std::vector<const char*> columns;
};

const std::vector<TableShape>& shapes() {
  static const std::vector<TableShape> kShapes = {
      {"StringIds", {"id", "value"}},
      {"META_DATA_EXPORT", {"name", "value"}},
      {"CUPTI_ACTIVITY_KIND_KERNEL",
       {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "demangledName",
        "shortName", "mangledName", "graphNodeId", "gridX", "gridY", "gridZ", "blockX", "blockY",
        "blockZ", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory"}},
      {"CUPTI_ACTIVITY_KIND_MEMCPY",
       {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "bytes", "copyKind",
        "srcKind", "dstKind", "graphNodeId"}},
      {"CUPTI_ACTIVITY_KIND_MEMSET",
       {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "bytes", "memKind",
        "graphNodeId"}},
      {"CUPTI_ACTIVITY_KIND_RUNTIME", {"start", "end", "globalTid", "correlationId", "nameId"}},
      {"CUPTI_ACTIVITY_KIND_DRIVER", {"start", "end", "globalTid", "correlationId", "nameId"}},
      {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
       {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphId",
        "graphExecId"}},
      {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
       {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "syncType"}},
      {"CUDA_GRAPH_NODE_EVENTS", {"start", "globalTid", "graphNodeId", "originalGraphNodeId"}},
      {"NVTX_EVENTS", {"start", "end", "eventType", "text", "textId", "globalTid"}},
      {"TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}},
      {"TARGET_INFO_GPU", {"id", "name", "smCount"}},
      {"TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"}},
      {"ThreadNames", {"globalTid", "nameId"}},
      {"DIAGNOSTIC_EVENT", {"timestamp", "severity", "text"}},
      {"ENUM_DIAGNOSTIC_SEVERITY_LEVEL", {"id", "name", "label"}},
      {"OSRT_API", {"start", "end"}},
  };
  return kShapes;
}

/// Makes and fills tables as the script says.
class ScriptedExport {
 public:
  ScriptedExport(Database& database, ByteScript& script) : database_(database), script_(script) {
    columns_.resize(shapes().size());
  }

  void run() {
    constexpr int kMostRows = 200;
    for (int row = 0; row < kMostRows && !script_.done(); ++row) {
      const std::size_t table = script_.below(shapes().size());
      if (columns_[table].empty()) create(table);
      insert(table);
    }
  }

 private:
  void create(std::size_t table) {
    const TableShape& shape = shapes()[table];
    const std::uint64_t absent = script_.number(2);
    for (std::size_t i = 0; i < shape.columns.size(); ++i) {
      if ((absent >> i & 1U) == 0)
        columns_[table] +=
            fmt::format("{}\"{}\"", columns_[table].empty() ? "" : ", ", shape.columns[i]);
    }
    if (columns_[table].empty()) columns_[table] = "other";
    constexpr std::array<const char*, 4> kMakes = {
        "CREATE TABLE {}({})", "CREATE TABLE {}({}, rowid)", "CREATE TABLE {}({}, w PRIMARY KEY)",
        "CREATE TABLE {}({}, w PRIMARY KEY) WITHOUT ROWID"};
    const std::string make = fmt::format(fmt::runtime(kMakes.at(script_.below(kMakes.size()))),
                                         shape.name, columns_[table]);
    try {
      database_.execute(make);
    } catch (const SqliteError&) {
      // It is there already.
    }
  }

  void insert(std::size_t table) {
    const auto count = static_cast<std::size_t>(
        std::count(columns_[table].begin(), columns_[table].end(), ',') + 1);
    std::string values = script_.literal();
    for (std::size_t i = 1; i < count; ++i)
      values += ", " + script_.literal();
    try {
      database_.execute(fmt::format("INSERT INTO {}({}) VALUES ({})", shapes()[table].name,
                                    columns_[table], values));
    } catch (const SqliteError&) {
      // A key that is there already, or NULL.
    }
  }

  Database& database_;
  ByteScript& script_;
  std::vector<std::string> columns_;
};

}  // namespace
}  // namespace quintet

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quintet;
  ByteScript script({data, size});
  Database database(":memory:", Database::Mode::create);
  // Half of the exports say what they are.
  if (script.byte() % 2 == 0) {
    database.execute(
        "CREATE TABLE META_DATA_EXPORT(name, value);"
        "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.28.1')");
  }
  ScriptedExport(database, script).run();
  TraceBuilder builder;
  const Result<ImportedFile> file = read_nsys_database(database, "fuzz.sqlite", size, {}, builder);
  if (!file) {
    require(!file.error().message.empty(), "errors say what is wrong");
    return 0;
  }
  require(file->drawn() <= file->events(), "no more is drawn than read");
  const std::size_t spans = builder.spans();
  require(static_cast<std::int64_t>(spans) == file->drawn(), "what is drawn are the spans");
  const Trace trace = *builder.finish();
  require_consistent(trace);
  require(trace.spans.size() <= spans, "no span comes from nowhere");
  return 0;
}
