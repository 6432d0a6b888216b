// Step time and CPU-time concurrency of the host executor under each built-in policy and step mode,
// on generated images. Counters: wall_ms and cpu_ms a training step, cpu_concurrency = CPU time of
// all tasks / wall time; backward_* the same over the backward tasks of DEEP_FWD_BWD alone (wall =
// hull of the backward pass). Concurrency of wall-clock overlap is not reported: on few cores it
// counts threads that wait for a core.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <map>
#include <mutex>

#include "runtime/policy/policy_catalog.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

bool is_backward(const Task& task) {
  return task.part == TaskPart::dW || task.part == TaskPart::dB || task.part == TaskPart::dX;
}

/// Sums CPU time and remembers the hull of each step's backward pass.
class CpuTime final : public Observer {
 public:
  explicit CpuTime(const ExecutionPlan& plan) : plan_(plan) {}
  void on_task(const TaskRun& run) override {
    const std::lock_guard lock(mutex_);
    cpu_ns += run.cpu_ns;
    const Task& task = plan_.task(run.task);
    if (task.graph != GraphId::DEEP_FWD_BWD || !is_backward(task)) return;
    backward_cpu_ns += run.cpu_ns;
    auto [hull, first] = hulls_.try_emplace(run.step, run.begin_ns, run.end_ns);
    hull->second.first = std::min(hull->second.first, run.begin_ns);
    hull->second.second = std::max(hull->second.second, run.end_ns);
  }
  [[nodiscard]] std::int64_t backward_wall_ns() const {
    std::int64_t sum = 0;
    for (const auto& [step, hull] : hulls_)
      sum += hull.second - hull.first;
    return sum;
  }
  std::int64_t cpu_ns = 0;
  std::int64_t backward_cpu_ns = 0;

 private:
  const ExecutionPlan& plan_;
  std::mutex mutex_;
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> hulls_;
};

void train(benchmark::State& state, const std::string& network, const std::string& policy,
           StepMode mode) {
  StreamPolicy chosen = *find_policy(policy);
  chosen.step = mode;
  const auto session = prepare_tiny({.network = network,
                                     .batch = 64,
                                     .train_samples = 64 * 60,
                                     .test_samples = 0,
                                     .train_steps = 60},
                                    chosen);
  double steps = 0;
  double wall_ns = 0;
  double cpu_ns = 0;
  double backward_wall_ns = 0;
  double backward_cpu_ns = 0;
  for (auto unused : state) {
    CpuTime time(session->plan());
    const auto begin = std::chrono::steady_clock::now();
    session->run(&time, {});
    const std::chrono::duration<double, std::nano> wall = std::chrono::steady_clock::now() - begin;
    steps += 60;
    wall_ns += wall.count();
    cpu_ns += static_cast<double>(time.cpu_ns);
    backward_wall_ns += static_cast<double>(time.backward_wall_ns());
    backward_cpu_ns += static_cast<double>(time.backward_cpu_ns);
  }
  state.counters["wall_ms"] = wall_ns / steps / 1e6;
  state.counters["cpu_ms"] = cpu_ns / steps / 1e6;
  state.counters["cpu_concurrency"] = cpu_ns / wall_ns;
  state.counters["backward_wall_ms"] = backward_wall_ns / steps / 1e6;
  state.counters["backward_cpu_concurrency"] = backward_cpu_ns / backward_wall_ns;
}

void register_all() {
  for (const std::string network : {"lenet5", "mlp"}) {
    for (const BuiltinPolicy& policy : policy_catalog()) {
      for (const StepMode mode :
           {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
        const std::string name =
            "train/" + network + "/" + std::string(policy.name) + "/" + std::string(name_of(mode));
        benchmark::RegisterBenchmark(
            name.c_str(), [network, policy = std::string(policy.name),
                           mode](benchmark::State& state) { train(state, network, policy, mode); })
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

}  // namespace
}  // namespace quintet::test

int main(int argc, char** argv) {
  quintet::test::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
