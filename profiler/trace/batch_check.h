/// Whether what a batch holds makes sense beside the tables of a trace: for batches that came from a file or
/// over a link.
#pragma once

#include <cstddef>
#include <cstdint>

#include "profiler/trace/trace.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {

/// True for times from 0 up that are in order and of which no difference overflows.
bool sensible_times(std::int64_t begin_ns, std::int64_t end_ns);

/// Makes all columns `size` long.
void resize(SpanColumns& spans, std::size_t size);

/// Closes the gaps that senseless spans leave from `first` on (an index outside the tables of `trace`, an end
/// before its begin); returns how many they were.
std::int64_t drop_senseless(const Trace& trace, SpanColumns& spans, std::size_t first);

/// What of a batch made no sense.
struct SenselessParts {
  std::int64_t spans = 0;
  std::int64_t rows =
      0;  ///< steps, waits, launches, untimed activities, clocks, references of tasks
};

/// Leaves out of `batch` what makes no sense once its own lanes, tasks and activities are at the end of the tables
/// of `trace`. Tasks stay, without the references that point nowhere: later ones count on their place. Lanes are
/// numbered by their place.
SenselessParts drop_senseless(const Trace& trace, TraceBatch& batch);

}  // namespace quintet
