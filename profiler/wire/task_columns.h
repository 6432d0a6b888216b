/// The accesses of many tasks as columns: there are far more of them than of anything else in a plan.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"
#include "profiler/wire/field_reader.h"

namespace quintet {

/// {count, task, region, space, device, offset, bytes, stride, pieces, mode, bound, origin}: tasks as indices
/// into `tasks`, ascending; the enumerations as their numbers.
WireJson accesses_json(const std::vector<TraceTask>& tasks);
/// The reverse, into tasks that are there. Refuses tasks that are not, unknown enumerators, and pieces that
/// 64 bits cannot address.
void read_accesses(FieldReader& reader, std::vector<TraceTask>& tasks);

}  // namespace quintet
