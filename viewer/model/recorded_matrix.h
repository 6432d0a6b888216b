/// The recordings that come with the program as a table: what ran down, how it ran across.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/model/result.h"
#include "viewer/model/background.h"

namespace quintet::viewer {

/// What the head of one recording says.
struct RecordedEntry {
  std::string name;  ///< "resnet50-b32-serial-whole_step"
  std::string file;
  std::string device;
  std::string date;  ///< "2026-11-30"; empty = unknown
  std::string scenario;
  std::string policy;  ///< without knobs: "serial"
  std::string step_mode;
  std::string batch;
  std::optional<std::int64_t> untraced_step_ns;
};

/// One row: the same work, and what it took under each column; null = not recorded.
struct RecordedRow {
  std::string title;                              ///< "resnet50, batch 32"
  std::string device;                             ///< "NVIDIA H200, 2026-11-30"
  std::vector<std::optional<std::size_t>> cells;  ///< positions in entries
};

struct RecordedMatrix {
  std::vector<RecordedEntry> entries;  ///< by name
  std::vector<std::string> columns;    ///< "renaissance, whole_step"
  std::vector<RecordedRow> rows;       ///< the quickest first, as rows of one network go
  std::vector<Error> unreadable;
};

/// Reads the heads of all recordings in a folder. No folder: an empty matrix. Any thread.
RecordedMatrix read_recorded(const std::string& folder, JobControl& control);
/// The entry of the row with the shortest step; nothing where fewer than two are known.
std::optional<std::size_t> quickest_cell(const RecordedMatrix& matrix, const RecordedRow& row);
/// The other entries of the row in which a file is, in the order of the columns; none where no row has
/// it. Files are the same where their last names are.
std::vector<std::size_t> others_of_row(const RecordedMatrix& matrix, const std::string& file);
/// Lays entries out as a table.
RecordedMatrix arrange_recorded(std::vector<RecordedEntry> entries);

}  // namespace quintet::viewer
