#include "scenarios/verify/stress.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <fmt/format.h>
#include <random>
#include <set>
#include <span>
#include <thread>

#include "runtime/exec/host_backend.h"
#include "runtime/exec/step_runner.h"
#include "runtime/host/openmp_pin.h"
#include "runtime/policy/linear_extension.h"
#include "runtime/policy/order_graph.h"

namespace quintet {

namespace {

/// More runs that differ are counted, not listed.
constexpr int kListedRuns = 3;

struct Outcome {
  std::vector<StepResult> results;
  std::vector<std::vector<std::byte>> learned;  ///< as learned_tensors()
};

RunSchedule shortened(const TrainingSession& session, std::int64_t steps) {
  RunSchedule schedule = session.schedule();
  if (static_cast<std::int64_t>(schedule.size()) <= steps) return schedule;
  schedule.resize(static_cast<std::size_t>(std::max<std::int64_t>(steps, 1)));
  schedule.back().variant.next_shape = kAnyShape;  // nothing follows that could be prefetched
  return schedule;
}

Outcome outcome_of(const TrainingSession& session, const Executor& executor, const StepIo& io,
                   const RunSchedule& schedule) {
  Outcome outcome;
  for (std::size_t step = 0; step < schedule.size(); ++step)
    outcome.results.push_back(io.result(static_cast<std::int64_t>(step)));
  for (const TensorId tensor : learned_tensors(session.plan())) {
    std::vector<std::byte> bytes(session.plan().tensors[tensor].bytes());
    executor.download(tensor, bytes);
    outcome.learned.push_back(std::move(bytes));
  }
  return outcome;
}

Outcome run_in_order(const TrainingSession& session, const RunSchedule& schedule,
                     const OrderGraph& order, const std::vector<std::uint32_t>& nodes) {
  StepIo io = session.make_io();
  const auto executor = make_host_executor(session.plan(), session.spec(), io, nullptr);
  for (const std::uint32_t node : nodes) {
    const OrderNode& run = order.nodes[node];
    const bool prefetch = run.step >= static_cast<std::int64_t>(schedule.size());
    if (run.task && run.step >= 0 && !prefetch) executor->run_inline(*run.task, run.step);
  }
  return outcome_of(session, *executor, io, schedule);
}

Outcome run_on(Executor& executor, const TrainingSession& session, const RunSchedule& schedule,
               StepIo& io) {
  StepRunner(executor, nullptr).run(schedule, [](std::int64_t, StepRun&) {}, {});
  return outcome_of(session, executor, io, schedule);
}

/// Holds up every fourth task on its stream, and most tasks of one stream.
class RandomDelays {
 public:
  RandomDelays(const ExecutionPlan& plan, std::uint64_t seed, std::int64_t longest_ns)
      : seed_(seed), longest_ns_(longest_ns), slow_(plan.tasks.size()) {
    const StreamKind slow = kStreamKinds[seed % kStreamCount];
    for (const auto& [key, graph] : plan.graphs) {
      for (const PlacedTask& placed : graph.tasks)
        slow_[placed.task.value()] = placed.stream == slow;
    }
  }
  void operator()(const Task& task, std::int64_t step) const {
    std::mt19937_64 random(seed_ * 0x9E3779B97F4A7C15ULL + task.id.value() * 1'000'003ULL +
                           static_cast<std::uint64_t>(step));
    random.discard(1);
    const bool held = random() % 4 == 0 || (slow_[task.id.value()] && random() % 4 != 0);
    if (!held) return;
    std::this_thread::sleep_for(
        std::chrono::nanoseconds(random() % static_cast<std::uint64_t>(longest_ns_)));
  }

 private:
  std::uint64_t seed_;
  std::int64_t longest_ns_;
  std::vector<bool> slow_;
};

Outcome run_delayed_on_host(const TrainingSession& session, const RunSchedule& schedule,
                            std::uint64_t seed, std::int64_t longest_ns) {
  StepIo io = session.make_io();
  const auto executor = make_host_executor(session.plan(), session.spec(), io, nullptr,
                                           RandomDelays(session.plan(), seed, longest_ns));
  return run_on(*executor, session, schedule, io);
}

/// Delays of a third of the layers: kernels of a backend that knows nothing finer.
LayerDelays random_layers(const ExecutionPlan& plan, std::uint64_t seed, std::int64_t longest_ns) {
  std::set<std::string> layers;
  for (const Task& task : plan.tasks) {
    if (!runs_on_host(task.graph)) layers.insert(task.layer);
  }
  std::mt19937_64 random(seed);
  LayerDelays delays;
  for (const std::string& layer : layers) {
    const std::uint64_t delay = random() % static_cast<std::uint64_t>(longest_ns);
    if (random() % 3 == 0) delays[layer] = static_cast<std::int64_t>(delay);
  }
  return delays;
}

Outcome run_delayed(const TrainingSession& session, Backend& backend, const RunSchedule& schedule,
                    LayerDelays delays) {
  StepIo io = session.make_io();
  backend.set_delays(std::move(delays));
  const auto executor = session.make_executor(io, nullptr);
  backend.set_delays({});
  return run_on(*executor, session, schedule, io);
}

/// Compares with the reference and counts.
class Comparer {
 public:
  Comparer(const TrainingSession& session, const Outcome& reference, StressReport& report)
      : session_(session), reference_(reference), report_(report) {}

  void compare(const std::string& run, const Outcome& outcome) {
    const std::vector<StressDifference> found = differences(run, outcome);
    if (found.empty()) return;
    if (++report_.differing > kListedRuns) return;
    report_.differences.insert(report_.differences.end(), found.begin(), found.end());
  }

 private:
  [[nodiscard]] std::vector<StressDifference> differences(const std::string& run,
                                                          const Outcome& outcome) const {
    std::vector<StressDifference> found;
    for (std::size_t step = 0; step < outcome.results.size() && found.empty(); ++step) {
      const StepResult& right = reference_.results[step];
      const StepResult& got = outcome.results[step];
      const auto at = static_cast<std::int64_t>(step);
      if (std::bit_cast<std::uint64_t>(right.loss) != std::bit_cast<std::uint64_t>(got.loss)) {
        found.push_back({run, at, "loss", sizeof(double), sizeof(double)});
      }
      if (right.correct != got.correct) {
        found.push_back({run, at, "hits", sizeof(std::int64_t), sizeof(std::int64_t)});
      }
    }
    const std::vector<TensorId> tensors = learned_tensors(session_.plan());
    for (std::size_t index = 0; index < tensors.size(); ++index) {
      const std::uint64_t bytes =
          differing_bytes(reference_.learned[index], outcome.learned[index]);
      if (bytes == 0) continue;
      found.push_back({run, std::nullopt, session_.plan().tensors[tensors[index]].name, bytes,
                       outcome.learned[index].size()});
    }
    return found;
  }
  static std::uint64_t differing_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
    std::uint64_t count = 0;
    for (std::size_t index = 0; index < a.size(); ++index)
      count += a[index] != b[index] ? 1 : 0;
    return count;
  }

  const TrainingSession& session_;
  const Outcome& reference_;
  StressReport& report_;
};

Result<StressReport> stress_host(const TrainingSession& session, const RunSchedule& schedule,
                                 const StressOptions& options) {
  const Result<OrderGraph> order = unroll(session.plan(), sequence_of(schedule));
  if (!order) return tl::unexpected(order.error());
  pin_openmp_to_one_thread();
  StressReport report;
  report.reference = "the order of issue";
  report.steps = static_cast<std::int64_t>(schedule.size());
  const Outcome reference = run_in_order(session, schedule, *order,
                                         linear_extension(*order, ExtensionMode::earliest_first));
  Comparer comparer(session, reference, report);
  for (int run = 0; run < options.runs; ++run) {
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(run);
    if (run % 2 == 0) {
      ++report.orders;
      const ExtensionMode mode = run == 0 ? ExtensionMode::latest_first : ExtensionMode::random;
      comparer.compare(
          fmt::format("order {}", run),
          run_in_order(session, schedule, *order, linear_extension(*order, mode, seed)));
    } else {
      ++report.delayed;
      comparer.compare(fmt::format("delays {}", run),
                       run_delayed_on_host(session, schedule, seed, options.longest_delay_ns));
    }
  }
  return report;
}

StressReport stress_delays(const TrainingSession& session, Backend& backend,
                           const TrainingSession& serial, const RunSchedule& schedule,
                           const StressOptions& options) {
  StressReport report;
  report.reference = "a run under " + serial.plan().policy;
  report.steps = static_cast<std::int64_t>(schedule.size());
  const Outcome reference = run_delayed(serial, backend, schedule, {});
  Comparer comparer(session, reference, report);
  for (int run = 0; run < options.runs; ++run) {
    ++report.delayed;
    // The first goes without delays: the order that the device itself chooses.
    const LayerDelays delays =
        run == 0 ? LayerDelays{}
                 : random_layers(session.plan(), options.seed + static_cast<std::uint64_t>(run),
                                 options.longest_delay_ns);
    comparer.compare(fmt::format("delays {}", run),
                     run_delayed(session, backend, schedule, delays));
  }
  return report;
}

}  // namespace

Result<StressReport> stress(const TrainingSession& session, Backend& backend,
                            const TrainingSession* serial, const StressOptions& options) {
  const RunSchedule schedule = shortened(session, options.steps);
  if (serial == nullptr) return stress_host(session, schedule, options);
  return stress_delays(session, backend, *serial, schedule, options);
}

}  // namespace quintet
