/// The report for spreadsheets and data frames: tables of comma-separated values, quoted as RFC 4180
/// says, lines end in "\n". Each is a file of its own: every line has as many cells as its first.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "profiler/report/report.h"

namespace quintet {

struct CsvTable {
  std::string_view name;
  /// A line of titles and one line a row. Unknown numbers are empty cells. Text that a spreadsheet
  /// would take for a formula begins with an apostrophe.
  std::string (*write)(const Report& report) = nullptr;
};

/// metrics first, then tasks, kernels, streams, ranges, layers, op_kinds, waits, steps and findings.
std::span<const CsvTable> csv_tables();
/// Null where no table has the name.
const CsvTable* csv_table_named(std::string_view name);
/// "metrics, tasks, ...".
std::string csv_table_names();

}  // namespace quintet
