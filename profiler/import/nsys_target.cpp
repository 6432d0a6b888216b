#include "profiler/import/nsys_target.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "profiler/import/dropped_records.h"

namespace quintet {

namespace {

constexpr std::int64_t kMajor = 3;
constexpr std::int64_t kNewestMinor = 28;
constexpr const char* kCure =
    "export the report again, with Nsight Systems 2024.6 to 2026.4: nsys export --type sqlite";

/// Tables without which there is nothing to draw.
constexpr auto kEventTables = std::to_array<std::string_view>({
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "CUPTI_ACTIVITY_KIND_DRIVER",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "CUDA_GRAPH_NODE_EVENTS",
    "NVTX_EVENTS",
    "PROFILER_OVERHEAD",
});

struct SchemaVersion {
  std::int64_t major = 0;
  std::int64_t minor = 0;
  std::string text;
};

/// "3.16.1"; nothing for what is no version.
std::optional<SchemaVersion> version_of(const std::string& text) {
  SchemaVersion version;
  version.text = text;
  const char* const end = text.data() + text.size();
  const auto [point, error] = std::from_chars(text.data(), end, version.major);
  if (error != std::errc() || point == end || *point != '.') return std::nullopt;
  if (std::from_chars(point + 1, end, version.minor).ec != std::errc()) return std::nullopt;
  return version;
}

std::optional<SchemaVersion> schema_version(Database& database) {
  TableRows rows(database, "META_DATA_EXPORT");
  const auto name = rows.column("name");
  const auto value = rows.column("value");
  while (rows.next()) {
    if (rows.text(name) == "EXPORT_SCHEMA_VERSION")
      return version_of(rows.text(value).value_or(std::string()));
  }
  return std::nullopt;
}

bool has_events(Database& database) {
  return std::any_of(kEventTables.begin(), kEventTables.end(),
                     [&](std::string_view table) { return TableRows(database, table).exists(); });
}

/// What the file calls its severities; else what they have been so far.
std::map<std::int64_t, std::string> severities(NsysReading& reading) {
  std::map<std::int64_t, std::string> names;
  TableRows rows(reading.database(), "ENUM_DIAGNOSTIC_SEVERITY_LEVEL");
  const auto id = rows.column("id");
  const auto name = rows.column("name");
  const auto label = rows.column("label");
  constexpr std::size_t kMostSeverities = 100;
  while (names.size() < kMostSeverities && reading.next(rows)) {
    const auto number = rows.integer(id);
    auto word = rows.text(label);
    if (!word) word = rows.text(name);
    if (number && word) names.emplace(*number, *word);
  }
  if (names.empty()) names = {{2, "Warning"}, {3, "Error"}};
  return names;
}

/// The first few different messages of one severity, and how many there were.
class Complaints {
 public:
  void add(std::string text) {
    constexpr std::size_t kMostTexts = 5;
    constexpr std::size_t kMostBytes = 200;
    ++count_;
    if (text.size() > kMostBytes) {
      // Not in the middle of a character.
      std::size_t bytes = kMostBytes;
      while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U)
        --bytes;
      text.resize(bytes);
      text += "...";
    }
    if (texts_.size() < kMostTexts && std::find(texts_.begin(), texts_.end(), text) == texts_.end())
      texts_.push_back(std::move(text));
  }

  void tell(NsysReading& reading, Severity severity, std::string_view name) const {
    if (count_ == 0) return;
    reading.builder().count(severity, name,
                            fmt::format("Nsight Systems reported: {}", fmt::join(texts_, "; ")),
                            count_);
  }

 private:
  std::vector<std::string> texts_;
  std::int64_t count_ = 0;
};

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

void read_devices(NsysReading& reading) {
  TableRows rows(reading.database(), "TARGET_INFO_CUDA_DEVICE");
  const auto gpu = rows.column("gpuId");
  const auto ordinal = rows.column("cudaId");
  const auto process = rows.column("pid");
  constexpr std::int64_t kMostGpus = 1 << 20;
  while (reading.next(rows)) {
    const auto id = rows.integer(gpu);
    const auto device = rows.integer(ordinal);
    const auto pid = rows.integer(process);
    if (id && device && pid && *id >= 0 && *id < kMostGpus)
      reading.gpus().devices.emplace(std::pair(*pid, *device), *id);
  }
  reading.close(rows);
}

}  // namespace

Result<void> check_nsys_schema(NsysReading& reading, const std::string& path) {
  Database& database = reading.database();
  const bool tells_version = TableRows(database, "META_DATA_EXPORT").exists();
  if (!tells_version && !has_events(database)) {
    return fail("is no Nsight Systems export: another program's SQLite file",
                "name a file that nsys export --type sqlite wrote", path);
  }
  const std::optional<SchemaVersion> version = schema_version(database);
  if (!version) {
    reading.builder().count(Severity::notice, "unknown_schema",
                            "the export does not tell its schema version: read as version 3");
    return {};
  }
  if (version->major != kMajor) {
    return fail(fmt::format("has export schema {}, this program reads {}.x", version->text, kMajor),
                kCure, path);
  }
  if (version->minor > kNewestMinor) {
    reading.builder().count(
        Severity::notice, "newer_schema",
        fmt::format("the export has schema {}, this program knows up to {}.{}: columns that "
                    "changed may be missing",
                    version->text, kMajor, kNewestMinor));
  }
  return {};
}

void read_nsys_diagnostics(NsysReading& reading) {
  const std::map<std::int64_t, std::string> names = severities(reading);
  TableRows rows(reading.database(), "DIAGNOSTIC_EVENT");
  const auto severity = rows.column("severity");
  const auto message = rows.column("text");
  Complaints errors;
  Complaints warnings;
  Complaints losses;
  while (reading.next(rows)) {
    if (const auto text = rows.text(message); text && reports_dropped_records(*text))
      losses.add(*text);
    const auto level = names.find(rows.integer(severity).value_or(-1));
    if (level == names.end()) continue;
    const std::string word = lower_case(level->second);
    if (word == "error" || word == "fatal") {
      errors.add(rows.text(message).value_or("an error without a text"));
    } else if (word == "warning") {
      warnings.add(rows.text(message).value_or("a warning without a text"));
    }
  }
  reading.close(rows);
  errors.tell(reading, Severity::error, "profiler_errors");
  warnings.tell(reading, Severity::notice, "profiler_warnings");
  losses.tell(reading, Severity::data_loss, "dropped_records");
}

void read_nsys_session(NsysReading& reading) {
  TableRows rows(reading.database(), "TARGET_INFO_SESSION_START_TIME");
  const auto start = rows.column("utcEpochNs");
  if (!reading.next(rows)) return;
  const auto start_ns = rows.integer(start);
  constexpr std::int64_t kLastTime = 1LL << 62;
  if (start_ns && *start_ns > 0 && *start_ns < kLastTime)
    reading.builder().set_clock_offset(reading.source(), *start_ns);
  reading.close(rows);
}

void read_nsys_processes(NsysReading& reading) {
  // Exports of one version or another have either.
  for (const std::string_view table : {"PROCESSES", "TARGET_INFO_PROCESS"}) {
    TableRows rows(reading.database(), table);
    const auto global = rows.column("globalPid");
    const auto pid = rows.column(rows.has("pid") ? "pid" : "processId");
    const auto name = rows.column("name");
    const auto name_id = rows.column("nameId");
    std::size_t named = 0;
    while (named < LaneBook::kMostLanes && reading.next(rows)) {
      const auto id = rows.integer(global);
      const auto number = rows.integer(pid);
      const auto column = rows.is_null(name) ? name_id : name;
      if ((!id && !number) || rows.is_null(column)) continue;
      std::string_view program = reading.name(rows, column, "process");
      if (program.ends_with('/')) continue;
      // The last part of a path: "python3" of "/usr/bin/python3".
      program = program.substr(program.rfind('/') + 1);
      const std::int64_t process = id ? reading.processes().key_of(*id) : *number;
      reading.builder().name_process(reading.source(), process, std::string(program));
      ++named;
    }
    reading.close(rows);
  }
}

void read_nsys_gpus(NsysReading& reading) {
  TableRows rows(reading.database(), "TARGET_INFO_GPU");
  const auto id = rows.column("id");
  const auto name = rows.column("name");
  const auto multiprocessors = rows.column("smCount");
  while (reading.next(rows)) {
    const auto gpu = rows.integer(id);
    if (!gpu) continue;
    reading.gpus().gpus.emplace(*gpu, NsysGpus::Gpu{rows.text(name).value_or(std::string()),
                                                    rows.integer(multiprocessors).value_or(0)});
  }
  reading.close(rows);
  read_devices(reading);
}

void describe_nsys_gpus(NsysReading& reading) {
  std::set<std::string> names;
  std::set<std::int64_t> multiprocessors;
  for (const std::int64_t id : reading.gpus().used) {
    const auto gpu = reading.gpus().gpus.find(id);
    if (gpu == reading.gpus().gpus.end()) continue;
    if (!gpu->second.name.empty()) names.insert(gpu->second.name);
    if (gpu->second.multiprocessors > 0) multiprocessors.insert(gpu->second.multiprocessors);
  }
  if (!names.empty())
    reading.builder().set_provenance("gpu", fmt::format("{}", fmt::join(names, ", ")));
  // Of unlike GPUs there is no one number.
  if (multiprocessors.size() == 1) {
    reading.builder().set_provenance("multiprocessors",
                                     fmt::format("{}", *multiprocessors.begin()));
  }
}

void count_nsys_other_tables(NsysReading& reading) {
  // Events have a time; lists of names, machines and settings have none.
  constexpr auto kTimes = std::to_array<std::string_view>({"start", "timestamp", "rawTimestamp"});
  constexpr auto kNoEvents = std::to_array<std::string_view>({"DIAGNOSTIC_EVENT"});
  constexpr std::size_t kMostTables = 1000;
  for (const std::string& table : table_names(reading.database(), kMostTables)) {
    if (reading.cancelled()) return;
    const bool known =
        std::find(kEventTables.begin(), kEventTables.end(), table) != kEventTables.end() ||
        std::find(kNoEvents.begin(), kNoEvents.end(), table) != kNoEvents.end() ||
        table.starts_with("TARGET_INFO_") || table.starts_with("ANALYSIS_");
    TableRows rows(reading.database(), table);
    const bool events = std::any_of(kTimes.begin(), kTimes.end(),
                                    [&](std::string_view column) { return rows.has(column); });
    if (known || !events) continue;
    while (reading.next_event(rows)) {
    }
  }
}

}  // namespace quintet
