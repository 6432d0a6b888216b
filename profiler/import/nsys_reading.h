/// What the readers of the tables of one Nsight Systems export share.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "profiler/import/import_report.h"
#include "profiler/import/string_table.h"
#include "profiler/import/table_rows.h"
#include "profiler/import/trace_builder.h"

namespace quintet {

/// The parts of an Nsight id of a thread. An id of a process has thread 0.
struct NsysGlobalId {
  std::int64_t process = 0;  ///< the id without its thread
  std::int64_t pid = 0;      ///< as the operating system counts
  std::int64_t tid = 0;
};
NsysGlobalId nsys_global_id(std::int64_t id);

/// What lanes call the processes of one export.
class NsysProcesses {
 public:
  /// The process' pid; where another process of the export (another machine) has the same pid, the
  /// whole id.
  std::int64_t key_of(std::int64_t global_id);
  /// The process, if there is exactly one.
  [[nodiscard]] std::optional<std::int64_t> only() const;

 private:
  std::map<std::int64_t, std::int64_t> keys_;  ///< by id of the process
  std::set<std::int64_t> taken_;
};

/// The GPUs of one export. A process counts devices by its own ordinals.
struct NsysGpus {
  struct Gpu {
    std::string name;
    std::int64_t multiprocessors = 0;  ///< 0 = unknown
  };
  std::map<std::int64_t, Gpu> gpus;                                       ///< by id
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> devices;  ///< (pid, ordinal) to id
  std::set<std::int64_t> used;                                            ///< ids that did work
};

/// Where device work of a process ran, as its row tells.
struct NsysPlace {
  std::optional<std::int64_t> process;  ///< global id
  std::optional<std::int64_t> device;   ///< ordinal in the process
  std::optional<std::int64_t> stream;   ///< kNoStream = a whole context
  std::optional<std::int64_t> context;  ///< in which streams are numbered
};

/// Passes what the rows tell on to the builder and keeps the books: categories, damage, progress.
class NsysReading {
 public:
  NsysReading(Database& database, TraceBuilder& builder, ImportSourceId source,
              const ImportProgress& progress, std::uint64_t file_bytes)
      : database_(database),
        builder_(builder),
        source_(source),
        progress_(progress),
        file_bytes_(file_bytes) {}

  [[nodiscard]] Database& database() { return database_; }
  [[nodiscard]] TraceBuilder& builder() { return builder_; }
  [[nodiscard]] ImportSourceId source() const { return source_; }
  StringTable& strings() { return strings_; }
  NsysProcesses& processes() { return processes_; }
  NsysGpus& gpus() { return gpus_; }
  CategoryCounts& categories() { return categories_; }

  /// How many rows there are in all, for the progress.
  void expect_rows(std::int64_t rows) { expected_rows_ = rows; }
  /// The next row; false at the end, where the rest cannot be read ("damaged_table"), and once the
  /// import is cancelled.
  bool next(TableRows& rows);
  /// As next(), and counts the row in the table's category.
  bool next_event(TableRows& rows);
  [[nodiscard]] bool cancelled() const { return cancelled_; }

  /// The name with this id in a column; what stands for it where it is missing ("missing_names").
  std::string_view name(TableRows& rows, TableRows::Column column, std::string_view kind);
  std::uint16_t device_lane(LaneRole role, NsysPlace place);
  std::uint16_t thread_lane(std::optional<std::int64_t> global_tid,
                            LaneRole role = LaneRole::thread);
  /// A correlation id; 0 where it is missing or no 32-bit number.
  std::uint32_t correlation(std::optional<std::int64_t> id);
  /// Hands an event of the table to the builder; both times 0 = not recorded. False if untimed.
  bool add(const ImportedSpan& span);
  /// As add(), of a row that tells no end where `end_ns` is nothing or 0 behind a start: listed as
  /// untimed with its start as told ("open_activities", or "open_graph_launches" of graphs).
  void add(ImportedSpan& span, std::optional<std::int64_t> end_ns);
  /// A row that cannot be an event, for it lacks its times.
  void skip_row(TableRows& rows);
  /// End of the last event so far; nothing before the first one.
  [[nodiscard]] std::optional<std::int64_t> latest_ns() const { return latest_ns_; }
  [[nodiscard]] std::int64_t skipped_rows() const { return skipped_rows_; }
  /// The first row that was skipped, or that ended what can be read of its table.
  [[nodiscard]] const std::optional<ImportedDamage>& first_damage() const { return first_damage_; }

  /// Whether any call launched a graph.
  void note_graph_launch() { graphs_launched_ = true; }
  [[nodiscard]] bool graphs_launched() const { return graphs_launched_; }

  /// Tells the wrong types of a table that has been read.
  void close(const TableRows& rows);

 private:
  bool tick();
  /// The row id of the row read last, which is kept if it is the first damaged one.
  std::int64_t note_damage(TableRows& rows);
  void incomplete_row();

  Database& database_;
  TraceBuilder& builder_;
  ImportSourceId source_;
  const ImportProgress& progress_;
  std::uint64_t file_bytes_ = 0;
  StringTable strings_;
  NsysProcesses processes_;
  NsysGpus gpus_;
  CategoryCounts categories_;
  std::size_t category_ = 0;  ///< of the row read last
  std::string name_;          ///< of the row read last, where no string holds it
  std::int64_t expected_rows_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t skipped_rows_ = 0;
  std::optional<ImportedDamage> first_damage_;
  std::optional<std::int64_t> latest_ns_;
  bool graphs_launched_ = false;
  bool cancelled_ = false;
};

}  // namespace quintet
