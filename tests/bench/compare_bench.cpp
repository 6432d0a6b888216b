// What a comparison costs beyond reading its recordings: alignment, resampling, intervals.

#include <benchmark/benchmark.h>

#include "profiler/compare/comparison.h"

namespace quintet {
namespace {

/// A recording of `steps` steps, each with `tasks` tasks of about 10 us.
RecordingSample made_up(std::uint64_t process, std::size_t tasks, std::size_t steps) {
  const auto noise = [process](std::uint64_t stream, std::uint64_t position) {
    return static_cast<double>(mixed(process + 1, stream, position) % 1000);
  };
  RecordingSample sample;
  sample.file = "run " + std::to_string(process);
  sample.identity = sample.file;
  sample.timed_steps = steps;
  sample.task_steps = steps;
  for (std::size_t step = 0; step < steps; ++step)
    sample.step_time_ns.push_back(1e6 + noise(0, step));
  for (std::size_t index = 0; index < tasks; ++index) {
    TaskSample task;
    task.name = "layer" + std::to_string(index / 3) + "/CONV/" + std::to_string(index % 3);
    task.layer = "layer" + std::to_string(index / 3);
    task.ids = {task.name};
    task.lanes = {{"COMP_1", 1}};
    for (std::size_t step = 0; step < steps; ++step)
      task.time_ns.push_back(1e4 + noise(index + 1, step));
    sample.tasks.push_back(std::move(task));
  }
  return sample;
}

/// Five processes a side; arguments: tasks, steps a process.
void compare_five_processes_a_side(benchmark::State& state) {
  std::vector<RecordingSample> a;
  std::vector<RecordingSample> b;
  for (std::uint64_t process = 0; process < 5; ++process) {
    a.push_back(made_up(2 * process, static_cast<std::size_t>(state.range(0)),
                        static_cast<std::size_t>(state.range(1))));
    b.push_back(made_up(2 * process + 1, static_cast<std::size_t>(state.range(0)),
                        static_cast<std::size_t>(state.range(1))));
  }
  for (auto _ : state)
    benchmark::DoNotOptimize(compare_recordings(a, b));
}
BENCHMARK(compare_five_processes_a_side)
    ->Args({100, 100})
    ->Args({100, 512})
    ->Args({500, 100})
    ->Args({500, 512})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quintet
