/// The facts of one span: when and where it ran, and what kernel it was.
#pragma once

#include "profiler/trace/trace.h"
#include "viewer/model/detail_list.h"

namespace quintet::viewer {

/// `span` is an index into the trace's spans.
void add_span_sections(const Trace& trace, std::size_t span, DetailList& list);

}  // namespace quintet::viewer
