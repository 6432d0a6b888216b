/// A recording's file as a database: as it lies on disk, or inflated into memory.
#pragma once

#include <cstdint>
#include <string>

#include "profiler/trace/sqlite.h"
#include "runtime/model/result.h"

namespace quintet {

/// What a compressed recording may take in memory.
inline constexpr std::uint64_t kMostInflatedBytes = std::uint64_t{1} << 30;

struct RecordingFile {
  Database database;
  std::uint64_t inflated_bytes = 0;  ///< of one that lies in memory; 0 = on disk
};

/// Opens a file for reading, compressed ones too, which its bytes tell and not its name; what it
/// holds is not checked. Errors: those of inflate_file; a compressed recording that was still
/// growing. Throws SqliteError, std::bad_alloc.
Result<RecordingFile> open_recording(const std::string& path);

}  // namespace quintet
