/// Activities, which a plan may hold and a batch may bring.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"
#include "profiler/wire/field_reader.h"

namespace quintet {

WireJson activities_json(const std::vector<TraceActivity>& activities);
/// Of a required array of objects.
std::vector<TraceActivity> read_activities(FieldReader& reader, const char* key);

}  // namespace quintet
