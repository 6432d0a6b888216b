/// Opens .qtrace recordings: complete ones, ones that still grow, what a killed run left, and
/// complete ones in gzip form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "profiler/trace/batch_tables.h"
#include "profiler/trace/process_identity.h"
#include "profiler/trace/trace.h"
#include "profiler/trace/trace_batch.h"
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
/// Rows that make no sense are left out and counted in findings; rows that are not those that were
/// written stay, with the finding "checksum_mismatch".
Result<Trace> read_trace(const std::string& path);
Result<RecordingHead> read_head(const std::string& path);

/// How far a recording that grows has been read.
struct GrowthPosition {
  ProcessIdentity writer;  ///< pid 0: nothing was read yet
  BatchPosition batches;
  std::int64_t lanes = 0;
  std::int64_t tasks = 0;
  std::int64_t activities = 0;
  std::size_t clocks = 0;  ///< rows that make sense
  std::size_t lane_clocks = 0;
  std::size_t clock_pairs = 0;
};

/// What a recording holds behind a position: all of it, or rows that go to the end of what was read before.
struct TraceGrowth {
  RecordingState state = RecordingState::growing;
  /// In place of what was read before: the first time, when tables of the plan have grown, when it has
  /// ended, when another run has replaced it, when rows behind the position are damaged.
  std::optional<Trace> whole;
  TraceBatch batch;  ///< else
};

/// Moves `position` on. One short read transaction, as all others here.
Result<TraceGrowth> read_growth(const std::string& path, GrowthPosition& position);

}  // namespace quintet
