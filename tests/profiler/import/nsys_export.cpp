#include "tests/profiler/import/nsys_export.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

#include "profiler/import/nsys_sqlite.h"

namespace quintet {

namespace {

constexpr const char* kDevice =
    "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
    "contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, "
    "correlationId INTEGER, globalPid INTEGER, ";

std::string kernel_table(NsysExport::Schema schema) {
  std::string sql = std::string("CREATE TABLE IF NOT EXISTS CUPTI_ACTIVITY_KIND_KERNEL(") +
                    kDevice +
                    "demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, "
                    "mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER, "
                    "registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, "
                    "blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, "
                    "dynamicSharedMemory INTEGER, localMemoryPerThread INTEGER, "
                    "localMemoryTotal INTEGER, gridId INTEGER, sharedMemoryExecuted INTEGER, "
                    "graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER";
  if (schema == NsysExport::Schema::v3_28) {
    sql +=
        ", qmdBulkReleaseDone INTEGER, qmdPreexitDone INTEGER, qmdLastCtaDone INTEGER, "
        "graphId INTEGER, clusterX INTEGER, clusterY INTEGER, clusterZ INTEGER, "
        "clusterSchedulingPolicy INTEGER, maxPotentialClusterSize INTEGER, "
        "maxActiveClusters INTEGER";
  }
  return sql + ")";
}

std::string table_sql(const std::string& name, NsysExport::Schema schema) {
  const std::string prefix = "CREATE TABLE IF NOT EXISTS CUPTI_ACTIVITY_KIND_" + name + "(";
  const std::map<std::string, std::string> tables = {
      {"KERNEL", kernel_table(schema)},
      {"MEMCPY", prefix + kDevice +
                     "bytes INTEGER, copyKind INTEGER, deprecatedSrcId INTEGER, srcKind INTEGER, "
                     "dstKind INTEGER, srcDeviceId INTEGER, srcContextId INTEGER, "
                     "dstDeviceId INTEGER, dstContextId INTEGER, migrationCause INTEGER, "
                     "graphNodeId INTEGER, virtualAddress INTEGER)"},
      {"MEMSET",
       prefix + kDevice + "value INTEGER, bytes INTEGER, graphNodeId INTEGER, memKind INTEGER)"},
      {"RUNTIME", prefix + "start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER, "
                           "globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, "
                           "returnValue INTEGER NOT NULL, callchainId INTEGER)"},
      {"GRAPH_TRACE", prefix + kDevice + "graphId INTEGER, graphExecId INTEGER)"},
      {"SYNCHRONIZATION", prefix + kDevice + "syncType INTEGER NOT NULL, eventId INTEGER)"},
      {"NVTX",
       "CREATE TABLE IF NOT EXISTS NVTX_EVENTS(start INTEGER NOT NULL, end INTEGER, "
       "eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER, color INTEGER, text TEXT, "
       "textId INTEGER, globalTid INTEGER, endGlobalTid INTEGER, domainId INTEGER)"},
      {"GRAPH_NODES",
       "CREATE TABLE IF NOT EXISTS CUDA_GRAPH_NODE_EVENTS(start INTEGER NOT NULL, end INTEGER, "
       "eventClass INTEGER, globalTid INTEGER, nameId INTEGER, graphNodeId INTEGER NOT NULL, "
       "originalGraphNodeId INTEGER)"},
  };
  return tables.at(name);
}

}  // namespace

NsysExport::NsysExport(Schema schema) : schema_(schema) {
  const bool old = schema == Schema::v3_16;
  sql("CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
      "CREATE TABLE META_DATA_EXPORT(name TEXT NOT NULL, value TEXT)");
  sql(std::string("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '") +
      (old ? "2024.6.2.225" : "2026.4.1.7") + "'), ('EXPORT_SCHEMA_VERSION', '" +
      (old ? "3.16.1" : "3.28.1") + "'), ('EXPORT_SCHEMA_VERSION_MAJOR', '3')");
}

NsysExport& NsysExport::sql(const std::string& statements) {
  database_.execute(statements);
  return *this;
}

NsysExport& NsysExport::table(const std::string& name) {
  return sql(table_sql(name, schema_));
}

std::int64_t NsysExport::string(const std::string& text) {
  Statement known = database_.prepare("SELECT id FROM StringIds WHERE value = ?");
  known.bind_all(text);
  if (known.step()) return known.integer(0);
  const std::int64_t id = database_.integer("SELECT count(*) FROM StringIds") + 1;
  database_.prepare("INSERT INTO StringIds VALUES (?, ?)").run(id, text);
  return id;
}

NsysExport& NsysExport::kernel(const NsysKernel& kernel) {
  table("KERNEL");
  const std::int64_t name = string(kernel.name);
  database_
      .prepare(
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, contextId, streamId, "
          "correlationId, globalPid, demangledName, shortName, registersPerThread, gridX, gridY, "
          "gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, graphNodeId) "
          "VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, 40, 132, 2, 1, 256, 1, 1, 1024, 65536, ?)")
      .run(kernel.start, kernel.end, kernel.device, kernel.stream, kernel.correlation,
           kernel.process, name, name, kernel.node);
  return *this;
}

NsysExport& NsysExport::call(const NsysCall& call) {
  table("RUNTIME");
  database_
      .prepare(
          "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME(start, end, eventClass, globalTid, "
          "correlationId, nameId, returnValue) VALUES (?, ?, 0, ?, ?, ?, 0)")
      .run(call.start, call.end, call.thread, call.correlation, string(call.name));
  return *this;
}

NsysExport& NsysExport::range(const NsysRange& range) {
  table("NVTX");
  database_
      .prepare(
          "INSERT INTO NVTX_EVENTS(start, end, eventType, textId, globalTid, domainId) "
          "VALUES (?, ?, ?, ?, ?, 0)")
      .run(range.start, range.end, range.type, string(range.text), range.thread);
  return *this;
}

void NsysExport::save(const std::string& path) {
  Database file(path, Database::Mode::create);
  database_.backup_to(file);
}

std::int64_t NsysImported::counted(std::string_view finding) const {
  std::int64_t count = 0;
  for (const Finding& each : trace.findings)
    count += each.name == finding ? each.count : 0;
  return count;
}

std::string NsysImported::message(std::string_view finding) const {
  for (const Finding& each : trace.findings) {
    if (each.name == finding) return each.message;
  }
  return {};
}

std::size_t NsysImported::span(std::string_view name) const {
  std::size_t found = 0;
  int count = 0;
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    if (trace.activities[trace.spans.activity[i]].name != name) continue;
    found = i;
    ++count;
  }
  EXPECT_EQ(count, 1) << "spans called " << name;
  return found;
}

const TraceActivity& NsysImported::activity(std::string_view name) const {
  return trace.activities.at(trace.spans.activity.at(span(name)));
}

std::string NsysImported::lane_of(std::string_view name) const {
  return trace.lanes.at(trace.spans.lane.at(span(name))).name;
}

std::int64_t NsysImported::spans_of(ActivityKind kind) const {
  return std::count_if(
      trace.spans.activity.begin(), trace.spans.activity.end(),
      [&](std::uint32_t activity) { return trace.activities[activity].kind == kind; });
}

ImportedCategory NsysImported::category(std::string_view name) const {
  for (const ImportedCategory& each : file.categories) {
    if (each.name == name) return each;
  }
  return {};
}

Result<NsysImported> import_nsys(Database& database) {
  TraceBuilder builder;
  auto file = read_nsys_database(database, "run.sqlite", 1000, {}, builder);
  if (!file) return tl::unexpected(file.error());
  return NsysImported{*builder.finish(), std::move(*file)};
}

NsysImported imported(NsysExport& exported) {
  auto result = import_nsys(exported.database());
  EXPECT_TRUE(result) << to_string(result.error());
  return result ? std::move(*result) : NsysImported{};
}

}  // namespace quintet
