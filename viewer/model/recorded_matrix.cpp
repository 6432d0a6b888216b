#include "viewer/model/recorded_matrix.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <map>

#include "profiler/trace/trace_reader.h"

namespace quintet::viewer {

namespace {

namespace fs = std::filesystem;

std::string said(const Provenance& provenance, const std::string& key) {
  const auto found = provenance.find(key);
  return found == provenance.end() ? std::string() : found->second;
}

/// "serial (step = whole_step)" is serial.
std::string bare(const std::string& name) {
  return name.substr(0, name.find(" ("));
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && !text.empty() ? std::optional(value) : std::nullopt;
}

std::string stem_of(const fs::path& file) {
  const std::string name = file.filename().string();
  for (const std::string_view ending : {".qtrace.gz", ".qtrace"}) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return {};
}

RecordedEntry entry_of(const std::string& name, const std::string& file,
                       const Provenance& provenance) {
  RecordedEntry entry;
  entry.name = name;
  entry.file = file;
  entry.device = said(provenance, "gpu");
  if (entry.device.empty()) entry.device = said(provenance, "cpu");
  const std::string started = said(provenance, "started");
  entry.date = started.substr(0, started.find('T'));
  entry.scenario = said(provenance, "network");
  if (entry.scenario.empty()) entry.scenario = bare(said(provenance, "scenario"));
  entry.policy = bare(said(provenance, "policy"));
  entry.step_mode = said(provenance, "step_mode");
  entry.batch = said(provenance, "batch");
  entry.untraced_step_ns = whole_number(said(provenance, "untraced_step_ns"));
  return entry;
}

/// Serial first, as what the others are held against; then by name.
bool column_before(const std::string& a, const std::string& b) {
  const auto key = [](const std::string& column) {
    return std::pair(!column.starts_with("serial"), column);
  };
  return key(a) < key(b);
}

std::int64_t quickest(const RecordedMatrix& matrix, const RecordedRow& row) {
  std::int64_t least = INT64_MAX;
  for (const std::optional<std::size_t> cell : row.cells) {
    if (cell) least = std::min(least, matrix.entries[*cell].untraced_step_ns.value_or(INT64_MAX));
  }
  return least;
}

}  // namespace

RecordedMatrix read_recorded(const std::string& folder, JobControl& control) {
  std::vector<RecordedEntry> entries;
  std::vector<Error> unreadable;
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    if (!stem_of(each->path()).empty()) files.push_back(each->path());
  }
  std::sort(files.begin(), files.end());
  for (std::size_t file = 0; file < files.size() && !control.cancelled(); ++file) {
    control.progress(static_cast<double>(file) / static_cast<double>(files.size()));
    const Result<RecordingHead> head = read_head(files[file].string());
    if (head) {
      entries.push_back(entry_of(stem_of(files[file]), files[file].string(), head->provenance));
    } else {
      unreadable.push_back(head.error());
    }
  }
  RecordedMatrix matrix = arrange_recorded(std::move(entries));
  matrix.unreadable = std::move(unreadable);
  return matrix;
}

std::optional<std::size_t> quickest_cell(const RecordedMatrix& matrix, const RecordedRow& row) {
  std::optional<std::size_t> best;
  std::size_t known = 0;
  for (const std::optional<std::size_t>& cell : row.cells) {
    if (!cell || !matrix.entries[*cell].untraced_step_ns) continue;
    ++known;
    if (!best || *matrix.entries[*cell].untraced_step_ns < *matrix.entries[*best].untraced_step_ns)
      best = cell;
  }
  return known > 1 ? best : std::nullopt;
}

std::vector<std::size_t> others_of_row(const RecordedMatrix& matrix, const std::string& file) {
  const fs::path name = fs::path(file).filename();
  const auto is_it = [&](const std::optional<std::size_t>& cell) {
    return cell && fs::path(matrix.entries[*cell].file).filename() == name;
  };
  std::vector<std::size_t> others;
  for (const RecordedRow& row : matrix.rows) {
    if (std::none_of(row.cells.begin(), row.cells.end(), is_it)) continue;
    for (const std::optional<std::size_t>& cell : row.cells) {
      if (cell && !is_it(cell)) others.push_back(*cell);
    }
  }
  return others;
}

RecordedMatrix arrange_recorded(std::vector<RecordedEntry> entries) {
  RecordedMatrix matrix;
  matrix.entries = std::move(entries);
  const auto column_of = [](const RecordedEntry& entry) {
    if (entry.policy.empty()) return entry.name;
    return entry.step_mode.empty() ? entry.policy : entry.policy + ", " + entry.step_mode;
  };
  for (const RecordedEntry& entry : matrix.entries) {
    const std::string column = column_of(entry);
    if (std::find(matrix.columns.begin(), matrix.columns.end(), column) == matrix.columns.end())
      matrix.columns.push_back(column);
  }
  std::sort(matrix.columns.begin(), matrix.columns.end(), column_before);
  std::map<std::string, std::size_t> row_of;
  for (std::size_t position = 0; position < matrix.entries.size(); ++position) {
    const RecordedEntry& entry = matrix.entries[position];
    const std::string title = entry.batch.empty()
                                  ? entry.scenario
                                  : fmt::format("{}, batch {}", entry.scenario, entry.batch);
    const std::string device =
        entry.date.empty() ? entry.device : fmt::format("{}, {}", entry.device, entry.date);
    const auto [at, added] = row_of.try_emplace(title + "\n" + device, matrix.rows.size());
    if (added) matrix.rows.push_back({title, device, {}});
    RecordedRow& row = matrix.rows[at->second];
    row.cells.resize(matrix.columns.size());
    const auto column = std::find(matrix.columns.begin(), matrix.columns.end(), column_of(entry));
    row.cells[static_cast<std::size_t>(column - matrix.columns.begin())] = position;
  }
  std::stable_sort(matrix.rows.begin(), matrix.rows.end(),
                   [&](const RecordedRow& a, const RecordedRow& b) {
                     return quickest(matrix, a) < quickest(matrix, b);
                   });
  return matrix;
}

}  // namespace quintet::viewer
