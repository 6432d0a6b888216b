/// Traces that a reader may hand out and that nobody likes to draw.
#pragma once

#include <span>
#include <string_view>

#include "profiler/trace/trace.h"

namespace quintet::viewer {

struct HostileDocument {
  std::string_view name;  ///< as part of a test's name
  Trace (*make)();
};

std::span<const HostileDocument> hostile_documents();

}  // namespace quintet::viewer
