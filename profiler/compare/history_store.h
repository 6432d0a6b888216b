/// What earlier recordings measured, in one SQLite file: what each run was, and its metrics. Small,
/// as it holds no spans.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// The file's PRAGMA application_id, "QHIS", and the one version of its tables that is read.
inline constexpr std::int64_t kHistoryApplicationId = 0x51484953;
inline constexpr int kHistorySchemaVersion = 1;

struct HistoryRun {
  std::string identity;  ///< recording_identity
  std::string scenario;
  std::string policy;
  std::string executor;
  std::string device;  ///< the GPU, else the processor
  std::string lowering;
  std::string batch;
  std::string commit;   ///< of the program's source; empty = unknown
  std::string started;  ///< UTC, "2026-11-30T12:00:00Z"; empty = unknown
  std::string file;     ///< where the recording lay
  std::int64_t timed_steps = 0;
};

struct HistoryMetric {
  std::string tag;
  std::string name;
  MetricHint hint = MetricHint::count;
  double value = 0;  ///< the median where it is measured over steps
  std::optional<MetricSpread> spread;
};

/// One metric of one run.
struct HistoryValue {
  HistoryRun run;
  HistoryMetric metric;
};

/// Empty = any.
struct HistoryFilter {
  std::string scenario;
  std::string policy;
  std::string device;
};

/// What a recording adds: its description, and every metric that is known.
struct HistoryEntry {
  HistoryRun run;
  std::vector<HistoryMetric> metrics;
};

HistoryEntry history_entry(const Trace& trace, const std::string& file, const std::string& commit);

/// Owns the open file. One thread at a time; other processes may read and write it meanwhile: each
/// call is one transaction and waits up to five seconds. Errors name the file and a cure.
///
///   auto store = HistoryStore::open("quintet-history.sqlite", HistoryStore::Access::write);
///   store->add({history_entry(trace, "run.qtrace", commit)});
class HistoryStore {
 public:
  enum class Access : std::uint8_t { read, write };

  /// `write` makes the file where there is none; `read` says how to make one.
  static Result<HistoryStore> open(const std::string& path, Access access);

  /// Adds them all or none; a recording that is known already is replaced. Returns how many were.
  Result<std::size_t> add(const std::vector<HistoryEntry>& entries);
  /// By start, then identity.
  Result<std::vector<HistoryRun>> runs(const HistoryFilter& filter);
  /// The runs that have the metric, by start, then identity.
  Result<std::vector<HistoryValue>> values(const HistoryFilter& filter, const std::string& tag);
  /// Every tag of the store, sorted.
  Result<std::vector<std::string>> tags();

 private:
  HistoryStore(std::string path, std::unique_ptr<Database> database)
      : path_(std::move(path)), database_(std::move(database)) {}
  template <class Work>
  auto attempt(Work work) -> Result<decltype(work())>;

  std::string path_;
  std::unique_ptr<Database> database_;
};

}  // namespace quintet
