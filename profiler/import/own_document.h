/// What quintet export adds to a Chrome trace, so that an import of it gives the same trace again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/import/json_cursor.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// A lane that events name by its place in the table.
struct OwnLane {
  std::string name;
  LaneKind kind = LaneKind::host;
  bool steps = false;  ///< what lies on it are steps, which the document lists elsewhere
  int device = 0;
  int rank = 0;
  std::optional<TraceLaneOrigin> origin;
};

/// The object "quintet" of the top level.
struct OwnDocument {
  Provenance provenance;
  std::vector<Finding> findings;
  std::vector<OwnLane> lanes;  ///< none = the object is missing, damaged, or of an older version
};

/// Reads the object at the cursor. A value that makes no sense leaves the document as if it had no
/// such object: its events are read as those of any other program.
JsonStatus read_own_document(JsonCursor& cursor, OwnDocument& document);

/// Reads one element of "quintetSteps", times as the document counts; nothing where it makes no sense.
JsonStatus read_own_step(JsonCursor& cursor, std::optional<TraceStep>& step);

}  // namespace quintet
