/// A shipped recording with its run and its costs, for tests of the lab.
#pragma once

#include <string>

#include "profiler/trace/trace.h"
#include "profiler/whatif/cost_model.h"
#include "scenarios/lab/replanner.h"

namespace quintet::test {

struct LabRecording {
  Trace trace;
  Replanner run;
  CostModel costs;
};

/// By the name of its file, without ".qtrace.gz". Throws where it cannot be read or priced.
LabRecording lab_recording(const std::string& name);

}  // namespace quintet::test
