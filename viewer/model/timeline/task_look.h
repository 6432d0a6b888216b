/// How a task is told on a timeline: its family, for colour, and short names for its boxes.
#pragma once

#include <string>
#include <vector>

#include "profiler/report/report.h"
#include "profiler/trace/trace.h"

namespace quintet::viewer {

struct TaskLook {
  OpFamily family = OpFamily::other;
  std::string label;  ///< "conv2 dW"
  std::string brief;  ///< "dW": where the label does not fit
};

/// Per task of the trace.
std::vector<TaskLook> task_looks(const Trace& trace);

}  // namespace quintet::viewer
