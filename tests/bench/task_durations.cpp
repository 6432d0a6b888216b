// The duration of a task by two clocks: CUPTI's node records, and external event records around it in the same
// graph, without CUPTI. A sample of the device tasks of a scenario, each alone in a graph; medians over the
// launches of microseconds, a Markdown table. Event records cost a constant of their own, which the
// difference shows.
//
//   task_durations generated-resnet50 plans.tsv [how many tasks]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "profiler/capture/cupti_session.h"
#include "runtime/cuda/cuda_error.h"
#include "runtime/network/scenario_catalog.h"
#include "tests/bench/device_tasks.h"

namespace quintet {
namespace {

constexpr int kLaunches = 50;
constexpr int kWarmUp = 5;
constexpr StreamKind kStream = StreamKind::COMP_1;

/// The hull of the records of each launch.
class Hulls final : public DeviceListener {
 public:
  void recorded(std::span<const DeviceRecord> records) override {
    for (const DeviceRecord& record : records) {
      if (hulls_.empty() || hulls_.back().correlation != record.correlation) {
        hulls_.push_back({record.correlation, record.begin_ns, record.end_ns});
      } else {
        hulls_.back().begin = std::min(hulls_.back().begin, record.begin_ns);
        hulls_.back().end = std::max(hulls_.back().end, record.end_ns);
      }
    }
  }
  /// Median of the launches since the last take, the first few left out.
  double take_us() {
    std::vector<double> lengths;
    for (std::size_t i = kWarmUp; i < hulls_.size(); ++i)
      lengths.push_back(static_cast<double>(hulls_[i].end - hulls_[i].begin) / 1e3);
    hulls_.clear();
    return median_of(lengths);
  }

 private:
  struct Hull {
    std::uint32_t correlation;
    std::int64_t begin, end;
  };
  void node_created(std::uint64_t) override {}
  void node_cloned(std::uint64_t, std::uint64_t) override {}
  void graph_launched(std::uint32_t) override {}
  void driver_called(DriverCall) override {}
  std::vector<Hull> hulls_;
};

/// One task in a graph of its own, between two event records that happen at every replay.
class TimedTask {
 public:
  TimedTask(CudaKernel& kernel, const TaskArgs& args, const StreamResources& on, bool events)
      : stream_(on.stream) {
    check(cudaEventCreate(&begin_), "making an event");
    check(cudaEventCreate(&end_), "making an event");
    kernel.launch(args, on);
    check(cudaStreamSynchronize(stream_), "warming up");
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capturing");
    if (events) check(cudaEventRecordWithFlags(begin_, stream_, cudaEventRecordExternal), "record");
    kernel.launch(args, on);
    if (events) check(cudaEventRecordWithFlags(end_, stream_, cudaEventRecordExternal), "record");
    check(cudaStreamEndCapture(stream_, &graph), "capturing");
    check(cudaGraphInstantiate(&executable_, graph, 0), "instantiating");
    check(cudaGraphDestroy(graph), "destroying a graph");
  }
  ~TimedTask() {
    static_cast<void>(cudaGraphExecDestroy(executable_));
    static_cast<void>(cudaEventDestroy(begin_));
    static_cast<void>(cudaEventDestroy(end_));
  }
  TimedTask(const TimedTask&) = delete;
  TimedTask& operator=(const TimedTask&) = delete;

  void launch() const {
    check(cudaGraphLaunch(executable_, stream_), "launching");
    check(cudaStreamSynchronize(stream_), "waiting");
  }
  double events_us() const {
    std::vector<double> lengths;
    for (int i = 0; i < kLaunches; ++i) {
      launch();
      float ms = 0;
      check(cudaEventElapsedTime(&ms, begin_, end_), "reading events");
      if (i >= kWarmUp) lengths.push_back(1e3 * static_cast<double>(ms));
    }
    return median_of(lengths);
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

struct SampledTask {
  DeviceTask task;
  double events_us = 0, cupti_us = 0;
};

/// About `count` tasks of full training steps, evenly spread in program order.
std::vector<SampledTask> sample(DeviceTasks& tasks, std::size_t count) {
  const std::vector<TaskId> all = tasks.of_training();
  std::vector<SampledTask> sampled;
  for (std::size_t i = 0; i < count; ++i)
    sampled.push_back({tasks.make(all[i * all.size() / count])});
  return sampled;
}

void print(const std::vector<SampledTask>& tasks) {
  fmt::print("| task | events, us | CUPTI, us | difference, us |\n| --- | --- | --- | --- |\n");
  std::vector<double> differences;
  for (const SampledTask& task : tasks) {
    differences.push_back(task.events_us - task.cupti_us);
    fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} |\n", task.task.name, task.events_us, task.cupti_us,
               differences.back());
  }
  const auto [low, high] = std::minmax_element(differences.begin(), differences.end());
  fmt::print("\ndifference: median {:.2f} us, {:.2f} to {:.2f}\n", median_of(differences), *low,
             *high);
}

void measure(const std::string& name, const std::string& plans_file, std::size_t count) {
  Scenario scenario = value_or_throw(find_scenario(name));
  scenario.precision = Precision::amp;
  DeviceTasks device(scenario, plans_file);
  std::vector<SampledTask> tasks = sample(device, count);
  const StreamResources& on = device.context().on(kStream);
  for (SampledTask& each : tasks)
    each.events_us = TimedTask(*each.task.kernel, each.task.args(), on, true).events_us();
  Hulls hulls;
  const auto cupti = value_or_throw(CuptiSession::open(hulls));
  for (SampledTask& each : tasks) {
    const TimedTask timed(*each.task.kernel, each.task.args(), on, false);
    cupti->start_nodes();
    for (int i = 0; i < kLaunches; ++i)
      timed.launch();
    cupti->stop_nodes();
    cupti->flush(true);
    cupti->drain();
    each.cupti_us = hulls.take_us();
  }
  print(tasks);
}

}  // namespace
}  // namespace quintet

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: task_durations SCENARIO PLANS [TASKS]\n");
    return 2;
  }
  try {
    quintet::measure(argv[1], argv[2], argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 24);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "task_durations: %s\n", error.what());
    return 3;
  }
}
