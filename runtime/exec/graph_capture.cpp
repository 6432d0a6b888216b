#include "runtime/exec/graph_capture.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "runtime/cuda/cuda_error.h"

namespace quintet {

namespace {

std::set<StreamKind> secondaries_of(const TaskGraph& graph) {
  std::set<StreamKind> streams;
  for (const PlacedTask& placed : graph.tasks) {
    if (placed.stream != graph.primary) streams.insert(placed.stream);
  }
  return streams;
}

}  // namespace

GraphCapture::GraphCapture(const ExecutionPlan& plan, const DeviceContext& context)
    : plan_(plan), context_(context) {
  std::size_t most = 0;
  for (const auto& [key, graph] : plan.graphs)
    most = std::max(most, graph.tasks.size());
  done_.resize(most);
  end_.resize(kStreamCount + 1);
  check(cudaStreamCreate(&canary_), "making the capture's blocking stream");
}

GraphCapture::~GraphCapture() {
  if (canary_ != nullptr)
    note_failure(cudaStreamDestroy(canary_), "destroying the capture's blocking stream");
}

void GraphCapture::fork(const TaskGraph& graph) {
  const StreamRef primary = context_.stream(graph.primary);
  check(cudaStreamBeginCapture(primary.get(), cudaStreamCaptureModeThreadLocal),
        "beginning a capture");
  begin_.record(primary);
  for (const StreamKind secondary : secondaries_of(graph))
    begin_.make_wait(context_.stream(secondary));
  begin_.make_wait(StreamRef(canary_));
}

void GraphCapture::join(const TaskGraph& graph) {
  const StreamRef primary = context_.stream(graph.primary);
  for (const StreamKind secondary : secondaries_of(graph)) {
    const Event& end = end_[index_of(secondary)];
    end.record(context_.stream(secondary));
    end.make_wait(primary);
  }
  end_.back().record(StreamRef(canary_));
  end_.back().make_wait(primary);
}

std::vector<cudaGraphNode_t> GraphCapture::frontier(StreamKind stream) const {
  cudaStreamCaptureStatus status{};
  const cudaGraphNode_t* nodes = nullptr;
  const cudaGraphEdgeData* edges = nullptr;
  std::size_t count = 0;
  check(cudaStreamGetCaptureInfo(context_.stream(stream).get(), &status, nullptr, nullptr, &nodes,
                                 &edges, &count),
        "asking for the capture's frontier");
  if (status != cudaStreamCaptureStatusActive) return {};
  return {nodes, nodes + count};
}

std::vector<cudaGraphNode_t> GraphCapture::new_nodes(const std::vector<cudaGraphNode_t>& ends) {
  std::vector<cudaGraphNode_t> found;
  std::vector<cudaGraphNode_t> open(ends);
  while (!open.empty()) {
    const cudaGraphNode_t node = open.back();
    open.pop_back();
    if (!known_.insert(node).second) continue;
    found.push_back(node);
    for (const cudaGraphNode_t before : dependencies_of(node))
      open.push_back(before);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

void GraphCapture::put(const TaskGraph& graph, std::size_t index, const TaskLauncher& launch) {
  const PlacedTask& placed = graph.tasks[index];
  for (const Edge& edge : graph.edges) {
    if (edge.to == placed.task)
      done_[event_of_.at(edge.from)].make_wait(context_.stream(placed.stream));
  }
  try {
    launch(placed.task, placed.stream);
  } catch (const CudaError& error) {
    throw CudaError(fmt::format("{}: {}", plan_.task(placed.task).name, error.what()));
  }
  TaskNodes nodes{placed.task, placed.stream, new_nodes(frontier(placed.stream))};
  if (nodes.nodes.empty()) {
    throw CudaError(fmt::format("{} launched nothing on {}", plan_.task(placed.task).name,
                                name_of(placed.stream)));
  }
  tasks_.push_back(std::move(nodes));
  done_[index].record(context_.stream(placed.stream));
}

CapturedTasks GraphCapture::capture(const TaskGraph& graph, const TaskLauncher& launch) {
  event_of_.clear();
  known_.clear();
  tasks_.clear();
  for (std::size_t index = 0; index < graph.tasks.size(); ++index)
    event_of_.emplace(graph.tasks[index].task, index);
  cudaGraph_t native = nullptr;
  const cudaStream_t primary = context_.stream(graph.primary).get();
  fork(graph);
  try {
    for (std::size_t index = 0; index < graph.tasks.size(); ++index)
      put(graph, index, launch);
    join(graph);
  } catch (...) {
    // An open capture would make every later call on these streams fail.
    static_cast<void>(cudaStreamEndCapture(primary, &native));
    if (native != nullptr) static_cast<void>(cudaGraphDestroy(native));
    static_cast<void>(cudaGetLastError());
    throw;
  }
  check(cudaStreamEndCapture(primary, &native), "ending the capture of " + plan_.name(graph.key));
  return {Graph::from_native(native), std::move(tasks_)};
}

}  // namespace quintet
