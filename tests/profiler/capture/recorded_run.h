/// A run recorded on the GPU with what its graphs hold, and each of its tasks recorded alone.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "profiler/capture/cupti_session.h"
#include "profiler/capture/device_recorder.h"
#include "profiler/trace/trace.h"
#include "runtime/exec/cuda_backend.h"
#include "runtime/exec/training_session.h"

namespace quintet::test {

/// With the library's first plans, which take no search.
std::shared_ptr<CudaBackend> open_recorded_backend();

struct Recorded {
  Trace trace;
  std::map<std::uint32_t, std::size_t> nodes;  ///< of each task, that leave records
  DeviceSpanCounts counts;
};

/// Trains and records, in memory.
Recorded record(TrainingSession& session, DeviceRecording mode, const StepCallback& finished = {},
                const SamplingWindows& windows = {});

/// A kernel, copy or fill; not a task of the host, a call or the recording's own work.
bool is_on_device(const Trace& trace, std::size_t span);

/// Of one step, of each task the names of what it ran.
std::map<std::uint32_t, std::multiset<std::string>> names_in_step(const Trace& trace,
                                                                  std::int32_t step);

/// Expects a span of each node of each task in each step, on the task's policy lane, and no finding
/// that is more than information.
void expect_all_attributed(const Recorded& recorded);

/// Runs each task alone as the executor warms up, and notes the names of what it launched.
class TasksAlone final : public Observer, private DeviceListener {
 public:
  TasksAlone() : session_(CuptiSession::open(*this)) {
    if (session_) (*session_)->start_nodes();
  }
  // The first time a task is enqueued is the warm-up; the next is capture, which bears no waiting.
  void on_enqueue(TaskId task, StreamKind) override {
    if (session_ && !names_.contains(task.value())) take();
  }
  void on_enqueued(TaskId task, StreamKind) override {
    if (session_ && !names_.contains(task.value())) names_[task.value()] = take();
  }
  [[nodiscard]] const std::map<std::uint32_t, std::multiset<std::string>>& names() const {
    return names_;
  }

 private:
  /// The names of everything since the last take.
  std::multiset<std::string> take() {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    (*session_)->flush(true);
    (*session_)->drain();
    return std::exchange(recorded_, {});
  }
  void node_created(std::uint64_t) override {}
  void node_cloned(std::uint64_t, std::uint64_t) override {}
  void graph_launched(std::uint32_t) override {}
  void driver_called(DriverCall) override {}
  void recorded(std::span<const DeviceRecord> records) override {
    for (const DeviceRecord& record : records)
      recorded_.emplace(record.name);
  }

  std::multiset<std::string> recorded_;
  std::map<std::uint32_t, std::multiset<std::string>> names_;
  Result<std::unique_ptr<CuptiSession>> session_;  ///< last: its thread writes the others
};

/// Of each task the names of what it launches alone.
std::map<std::uint32_t, std::multiset<std::string>> names_alone(TrainingSession& session);

}  // namespace quintet::test
