/// Opens .qtrace recordings: complete ones, ones that still grow, what a killed run left, and
/// complete ones in gzip form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/trace/busy_summary.h"
#include "profiler/trace/process_identity.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// What can be told of a recording without reading its spans.
struct RecordingHead {
  RecordingState state = RecordingState::complete;
  ProcessIdentity writer;
  std::int64_t heartbeat_ns = 0;  ///< last write, as Unix time in ns
  std::int64_t steps = 0;
  std::int64_t spans = 0;
  std::int64_t span_batches = 0;
  Provenance provenance;
};

/// The whole recording as of one moment, in one short read transaction; the file is never changed.
/// `growing` whose writer is gone comes back as `abandoned`; every abandoned one carries the
/// finding "incomplete_recording". Errors: no file, no recording, another schema version, damage,
/// a gzip file that is damaged or takes more than kMostInflatedBytes.
/// Rows that make no sense are left out and counted in findings.
Result<Trace> read_trace(const std::string& path);
Result<RecordingHead> read_head(const std::string& path);
/// One level of the summary pyramid (`shift` one of kSummaryShifts), ordered by lane and bucket.
Result<std::vector<BusyBucket>> read_busy_summary(const std::string& path, int shift);

}  // namespace quintet
