/// The report for people at a terminal.
#pragma once

#include <string>

#include "profiler/report/report.h"

namespace quintet {

struct TextOptions {
  std::size_t width = 100;
  bool unicode = true;    ///< false: plain ASCII
  std::size_t rows = 15;  ///< of the task table
};

/// Header, timeline of the median step, metrics, waits, layers, tasks, findings.
std::string text_report(const Report& report, const TextOptions& options = {});

/// The median step alone, under its heading; says why where there is none.
std::string text_timeline(const Report& report, const TextOptions& options = {});

}  // namespace quintet
