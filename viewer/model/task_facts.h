/// The facts of a task, section by section.
#pragma once

#include <string>

#include "profiler/report/report.h"
#include "viewer/model/detail_list.h"

namespace quintet::viewer {

void add_fact(DetailSection& section, std::string label, std::string value, std::string note = {});
/// "unknown: reason".
void add_unknown(DetailSection& section, std::string label, const std::string& reason);

/// Layer, op, policy stream and why.
DetailSection task_section(const Trace& trace, const TraceTask& task);
/// Time over steps with its spread, share of the step, slack, critical path.
DetailSection time_section(std::uint32_t task, const Report* report);
/// Flops and bytes, and the rates that they make of the median time.
DetailSection work_section(const TraceTask& task, std::uint32_t index, const Report* report);
/// Bytes that it reads and writes, region by region, with the tensors that lie there.
DetailSection access_section(const Trace& trace, const TraceTask& task);
/// Tasks before and after it: by the edges of its graph, and on its stream.
void add_neighbour_sections(const Trace& trace, const Selection& selection, DetailList& list);

}  // namespace quintet::viewer
