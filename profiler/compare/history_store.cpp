#include "profiler/compare/history_store.h"

#include <filesystem>
#include <fmt/format.h>

#include "profiler/compare/recording_identity.h"
#include "profiler/metrics/metric_catalog.h"

namespace quintet {

namespace {

constexpr const char* kSchema = R"sql(
CREATE TABLE runs(
  identity TEXT PRIMARY KEY,
  scenario TEXT NOT NULL,
  policy TEXT NOT NULL,
  executor TEXT NOT NULL,
  device TEXT NOT NULL,
  lowering TEXT NOT NULL,
  batch TEXT NOT NULL,
  source_commit TEXT NOT NULL,
  started TEXT NOT NULL,
  file TEXT NOT NULL,
  timed_steps INTEGER NOT NULL
) STRICT;
CREATE TABLE metrics(
  run TEXT NOT NULL REFERENCES runs(identity),
  tag TEXT NOT NULL,
  name TEXT NOT NULL,
  hint TEXT NOT NULL,
  value REAL NOT NULL,
  p05 REAL,
  p95 REAL,
  PRIMARY KEY (run, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_by_scenario ON runs(scenario, policy);
)sql";

constexpr const char* kRunColumns =
    "runs.identity, scenario, policy, executor, device, lowering, batch, source_commit, started, "
    "file, timed_steps";
constexpr const char* kFilter =
    " WHERE (?1 = '' OR scenario = ?1) AND (?2 = '' OR policy = ?2) AND (?3 = '' OR device = ?3)";
constexpr const char* kOrder = " ORDER BY started, runs.identity";

HistoryRun run_of(const Statement& row) {
  return {row.text(0), row.text(1), row.text(2), row.text(3), row.text(4),    row.text(5),
          row.text(6), row.text(7), row.text(8), row.text(9), row.integer(10)};
}

MetricHint hint_of(const std::string& name) {
  for (const MetricHint hint : kMetricHints) {
    if (name == name_of(hint)) return hint;
  }
  return MetricHint::count;
}

Error store_error(const SqliteError& error, const std::string& path) {
  switch (error.failure()) {
    case SqliteFailure::disk_full:
      return {"the disk is full", "free space and try again", path, 0, ErrorKind::machine};
    case SqliteFailure::no_database:
      return {"is no history", "name another file with --db", path};
    case SqliteFailure::busy:
      return {"another process kept it locked for five seconds", "try again", path};
    case SqliteFailure::input_output:
      return {error.what(), "check the disk", path, 0, ErrorKind::machine};
    case SqliteFailure::cannot_open:
    case SqliteFailure::out_of_memory:
    case SqliteFailure::other:
      return {error.what(), "name a file that can be read and written with --db", path};
  }
  return {error.what(), {}, path};
}

/// Makes the tables of a new file, or checks whose file it is. Inside a write transaction where
/// several processes may be at it.
Result<void> check_schema(Database& database, const std::string& path, bool create) {
  const std::int64_t application = database.integer("PRAGMA application_id");
  const std::int64_t version = database.integer("PRAGMA user_version");
  const bool empty = database.integer("SELECT count(*) FROM sqlite_schema") == 0;
  if (application == 0 && empty && create) {
    database.execute(kSchema);
    database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                 kHistoryApplicationId, kHistorySchemaVersion));
    return {};
  }
  if (application != kHistoryApplicationId)
    return fail("is no history", "name another file with --db", path);
  if (version != kHistorySchemaVersion) {
    return fail(fmt::format("has history version {}, this program reads version {}", version,
                            kHistorySchemaVersion),
                "begin another file with --db", path);
  }
  return {};
}

Result<void> check_file(const std::string& path, HistoryStore::Access access) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status))
    return fail("is a folder", "name a file in it with --db", path);
  if (!std::filesystem::exists(status)) {
    if (access == HistoryStore::Access::write) return {};
    return fail("no such file", "begin one with quintet history add", path);
  }
  if (!std::filesystem::is_regular_file(status))
    return fail("is no regular file", "name another file with --db", path);
  return {};
}

void write_entry(Database& database, const HistoryEntry& entry) {
  const HistoryRun& run = entry.run;
  database.prepare("DELETE FROM metrics WHERE run = ?").run(run.identity);
  database.prepare("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(run.identity, run.scenario, run.policy, run.executor, run.device, run.lowering,
           run.batch, run.commit, run.started, run.file, run.timed_steps);
  Statement insert = database.prepare("INSERT INTO metrics VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const HistoryMetric& metric : entry.metrics) {
    std::optional<double> p05;
    std::optional<double> p95;
    if (metric.spread) {
      p05 = metric.spread->p05;
      p95 = metric.spread->p95;
    }
    insert.run(run.identity, metric.tag, metric.name, name_of(metric.hint), metric.value, p05, p95);
  }
}

}  // namespace

HistoryEntry history_entry(const Trace& trace, const std::string& file, const std::string& commit) {
  const auto said = [&trace](const std::string& key) {
    const auto found = trace.provenance.find(key);
    return found == trace.provenance.end() ? std::string() : found->second;
  };
  HistoryEntry entry;
  entry.run = {recording_identity(trace),
               said("scenario"),
               said("policy"),
               said("executor"),
               said("gpu").empty() ? said("cpu") : said("gpu"),
               said("lowering"),
               said("batch"),
               commit,
               said("started"),
               file,
               0};
  for (const MetricValue& metric : compute_metrics(trace)) {
    if (!metric.known()) continue;
    if (metric.tag() == "step/timed")
      entry.run.timed_steps = static_cast<std::int64_t>(metric.value);
    entry.metrics.push_back({metric.tag(), metric.definition.name, metric.definition.hint,
                             metric.value, metric.spread});
  }
  return entry;
}

template <class Work>
auto HistoryStore::attempt(Work work) -> Result<decltype(work())> {
  try {
    return work();
  } catch (const SqliteError& error) {
    return tl::unexpected(store_error(error, path_));
  }
}

Result<HistoryStore> HistoryStore::open(const std::string& path, Access access) {
  if (auto usable = check_file(path, access); !usable) return tl::unexpected(usable.error());
  try {
    const bool write = access == Access::write;
    auto database = std::make_unique<Database>(
        path, write ? Database::Mode::create : Database::Mode::read_only);
    Transaction transaction(*database, write ? Transaction::Kind::write : Transaction::Kind::read);
    if (auto schema = check_schema(*database, path, write); !schema)
      return tl::unexpected(schema.error());
    transaction.commit();
    return HistoryStore(path, std::move(database));
  } catch (const SqliteError& error) {
    return tl::unexpected(store_error(error, path));
  }
}

Result<std::size_t> HistoryStore::add(const std::vector<HistoryEntry>& entries) {
  return attempt([&] {
    Transaction transaction(*database_, Transaction::Kind::write);
    std::size_t replaced = 0;
    Statement known = database_->prepare("SELECT 1 FROM runs WHERE identity = ?");
    for (const HistoryEntry& entry : entries) {
      known.bind_all(entry.run.identity);
      if (known.step()) ++replaced;
      known.reset();
      write_entry(*database_, entry);
    }
    transaction.commit();
    return replaced;
  });
}

Result<std::vector<HistoryRun>> HistoryStore::runs(const HistoryFilter& filter) {
  return attempt([&] {
    Statement query =
        database_->prepare(fmt::format("SELECT {} FROM runs{}{}", kRunColumns, kFilter, kOrder));
    query.bind_all(filter.scenario, filter.policy, filter.device);
    std::vector<HistoryRun> runs;
    while (query.step())
      runs.push_back(run_of(query));
    return runs;
  });
}

Result<std::vector<HistoryValue>> HistoryStore::values(const HistoryFilter& filter,
                                                       const std::string& tag) {
  return attempt([&] {
    Statement query = database_->prepare(
        fmt::format("SELECT {}, name, hint, value, p05, p95 FROM runs JOIN metrics ON metrics.run "
                    "= runs.identity AND metrics.tag = ?4{}{}",
                    kRunColumns, kFilter, kOrder));
    query.bind_all(filter.scenario, filter.policy, filter.device, tag);
    std::vector<HistoryValue> values;
    while (query.step()) {
      HistoryValue value;
      value.run = run_of(query);
      value.metric = {tag, query.text(11), hint_of(query.text(12)), query.real(13), std::nullopt};
      if (!query.is_null(14) && !query.is_null(15))
        value.metric.spread = MetricSpread{query.real(14), query.real(15)};
      values.push_back(std::move(value));
    }
    return values;
  });
}

Result<std::vector<std::string>> HistoryStore::tags() {
  return attempt([&] {
    Statement query = database_->prepare("SELECT DISTINCT tag FROM metrics ORDER BY tag");
    std::vector<std::string> tags;
    while (query.step())
      tags.push_back(query.text(0));
    return tags;
  });
}

}  // namespace quintet
