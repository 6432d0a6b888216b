/// Small Nsight Systems exports, made by hand: tables come into being with their first row, as
/// there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "profiler/import/import_report.h"
#include "profiler/import/trace_builder.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// Process 4711 of machine 1, as Nsight writes it.
inline constexpr std::int64_t kNsysProcess = (1LL << 56) | (4711LL << 24);
inline constexpr std::int64_t kNsysThread = kNsysProcess | 4712;

struct NsysKernel {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t correlation = 0;
  std::optional<std::int64_t> node;
  std::int64_t stream = 7;
  std::int64_t device = 0;
  std::int64_t process = kNsysProcess;
  std::string name = "gemm";
};

struct NsysCall {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t correlation = 0;
  std::string name = "cudaLaunchKernel_v7000";
  std::int64_t thread = kNsysThread;
};

struct NsysRange {
  std::int64_t start = 0;
  std::optional<std::int64_t> end;
  std::string text;
  int type = 59;
  std::int64_t thread = kNsysThread;
};

/// An export of schema 3.16.1 or 3.28.1, in memory.
class NsysExport {
 public:
  enum class Schema : std::uint8_t { v3_16, v3_28 };
  explicit NsysExport(Schema schema = Schema::v3_28);

  NsysExport& sql(const std::string& statements);
  NsysExport& kernel(const NsysKernel& kernel);
  NsysExport& call(const NsysCall& call);
  NsysExport& range(const NsysRange& range);
  /// The id of a string, a new one where it is new.
  std::int64_t string(const std::string& text);
  /// Makes a table without rows: "KERNEL", "MEMCPY", "MEMSET", "RUNTIME", "GRAPH_TRACE",
  /// "SYNCHRONIZATION", "NVTX", "GRAPH_NODES".
  NsysExport& table(const std::string& name);

  Database& database() { return database_; }
  /// As a file.
  void save(const std::string& path);

 private:
  Schema schema_;
  Database database_{":memory:", Database::Mode::create};
};

/// A trace and what the reader says about it.
struct NsysImported {
  Trace trace;
  ImportedFile file;

  /// How often a finding was counted; 0 = never.
  [[nodiscard]] std::int64_t counted(std::string_view finding) const;
  /// Its message, or nothing.
  [[nodiscard]] std::string message(std::string_view finding) const;
  /// Index of the only span with this name; fails the test where there are several or none.
  [[nodiscard]] std::size_t span(std::string_view name) const;
  [[nodiscard]] const TraceActivity& activity(std::string_view name) const;
  [[nodiscard]] std::string lane_of(std::string_view name) const;
  [[nodiscard]] std::int64_t spans_of(ActivityKind kind) const;
  [[nodiscard]] ImportedCategory category(std::string_view name) const;
};

Result<NsysImported> import_nsys(Database& database);
/// Of an export that can be read; fails the test where it cannot.
NsysImported imported(NsysExport& exported);

}  // namespace quintet
