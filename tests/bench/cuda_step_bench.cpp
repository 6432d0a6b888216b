// Step time on a GPU of network x batch x policy x gradients x step mode x lowering, each name as
// step/resnet50/32/renaissance-dataflow/separate/whole_step/fused (Google Benchmark adds to it).
// AMP, SGD with momentum, generated images; the input stays on the device, so a step is what is left
// of it when nothing is transferred. The time of a step is that between the step_done events of two
// steps; a case reports the median over 40 steps (mlp: 200; photos in batches of 128 and more: 16)
// after 8 to warm up. Counters: step_us (that median), p05 and p95 (microseconds), device_MiB (the
// plan's), launches (of graphs, a step). No mapping is proved here: one that races is timed all the
// same.
//
//   cuda_step_bench --benchmark_filter=step/resnet50/32/ --benchmark_out=out.json
//
// QUINTET_PLANS names the file of library plans; without it they are searched anew in each run of
// the program. QUINTET_POLICIES names a folder of more policies, FOLDER/resnet50-b32/NAME.toml, each
// timed with its own place of gradients, lowering fused. tests/bench/gpu_tables.py makes tables of
// the output.
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cuda/cuda_device.h"
#include "runtime/cuda/device_connections.h"
#include "runtime/data/generated_images.h"
#include "runtime/exec/cuda_backend.h"
#include "runtime/exec/training_session.h"
#include "runtime/network/network_catalog.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet::test {
namespace {

constexpr std::int64_t kWarmUpSteps = 8;

struct BenchNetwork {
  std::string name;
  NetworkInput input;
  std::vector<std::int64_t> batches;
  std::int64_t short_steps = 40;  ///< measured

  /// Of long steps a few tell as much as many short ones.
  [[nodiscard]] std::int64_t steps(std::int64_t batch) const {
    return input.channels > 1 && batch >= 128 ? 16 : short_steps;
  }
};

/// 128 is the batch at which other frameworks are measured on the perceptron and on VGG-16.
const std::vector<BenchNetwork>& networks() {
  static const NetworkInput kPhoto{224, 224, 3, 1000, {}};
  static const std::vector<BenchNetwork> kNetworks = {
      {"mlp", {28, 28, 1, 10, {512, 512}}, {8, 32, 128, 256}, 200},
      {"resnet18", kPhoto, {8, 32, 256}},
      {"resnet50", kPhoto, {8, 32, 256}},
      {"vgg16-bn", kPhoto, {8, 32, 128, 256}},
  };
  return kNetworks;
}

/// One benchmark case.
struct StepCase {
  const BenchNetwork* network = nullptr;
  std::int64_t batch = 0;
  std::string policy;  ///< built-in, or the path of a file
  GradientMode gradients = GradientMode::in_place;
  StepMode mode = StepMode::host_sync;
  Lowering lowering = Lowering::article;

  [[nodiscard]] std::string name() const {
    std::string text = "step/" + network->name + "/" + std::to_string(batch) + "/" +
                       std::filesystem::path(policy).stem().string();
    for (const std::string_view part : {name_of(gradients), name_of(mode), name_of(lowering)})
      text.append("/").append(part);
    return text;
  }
};

/// Or throws the error's text, which becomes that of the case.
template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}

/// What all cases share. Owns the backend and the images, which are made once per network and batch.
class StepBench {
 public:
  explicit StepBench(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}

  std::unique_ptr<TrainingSession> prepare(const StepCase& what) {
    StreamPolicy policy = value_of(find_policy(what.policy));
    policy.gradients = what.gradients;
    policy.step = what.mode;
    return value_of(TrainingSession::prepare(spec_of(what), images_of(what), policy, backend_));
  }

 private:
  /// One batch an epoch, no test set: the only shape that is captured is the one that is timed.
  static TrainingSpec spec_of(const StepCase& what) {
    const std::int64_t steps = kWarmUpSteps + what.network->steps(what.batch);
    TrainingSpec spec;
    spec.network = value_of(make_network(what.network->name, what.network->input));
    spec.precision = Precision::amp;
    spec.optimizer = SgdHyper{.momentum = 0.9F, .weight_decay = 1e-4F};
    spec.lowering = what.lowering;
    spec.length.train_samples = what.batch;
    spec.length.test_samples = 0;
    spec.length.batch = what.batch;
    spec.length.epochs = steps;
    spec.length.resident_input = true;
    spec.learning_rates.assign(static_cast<std::size_t>(steps), 0.01F);
    return spec;
  }

  std::shared_ptr<const DatasetPair> images_of(const StepCase& what) {
    std::shared_ptr<const DatasetPair>& images = images_[{what.network->name, what.batch}];
    if (images) return images;
    const NetworkInput& input = what.network->input;
    DataSource source;
    source.generated = {what.batch, 1, input.height, input.width, input.channels, input.classes};
    images = std::make_shared<const DatasetPair>(value_of(open_generated_images(source)));
    return images;
  }

  std::shared_ptr<Backend> backend_;
  std::map<std::pair<std::string, std::int64_t>, std::shared_ptr<const DatasetPair>> images_;
};

/// Times of the steps after the warm-up, in rising order. TrainingSession::run would also hash the
/// weights, which takes longer than all steps of a large network.
std::vector<double> step_times_us(const TrainingSession& session) {
  StepIo io = session.make_io();
  const std::unique_ptr<Executor> executor = session.make_executor(io, nullptr);
  std::vector<double> times;
  std::int64_t last_end = 0;
  const auto finished = [&](const StepRun& run) {
    if (run.step >= kWarmUpSteps) times.push_back(static_cast<double>(run.end_ns - last_end) / 1e3);
    last_end = run.end_ns;
    return true;
  };
  StepRunner(*executor, nullptr)
      .run(
          session.schedule(), [](std::int64_t, StepRun&) {}, finished);
  std::sort(times.begin(), times.end());
  return times;
}

/// `share` of the way through sorted values.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

std::int64_t launches_a_step(const TrainingSession& session) {
  const StepProgram& program = session.plan().programs.at(session.schedule().back().variant);
  return std::count_if(program.commands.begin(), program.commands.end(),
                       [](const Command& command) { return command.kind == CommandKind::launch; });
}

void time_steps(benchmark::State& state, StepBench& bench, const StepCase& what) {
  try {
    const std::unique_ptr<TrainingSession> session = bench.prepare(what);
    const std::vector<double> times = step_times_us(*session);
    const double median = quantile(times, 0.5);
    for (auto unused : state)
      state.SetIterationTime(median / 1e6);
    state.counters["step_us"] = median;
    state.counters["p05"] = quantile(times, 0.05);
    state.counters["p95"] = quantile(times, 0.95);
    state.counters["device_MiB"] =
        static_cast<double>(session->plan().memory.bytes(MemorySpace::device)) / 0x1p20;
    state.counters["launches"] = static_cast<double>(launches_a_step(*session));
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

/// What is compared runs one after the other: policies innermost.
std::vector<StepCase> all_cases() {
  std::vector<StepCase> cases;
  for (const BenchNetwork& network : networks()) {
    for (const std::int64_t batch : network.batches) {
      for (const Lowering lowering : {Lowering::article, Lowering::fused}) {
        for (const StepMode mode :
             {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
          for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
            for (const char* policy :
                 {"serial", "renaissance-as-published", "renaissance", "renaissance-dataflow"})
              cases.push_back({&network, batch, policy, gradients, mode, lowering});
          }
        }
      }
    }
  }
  return cases;
}

/// The policies of FOLDER/<network>-b<batch>, by name, in every step mode.
std::vector<StepCase> cases_of_folder(const std::filesystem::path& folder) {
  std::vector<StepCase> cases;
  for (const BenchNetwork& network : networks()) {
    for (const std::int64_t batch : network.batches) {
      const std::filesystem::path own = folder / (network.name + "-b" + std::to_string(batch));
      if (!std::filesystem::is_directory(own)) continue;
      std::vector<std::string> files;
      for (const auto& entry : std::filesystem::directory_iterator(own))
        if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
      std::sort(files.begin(), files.end());
      for (const StepMode mode :
           {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
        for (const std::string& file : files)
          cases.push_back({&network, batch, file, value_of(load_policy(file)).gradients, mode,
                           Lowering::fused});
      }
    }
  }
  return cases;
}

void register_all(const std::shared_ptr<StepBench>& bench) {
  std::vector<StepCase> cases = all_cases();
  if (const char* const folder = std::getenv("QUINTET_POLICIES"); folder != nullptr) {
    const std::vector<StepCase> more = cases_of_folder(folder);
    cases.insert(cases.end(), more.begin(), more.end());
  }
  for (const StepCase& what : cases) {
    const auto run = [bench, what](benchmark::State& state) { time_steps(state, *bench, what); };
    benchmark::RegisterBenchmark(what.name().c_str(), run)
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

/// What a table of the output has to say of the machine.
void describe_machine(const CudaDevice& gpu) {
  const CudaVersions versions = cuda_versions();
  benchmark::AddCustomContext("gpu", gpu.name);
  const std::optional<int> connections = asked_connections();
  benchmark::AddCustomContext("connections",
                              connections ? std::to_string(*connections) : "default");
  benchmark::AddCustomContext("cuda_driver", versions.driver);
  benchmark::AddCustomContext("cuda_runtime", versions.runtime);
  benchmark::AddCustomContext("cudnn", versions.cudnn);
  benchmark::AddCustomContext("cublaslt", versions.cublaslt);
}

int run_all(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const auto gpus = list_cuda_devices();
  if (!gpus) {
    // The cure it names is a command's, not ours.
    std::fprintf(stderr, "cuda_step_bench: %s\n", gpus.error().message.c_str());
    return 2;
  }
  const char* const plans = std::getenv("QUINTET_PLANS");
  auto backend = CudaBackend::open(PlanSearch::measured, plans == nullptr ? "" : plans);
  if (!backend) {
    std::fprintf(stderr, "cuda_step_bench: %s\n", to_string(backend.error()).c_str());
    return 2;
  }
  describe_machine(gpus->front());
  register_all(std::make_shared<StepBench>(std::move(*backend)));
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace quintet::test

int main(int argc, char** argv) {
  try {
    return quintet::test::run_all(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuda_step_bench: %s\n", error.what());
    return 3;
  }
}
