#include "runtime/exec/host_graph.h"

#include <cassert>
#include <map>

#include "runtime/exec/host_executor.h"

namespace quintet {

HostGraph::HostGraph(const TaskGraph& graph, HostExecutor& executor) : executor_(executor) {
  for (const StreamKind stream : kStreamKinds) {
    parts_[index_of(stream)].graph = this;
    parts_[index_of(stream)].stream = stream;
  }
  std::map<TaskId, HostCounter*> done;
  for (const Edge& edge : graph.edges) {
    HostCounter*& counter = done[edge.from];
    if (counter == nullptr) counter = done_.emplace_back(std::make_unique<HostCounter>()).get();
  }
  Command launch;
  launch.graph = graph.key;
  for (const PlacedTask& placed : graph.tasks) {
    const Task& task = executor.plan_.task(placed.task);
    Entry entry;
    entry.task = placed.task;
    entry.lane = lane_of(placed.stream);
    entry.step_offset = step_offset_of(task.graph, launch);
    if (const auto own = done.find(placed.task); own != done.end()) entry.done = own->second;
    for (const Edge& edge : graph.edges) {
      if (edge.to == placed.task) entry.wait_for.push_back(done.at(edge.from));
    }
    parts_[index_of(placed.stream)].entries.push_back(std::move(entry));
  }
}

void HostGraph::launch(StreamKind launch_stream, std::int64_t step,
                       const std::array<std::unique_ptr<HostStream>, kStreamCount>& streams) {
  assert(launches_ == 0 || launch_stream_ == index_of(launch_stream));
  launch_stream_ = index_of(launch_stream);
  ++launches_;
  for (const StreamKind stream : kStreamKinds) {
    Part& part = parts_[index_of(stream)];
    if (stream == launch_stream || !part.entries.empty()) {
      streams[index_of(stream)]->enqueue(part, launches_, step);
    }
  }
}

void HostGraph::Part::run(std::int64_t launch, std::int64_t step) noexcept {
  const bool primary = index_of(stream) == graph->launch_stream_;
  if (primary) {
    graph->begin_.advance_to(launch);
  } else {
    graph->begin_.wait_at_least(launch);
  }
  for (const Entry& entry : entries) {
    for (const HostCounter* counter : entry.wait_for)
      counter->wait_at_least(launch);
    graph->executor_.run_task(entry.task, entry.lane, entry.lane, step + entry.step_offset);
    if (entry.done != nullptr) entry.done->advance_to(launch);
  }
  if (!primary) {
    end.advance_to(launch);
    return;
  }
  for (const Part& part : graph->parts_) {
    if (&part != this && !part.entries.empty()) part.end.wait_at_least(launch);
  }
}

}  // namespace quintet
