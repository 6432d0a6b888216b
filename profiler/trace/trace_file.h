/// Writes a trace that is whole in memory as a recording.
#pragma once

#include <cstdint>
#include <string>

#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

enum class TraceForm : std::uint8_t {
  plain,  ///< a SQLite file
  gzip,   ///< the same file compressed, read from memory
};

/// The form that a file's name asks for: gzip where it ends in ".gz".
TraceForm form_of(const std::string& path);

/// Writes the trace in one rename, as a complete recording: what it says of a run that ended early
/// stands in its findings. Equal bytes for equal traces. An old recording at `path` is replaced.
/// Errors: those of NewFile; a trace too large for a compressed recording.
Result<void> write_trace(const Trace& trace, const std::string& path, TraceForm form);

}  // namespace quintet
