/// The step programs of the three step modes: which sub-graphs are launched when, and who waits for
/// whom.
#pragma once

#include "runtime/model/graph_atlas.h"
#include "runtime/model/step_program.h"

namespace quintet {

/// The step program of one variant. The atlas holds every sub-graph with its launch stream
/// (Slot::stream_kind). host_sync: the article's order, its waits as host synchronisations.
/// event_sync: the same order, waits between streams; the host waits only for the loader and for
/// the step two back. whole_step: one launch a step, plus the host's waits of event_sync. Where two
/// launches share a stream the wait between them is left out: stream order covers it.
StepProgram plan_step(const StepVariant& variant, StepMode mode, const GraphAtlas& atlas);

/// The sub-graphs that a whole-step graph holds, in issue order (those without work left out), each
/// with its shape.
std::vector<GraphKey> whole_step_parts(const StepVariant& variant, const GraphAtlas& atlas);

/// The key under which the whole step of a variant is captured.
GraphKey whole_step_key(const StepVariant& variant);

}  // namespace quintet
