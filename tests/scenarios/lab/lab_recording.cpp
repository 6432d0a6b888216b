#include "tests/scenarios/lab/lab_recording.h"

#include <stdexcept>

#include "profiler/trace/trace_reader.h"

namespace quintet::test {

namespace {

template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}

}  // namespace

LabRecording lab_recording(const std::string& name) {
  Trace trace = value_or_throw(
      read_trace(std::string(QUINTET_SOURCE_DIR) + "/scenarios/recorded/" + name + ".qtrace.gz"));
  Replanner run = value_or_throw(Replanner::of_trace(trace));
  const ExecutionPlan plan = value_or_throw(run.plan(run.policy()));
  CostModel costs = value_or_throw(cost_model_of(trace, plan));
  return {std::move(trace), std::move(run), std::move(costs)};
}

}  // namespace quintet::test
