#include "profiler/import/nsys_reading.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace quintet {

namespace {

/// A few milliseconds of work.
constexpr std::int64_t kRowsBetweenReports = 4096;

constexpr std::int64_t kThreadBits = 0xFFFFFF;

/// What another attempt, or another machine, may mend: not for the file's own damage.
bool is_damage(const SqliteError& error) {
  switch (error.failure()) {
    case SqliteFailure::other:
    case SqliteFailure::no_database:
    case SqliteFailure::input_output:
      return true;
    case SqliteFailure::disk_full:
    case SqliteFailure::busy:
    case SqliteFailure::cannot_open:
    case SqliteFailure::out_of_memory:
      return false;
  }
  return false;
}

}  // namespace

NsysGlobalId nsys_global_id(std::int64_t id) {
  return {id & ~kThreadBits, (id >> 24) & kThreadBits, id & kThreadBits};
}

std::int64_t NsysProcesses::key_of(std::int64_t global_id) {
  const NsysGlobalId id = nsys_global_id(global_id);
  const auto [known, added] = keys_.try_emplace(id.process, id.pid);
  if (added && !taken_.insert(id.pid).second) known->second = id.process;
  return known->second;
}

std::optional<std::int64_t> NsysProcesses::only() const {
  if (keys_.size() != 1) return std::nullopt;
  return keys_.begin()->first;
}

bool NsysReading::tick() {
  if (rows_++ % kRowsBetweenReports == 0 && progress_) {
    // Rows stand for bytes: where one is, inside the file, SQLite does not tell.
    const double share = expected_rows_ == 0
                             ? 0.0
                             : static_cast<double>(rows_ - 1) / static_cast<double>(expected_rows_);
    const auto done =
        static_cast<std::uint64_t>(static_cast<double>(file_bytes_) * std::min(share, 1.0));
    cancelled_ = !progress_(std::min(done, file_bytes_), file_bytes_);
  }
  return !cancelled_;
}

bool NsysReading::next(TableRows& rows) {
  if (cancelled_) return false;
  try {
    if (!rows.next()) return false;
  } catch (const SqliteError& error) {
    if (!is_damage(error)) throw;
    builder_.count(Severity::data_loss, "damaged_table",
                   fmt::format("tables whose end cannot be read, first {} behind row {} ({})",
                               rows.table(), note_damage(rows), error.what()));
    return false;
  }
  return tick();
}

bool NsysReading::next_event(TableRows& rows) {
  if (!next(rows)) return false;
  category_ = categories_.place_of(rows.table());
  categories_.add_read(category_);
  return true;
}

std::string_view NsysReading::name(TableRows& rows, TableRows::Column column,
                                   std::string_view kind) {
  if (rows.is_text(column)) {
    name_ = rows.text(column).value_or("");
    return name_;
  }
  const std::optional<std::int64_t> id = rows.integer(column);
  if (id) {
    if (const auto text = strings_.find(*id)) return *text;
  }
  builder_.count(Severity::notice, "missing_names",
                 "events whose names the file does not hold: called by their numbers");
  name_ = id ? fmt::format("{} {}", kind, *id) : fmt::format("{} without a name", kind);
  return name_;
}

void NsysReading::incomplete_row() {
  builder_.count(Severity::notice, "incomplete_rows",
                 "events that do not tell their process, device, stream or thread: 0 was taken");
}

std::uint16_t NsysReading::device_lane(LaneRole role, NsysPlace place) {
  // Exports may write -1 as an unsigned number; of a wait for an unknown stream nothing is of stream 0.
  if (place.stream == std::numeric_limits<std::uint32_t>::max()) place.stream = kNoStream;
  // What CUPTI calls the host where it tells of devices.
  constexpr std::int64_t kHost = std::numeric_limits<std::int32_t>::max();
  const std::optional<std::int64_t> process = place.process ? place.process : processes_.only();
  if (place.device == kHost) return thread_lane(process);
  const bool device_known = place.device && *place.device >= 0 && *place.device < kHost;
  if (!process || !device_known || !place.stream) incomplete_row();
  std::int64_t device = device_known ? *place.device : 0;
  const std::int64_t pid = process ? nsys_global_id(*process).pid : 0;
  if (const auto gpu = gpus_.devices.find({pid, device}); gpu != gpus_.devices.end())
    device = gpu->second;
  gpus_.used.insert(device);
  return builder_.lane(
      {source_, role, static_cast<std::int32_t>(device), process ? processes_.key_of(*process) : 0,
       place.stream.value_or(role == LaneRole::sync ? kNoStream : 0), place.context.value_or(0)});
}

std::uint16_t NsysReading::thread_lane(std::optional<std::int64_t> global_tid, LaneRole role) {
  if (!global_tid) incomplete_row();
  const std::int64_t id = global_tid.value_or(0);
  return builder_.lane({source_, role, 0, processes_.key_of(id), nsys_global_id(id).tid});
}

std::uint32_t NsysReading::correlation(std::optional<std::int64_t> id) {
  if (!id) return 0;
  if (*id >= 0 && *id <= std::numeric_limits<std::uint32_t>::max())
    return static_cast<std::uint32_t>(*id);
  builder_.count(Severity::notice, "wide_correlation",
                 "correlation ids beyond 32 bits: joined with nothing");
  return 0;
}

bool NsysReading::add(const ImportedSpan& span) {
  if (span.begin_ns == 0 && span.end_ns == 0) {
    builder_.add_untimed(span);
    return false;
  }
  if (!builder_.add(span)) return false;
  categories_.add_drawn(category_);
  latest_ns_ = std::max(latest_ns_.value_or(span.end_ns), span.end_ns);
  return true;
}

void NsysReading::add(ImportedSpan& span, std::optional<std::int64_t> end_ns) {
  span.end_ns = end_ns.value_or(0);
  if (span.begin_ns == 0 || span.end_ns != 0) {
    add(span);
    return;
  }
  if (span.activity.kind == ActivityKind::graph) {
    builder_.add_unended(span, "open_graph_launches",
                         "launches of graphs whose end was not recorded: how busy the device was "
                         "has no upper bound");
  } else {
    builder_.add_unended(span, "open_activities",
                         "activities whose end was not recorded: listed as untimed");
  }
}

std::int64_t NsysReading::note_damage(TableRows& rows) {
  const std::int64_t row = rows.row_id();
  if (!first_damage_) first_damage_ = {row, std::nullopt, rows.table()};
  return row;
}

void NsysReading::skip_row(TableRows& rows) {
  // Only the first is looked up: a row id costs a walk over the table.
  const std::string first =
      skipped_rows_++ == 0 ? fmt::format(", first row {} of {}", note_damage(rows), rows.table())
                           : std::string();
  builder_.count(Severity::data_loss, "damaged_rows",
                 "rows of events that do not tell their times" + first + ": left out");
}

void NsysReading::close(const TableRows& rows) {
  if (rows.wrong_types() == 0) return;
  builder_.count(Severity::notice, "wrong_types",
                 "values of another type than their column's: taken as missing",
                 rows.wrong_types());
}

}  // namespace quintet
