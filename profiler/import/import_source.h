/// One imported file among those that make up a trace, and what its ids mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "runtime/model/ids.h"

namespace quintet {

using ImportSourceId = Id<struct ImportSourceTag>;

/// More files than that are no trace of one run.
inline constexpr std::size_t kMostImportSources = 1024;

/// Within what a correlation id is unique. Never beyond one file.
enum class CorrelationScope : std::uint8_t {
  source,   ///< the file: it comes from one process, or does not say whose a device's work is
  process,  ///< one process of the file: the lanes of devices say whose work they carry
};

/// What the lanes, times and ids of one file have in common.
struct ImportSource {
  std::string file;
  std::string format;
  CorrelationScope scope = CorrelationScope::source;
  std::optional<int> rank;
  bool restored = false;             ///< a document of our own: what was odd is reported already
  bool steps_restored = false;       ///< the file lists its steps: no range names one
  std::int64_t clock_offset_ns = 0;  ///< added to every time of the file
};

}  // namespace quintet
