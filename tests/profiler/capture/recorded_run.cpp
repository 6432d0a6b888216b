#include "tests/profiler/capture/recorded_run.h"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "profiler/analysis/device_work.h"
#include "runtime/exec/cuda_executor.h"
#include "runtime/exec/step_runner.h"

namespace quintet::test {

namespace {

std::size_t recorded_nodes(const TaskNodes& task) {
  return static_cast<std::size_t>(
      std::count_if(task.nodes.begin(), task.nodes.end(), [](cudaGraphNode_t node) {
        cudaGraphNodeType type{};
        EXPECT_EQ(cudaGraphNodeGetType(node, &type), cudaSuccess);
        return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
               type == cudaGraphNodeTypeMemset;
      }));
}

}  // namespace

std::shared_ptr<CudaBackend> open_recorded_backend() {
  auto backend = CudaBackend::open(PlanSearch::first, {});
  EXPECT_TRUE(backend) << to_string(backend.error());
  return std::shared_ptr<CudaBackend>(std::move(*backend));
}

Recorded record(TrainingSession& session, DeviceRecording mode, const StepCallback& finished,
                const SamplingWindows& windows) {
  HostRecorderOptions options;
  options.keep_trace = true;
  HostRecorder host(nullptr, options);
  DeviceRecorder recorder(host, mode, windows);
  Recorded recorded;
  StepIo io = session.make_io();
  recorder.on_plan(session.plan());
  {
    const auto executor = session.make_executor(io, &recorder);
    StepRunner(*executor, &recorder)
        .run(
            session.schedule(), [](std::int64_t, StepRun&) {}, finished);
    for (const auto& [key, captured] : dynamic_cast<const CudaExecutor&>(*executor).captured()) {
      for (const TaskNodes& task : captured.tasks)
        recorded.nodes[task.task.value()] = recorded_nodes(task);
    }
  }
  if (recorder.attached()) recorded.counts = recorder.counts();
  recorded.trace = host.take_trace();
  return recorded;
}

bool is_on_device(const Trace& trace, std::size_t span) {
  const std::uint32_t activity = trace.spans.activity[span];
  return activity != kWholeTask && is_device_activity(trace, activity);
}

std::map<std::uint32_t, std::multiset<std::string>> names_in_step(const Trace& trace,
                                                                  std::int32_t step) {
  std::map<std::uint32_t, std::multiset<std::string>> names;
  const SpanColumns& spans = trace.spans;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.step[i] == step && is_on_device(trace, i))
      names[spans.task[i]].insert(trace.activities[spans.activity[i]].name);
  }
  return names;
}

void expect_all_attributed(const Recorded& recorded) {
  for (const Finding& finding : recorded.trace.findings)
    EXPECT_EQ(finding.severity, Severity::info) << finding.name << ": " << finding.message;
  const Trace& trace = recorded.trace;
  std::map<std::pair<std::int32_t, std::uint32_t>, std::size_t> spans;
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    if (!is_on_device(trace, i)) continue;
    ++spans[{trace.spans.step[i], trace.spans.task[i]}];
    const TraceTask& task = trace.tasks[trace.spans.task[i]];
    ASSERT_TRUE(task.policy_lane) << task.name;
    EXPECT_EQ(trace.spans.lane[i], task.policy_lane->value()) << task.name;
    EXPECT_LT(trace.spans.begin_ns[i], trace.spans.end_ns[i]) << task.name;
  }
  for (const auto& [where, count] : spans) {
    EXPECT_EQ(count, recorded.nodes.at(where.second))
        << trace.tasks[where.second].name << " in step " << where.first;
  }
}

std::map<std::uint32_t, std::multiset<std::string>> names_alone(TrainingSession& session) {
  TasksAlone observer;
  StepIo io = session.make_io();
  const auto executor = session.make_executor(io, &observer);
  return observer.names();
}

}  // namespace quintet::test
