/// A frozen task graph of the host executor: per stream the tasks in issue order with the counters
/// they wait for. Launching enqueues one item on each stream that takes part; nothing is planned or
/// allocated then.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/host/host_counter.h"
#include "runtime/host/host_stream.h"
#include "runtime/model/task_graph.h"

namespace quintet {

class HostExecutor;

class HostGraph {
 public:
  HostGraph(const TaskGraph& graph, HostExecutor& executor);

  /// Enqueues the whole graph as one item of `launch_stream`: no task starts before that stream
  /// reaches it, and the stream goes on when every task has finished.
  void launch(StreamKind launch_stream, std::int64_t step,
              const std::array<std::unique_ptr<HostStream>, kStreamCount>& streams);

 private:
  struct Entry {
    TaskId task;
    LaneId lane;
    std::int64_t step_offset = 0;
    std::vector<const HostCounter*> wait_for;  ///< done-counters of tasks on other streams
    HostCounter* done = nullptr;               ///< null where nobody waits for the task
  };
  /// The share of one stream, with its turn at begin and end of a launch.
  class Part final : public HostWork {
   public:
    void run(std::int64_t launch, std::int64_t step) noexcept override;
    HostGraph* graph = nullptr;
    StreamKind stream = StreamKind::COMP_1;
    std::vector<Entry> entries;
    HostCounter end;
  };

  HostExecutor& executor_;
  std::array<Part, kStreamCount> parts_;
  std::vector<std::unique_ptr<HostCounter>> done_;
  HostCounter begin_;
  std::int64_t launches_ = 0;
  std::atomic<std::size_t> launch_stream_{0};
};

}  // namespace quintet
