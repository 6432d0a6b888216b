// What two tasks of a training step gain from running at once: each alone, and both on two streams of one graph,
// several times over so that the launch does not count. Pairs are those of the longest tasks that nothing orders
// (gradients apart), each in both orders: what is launched first takes the multiprocessors first. Medians over the
// launches: a Markdown table with the pairs that gain most, and every pair as
// tab-separated values where a file is named. "Gain" is the time that both one after the other take and both at
// once do not. Standard error says what is being measured.
//
//   task_pairs SCENARIO BATCH plans.tsv [how many tasks] [pairs.tsv]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/cuda/cuda_error.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/policy/step_dag.h"
#include "scenarios/lab/replanner.h"
#include "tests/bench/device_tasks.h"

namespace quintet {
namespace {

constexpr int kRepeats = 4;
constexpr int kLaunches = 9;
constexpr StreamKind kFirst = StreamKind::COMP_1;
constexpr StreamKind kSecond = StreamKind::COMP_2;

/// A fork and a join around two chains of one task each, as one executable graph.
class ChainGraph {
 public:
  ChainGraph(const DeviceTasks& device, DeviceTask& first, DeviceTask* second)
      : stream_(device.context().on(kFirst).stream) {
    const StreamResources& other = device.context().on(kSecond);
    check(cudaEventCreate(&begin_), "making an event");
    check(cudaEventCreate(&end_), "making an event");
    check(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming), "making an event");
    check(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming), "making an event");
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capturing");
    check(cudaEventRecord(fork_, stream_), "forking");
    if (second != nullptr) check(cudaStreamWaitEvent(other.stream, fork_, 0), "forking");
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      first.kernel->launch(first.args(), device.context().on(kFirst));
      if (second != nullptr) second->kernel->launch(second->args(), other);
    }
    if (second != nullptr) {
      check(cudaEventRecord(join_, other.stream), "joining");
      check(cudaStreamWaitEvent(stream_, join_, 0), "joining");
    }
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream_, &graph), "capturing");
    check(cudaGraphInstantiate(&executable_, graph, 0), "instantiating");
    check(cudaGraphDestroy(graph), "destroying a graph");
  }
  ~ChainGraph() {
    static_cast<void>(cudaGraphExecDestroy(executable_));
    for (cudaEvent_t event : {begin_, end_, fork_, join_})
      static_cast<void>(cudaEventDestroy(event));
  }
  ChainGraph(const ChainGraph&) = delete;
  ChainGraph& operator=(const ChainGraph&) = delete;

  /// Of one task, or of one pair, in us.
  [[nodiscard]] double time_us() const {
    std::vector<double> lengths;
    for (int launch = 0; launch <= kLaunches; ++launch) {
      check(cudaEventRecord(begin_, stream_), "timing");
      check(cudaGraphLaunch(executable_, stream_), "launching");
      check(cudaEventRecord(end_, stream_), "timing");
      check(cudaEventSynchronize(end_), "waiting");
      float ms = 0;
      check(cudaEventElapsedTime(&ms, begin_, end_), "timing");
      if (launch > 0) lengths.push_back(1e3 * static_cast<double>(ms) / kRepeats);
    }
    return median_of(lengths);
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr, fork_ = nullptr, join_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

struct Pair {
  std::string first, second;
  double first_us = 0, second_us = 0, both_us = 0;
  [[nodiscard]] double gain_us() const { return first_us + second_us - both_us; }
  /// Of the shorter task's time: 1 = it costs nothing beside the other.
  [[nodiscard]] double hidden() const { return gain_us() / std::min(first_us, second_us); }
};

struct Measured {
  std::uint32_t node = 0;
  DeviceTask task;
  double alone_us = 0;
};

/// The longest device tasks of the step that are not copies of the host's.
std::vector<Measured> longest(DeviceTasks& device, const StepDag& dag, std::size_t count) {
  std::vector<Measured> tasks;
  for (std::uint32_t node = 0; node < dag.size(); ++node) {
    if (dag.node(node).fixed) continue;
    Measured one{node, device.make(dag.node(node).task), 0};
    std::fprintf(stderr, "alone: %s\n", one.task.name.c_str());
    for (const StreamKind stream : {kFirst, kSecond}) {  // not at once: they share their scratch
      one.task.kernel->launch(one.task.args(), device.context().on(stream));
      device.context().synchronize();
    }
    one.alone_us = ChainGraph(device, one.task, nullptr).time_us();
    tasks.push_back(std::move(one));
  }
  std::sort(tasks.begin(), tasks.end(),
            [](const Measured& a, const Measured& b) { return a.alone_us > b.alone_us; });
  if (tasks.size() > count) tasks.resize(count);
  return tasks;
}

Pair measure_pair(DeviceTasks& device, Measured& first, Measured& second) {
  std::fprintf(stderr, "both: %s, %s\n", first.task.name.c_str(), second.task.name.c_str());
  return {first.task.name, second.task.name, first.alone_us, second.alone_us,
          ChainGraph(device, first.task, &second.task).time_us()};
}

std::vector<Pair> measure_pairs(DeviceTasks& device, const StepDag& dag,
                                std::vector<Measured>& tasks) {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < tasks.size(); ++a) {
    for (std::size_t b = 0; b < tasks.size(); ++b) {
      if (a == b || dag.closure().ordered(tasks[a].node, tasks[b].node)) continue;
      pairs.push_back(measure_pair(device, tasks[a], tasks[b]));
    }
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& a, const Pair& b) { return a.gain_us() > b.gain_us(); });
  return pairs;
}

void write(const std::vector<Pair>& pairs, const std::string& path) {
  std::ofstream file(path);
  file << "first\tsecond\tfirst_us\tsecond_us\tboth_us\n";
  for (const Pair& pair : pairs) {
    file << fmt::format("{}\t{}\t{:.2f}\t{:.2f}\t{:.2f}\n", pair.first, pair.second, pair.first_us,
                        pair.second_us, pair.both_us);
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void print(const std::vector<Pair>& pairs, std::size_t shown) {
  fmt::print(
      "| first, second | alone, us | alone, us | both, us | gain, us | of the shorter |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  for (std::size_t i = 0; i < std::min(shown, pairs.size()); ++i) {
    const Pair& pair = pairs[i];
    fmt::print("| {}, {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.0f} % |\n", pair.first,
               pair.second, pair.first_us, pair.second_us, pair.both_us, pair.gain_us(),
               100 * pair.hidden());
  }
}

void measure(const std::string& name, std::int64_t batch, const std::string& plans_file,
             std::size_t count, const std::string& out) {
  Scenario scenario = value_or_throw(find_scenario(name));
  scenario.precision = Precision::amp;
  scenario.lowering = Lowering::fused;
  scenario.batch = batch;
  const Replanner run = value_or_throw(Replanner::of_scenario(scenario));
  const StepDag dag =
      value_or_throw(step_dag_of(run.input(), {GradientMode::separate, StepMode::whole_step},
                                 estimated_weights(run.input().tasks)));
  DeviceTasks device(scenario, plans_file);
  std::vector<Measured> tasks = longest(device, dag, count);
  const std::vector<Pair> pairs = measure_pairs(device, dag, tasks);
  fmt::print("{} batch {}: {} tasks, {} pairs that nothing orders\n\n", name, batch, tasks.size(),
             pairs.size());
  print(pairs, 16);
  if (!out.empty()) write(pairs, out);
}

}  // namespace
}  // namespace quintet

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: task_pairs SCENARIO BATCH PLANS [TASKS] [PAIRS]\n");
    return 2;
  }
  try {
    quintet::measure(argv[1], std::strtoll(argv[2], nullptr, 10), argv[3],
                     argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 40, argc > 5 ? argv[5] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "task_pairs: %s\n", error.what());
    return 3;
  }
}
