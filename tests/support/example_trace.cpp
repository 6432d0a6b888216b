#include "tests/support/example_trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "profiler/trace/trace_batch.h"

namespace quintet {

namespace {

constexpr RegionId kHostBatch{0};
constexpr RegionId kBatch{1};
constexpr RegionId kFeatures{2};
constexpr RegionId kWeights{3};
constexpr RegionId kGradients{4};
constexpr RegionId kMomentum{5};
constexpr RegionId kResults{6};
constexpr std::uint64_t kSlotBytes = 4096;

Access range(RegionId region, std::size_t slot, AccessMode mode) {
  Access access;
  access.region = region;
  access.offset = slot * kSlotBytes;
  access.bytes = kSlotBytes;
  access.mode = mode;
  return access;
}

Access whole(RegionId region, AccessMode mode) {
  Access access = range(region, 0, mode);
  access.bytes = 64 * kSlotBytes;
  return access;
}

/// One task of the made-up network: what it is, where it goes, how long it takes.
struct Row {
  const char* layer;
  const char* kind;
  const char* part;
  const char* graph;
  StreamKind stream;
  std::int64_t duration_us;
  std::vector<Access> accesses;
};

/// Forward tasks write feature slot k, backward tasks of layer k write slot 16 + k.
std::vector<Row> network_rows() {
  using enum StreamKind;
  using enum AccessMode;
  const auto x = [](std::size_t slot) { return range(kFeatures, slot, read); };
  const auto y = [](std::size_t slot) { return range(kFeatures, slot, write); };
  const auto w = [](std::size_t slot) { return range(kWeights, slot, read); };
  const auto g = [](std::size_t slot) { return range(kGradients, slot, update); };
  constexpr const char* kFirst = "FIRST_LAYER_FWD_A";
  constexpr const char* kDeep = "DEEP_FWD_BWD";
  constexpr const char* kLast = "FIRST_LAYER_BWD_A";
  return {
      {"data",
       "H2D_COPY",
       "copy",
       "TRANSFER_A",
       TRANS,
       96,
       {whole(kHostBatch, read), whole(kBatch, write)}},
      {"all", "RANGE_CLEAR", "clear", "ZERO_GRAD", UPDATE, 22, {whole(kGradients, write)}},
      {"conv1", "CONV_FP32_FWD", "Y", kFirst, COMP_1, 310, {w(0), y(0)}},
      {"relu1", "RELU_FP32_FWD", "Y", kDeep, COMP_3, 48, {x(0), y(1)}},
      {"pool1", "MAXPOOL_FP32_FWD", "Y", kDeep, COMP_2, 92, {x(1), y(2)}},
      {"conv2", "CONV_FP32_FWD", "Y", kDeep, COMP_1, 420, {w(1), x(2), y(3)}},
      {"relu2", "RELU_FP32_FWD", "Y", kDeep, COMP_3, 30, {x(3), y(4)}},
      {"pool2", "MAXPOOL_FP32_FWD", "Y", kDeep, COMP_2, 51, {x(4), y(5)}},
      {"fc1", "FC_FP32_FWD", "Y", kDeep, COMP_1, 88, {w(2), x(5), y(6)}},
      {"fc2", "FC_FP32_FWD", "Y", kDeep, COMP_1, 31, {w(3), x(6), y(7)}},
      {"loss", "SOFTMAX_CE_FP32_FWD", "Y", kDeep, COMP_1, 12, {x(7), y(8)}},
      {"loss", "SOFTMAX_CE_FP32_BWD", "dX", kDeep, COMP_1, 9, {x(8), y(24)}},
      {"fc2", "FC_FP32_BWD", "dW", kDeep, COMP_1, 38, {x(24), x(6), g(3)}},
      {"fc2", "FC_FP32_BWD", "dB", kDeep, COMP_2, 11, {x(24), g(7)}},
      {"fc2", "FC_FP32_BWD", "dX", kDeep, COMP_3, 29, {x(24), w(3), y(23)}},
      {"fc1", "FC_FP32_BWD", "dW", kDeep, COMP_1, 110, {x(23), x(5), g(2)}},
      {"fc1", "FC_FP32_BWD", "dB", kDeep, COMP_2, 14, {x(23), g(6)}},
      {"fc1", "FC_FP32_BWD", "dX", kDeep, COMP_3, 84, {x(23), w(2), y(22)}},
      {"pool2", "MAXPOOL_FP32_BWD", "dX", kDeep, COMP_2, 64, {x(22), x(5), y(21)}},
      {"relu2", "RELU_FP32_BWD", "dX", kDeep, COMP_3, 33, {x(21), x(4), y(20)}},
      {"conv2", "CONV_FP32_BWD", "dW", kDeep, COMP_1, 460, {x(20), x(2), g(1)}},
      {"conv2", "CONV_FP32_BWD", "dB", kDeep, COMP_2, 40, {x(20), g(5)}},
      {"conv2", "CONV_FP32_BWD", "dX", kDeep, COMP_3, 505, {x(20), w(1), y(18)}},
      {"pool1", "MAXPOOL_FP32_BWD", "dX", kDeep, COMP_2, 120, {x(18), x(2), y(17)}},
      {"relu1", "RELU_FP32_BWD", "dX", kDeep, COMP_3, 52, {x(17), x(1), y(16)}},
      {"conv1", "CONV_FP32_BWD_FIRST_LAYER", "dW", kLast, COMP_1, 280, {x(16), g(0)}},
      {"conv1", "CONV_FP32_BWD_FIRST_LAYER", "dB", kLast, COMP_2, 66, {x(16), g(4)}},
      {"metrics", "METRICS", "Y", "METRICS_A", UPDATE, 8, {x(8), whole(kResults, write)}},
      {"all",
       "RANGE_SGD_UPDATE",
       "update",
       "OPTIMIZER",
       UPDATE,
       74,
       {whole(kGradients, read), whole(kWeights, update), whole(kMomentum, update)}},
  };
}

class ExampleBuilder {
 public:
  explicit ExampleBuilder(const ExampleOptions& options)
      : options_(options), state_(options.seed) {}

  Trace build() {
    describe();
    plan();
    const int total = options_.train_steps + options_.evaluate_steps;
    for (int step = 0; step < total; ++step)
      run_step(step, step >= options_.train_steps);
    return std::move(trace_);
  }

 private:
  void describe() {
    trace_.lanes = runtime_lanes();
    trace_.provenance = {
        {"scenario", "fashion-lenet"},
        {"network", "lenet5"},
        {"policy", options_.serial ? "serial" : "renaissance-dataflow"},
        {"executor", "host"},
        {"lowering", "article"},
        {"step_mode", "event_sync"},
        {"sync", "dataflow"},
        {"gradients", "separate"},
        {"batch", "64"},
        {"seed", "1"},
        {"data", "Fashion-MNIST"},
        {"started", "2026-11-29T12:00:00Z"},
        {"machine", "x86_64, 2 processors"},
        {"quintet_version", "0.1.0"},
        {"onednn_version", "2.6.0"},
        {"verdict", "race-free"},
        {"weights_hash", "9f86d081884c7d65"},
        {"test_accuracy", "0.8713"},
    };
    const auto region = [](RegionId id, RegionKind kind, std::uint64_t bytes) {
      return Region{id, kind, std::nullopt, bytes, 0};
    };
    trace_.regions = {region(kHostBatch, RegionKind::HOST_BATCH_A, 200960),
                      region(kBatch, RegionKind::BATCH_A, 200960),
                      region(kFeatures, RegionKind::FEATURES, 7401472),
                      region(kWeights, RegionKind::DEEP_WEIGHTS, 246824),
                      region(kGradients, RegionKind::DEEP_GRADIENTS, 246824),
                      region(kMomentum, RegionKind::DEEP_MOMENTUM, 246824),
                      region(kResults, RegionKind::HOST_RESULTS, 64)};
    trace_.findings = {
        {Severity::info, "empty_graphs",
         "sub-graphs without work on one rank: FIRST_COMM, DEEP_COMM, STATS_COMM", 3},
        {Severity::notice, "few_processors", "5 streams share 2 processors", 1}};
  }

  void plan() {
    for (const Row& row : network_rows()) {
      TraceTask task;
      task.name = std::string(row.layer) + "/" + row.kind + "/" + row.part;
      task.layer = row.layer;
      task.op_kind = row.kind;
      task.part = row.part;
      task.graph = row.graph;
      task.shape = "train";
      task.policy_lane = lane_of(options_.serial ? StreamKind::COMP_1 : row.stream);
      task.placement_reason = options_.serial ? "every task: COMP_1" : "part " + task.part;
      task.covers = {task.name};
      task.accesses = row.accesses;
      task.flops = static_cast<double>(row.duration_us) * 2.1e6;
      task.bytes = static_cast<double>(row.duration_us) * 900;
      add_task(std::move(task), row.duration_us * 1000);
    }
    for (TraceGraph& graph : trace_.graphs)
      add_edges(graph);
  }

  void add_task(TraceTask task, std::int64_t duration_ns) {
    const auto index = static_cast<std::uint32_t>(trace_.tasks.size());
    const std::string name = task.graph + "@train";
    if (trace_.graphs.empty() || trace_.graphs.back().name != name) {
      trace_.graphs.push_back({name, *task.policy_lane, {}, {}, false});
    }
    trace_.graphs.back().tasks.push_back(index);
    const bool first =
        std::none_of(trace_.tasks.begin(), trace_.tasks.end(),
                     [&task](const TraceTask& each) { return each.layer == task.layer; });
    if (first && task.layer == options_.slow_layer) duration_ns += options_.slow_ns;
    trace_.tasks.push_back(std::move(task));
    durations_.push_back(duration_ns);
  }

  void add_edges(TraceGraph& graph) {
    for (std::size_t later = 0; later < graph.tasks.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        const std::uint32_t from = graph.tasks[earlier];
        const std::uint32_t to = graph.tasks[later];
        if (trace_.tasks[from].policy_lane == trace_.tasks[to].policy_lane) continue;
        if (!conflicting(from, to)) continue;
        graph.edges.push_back({from, to, "conflict", trace_.tasks[from].name + " comes first"});
      }
    }
  }

  [[nodiscard]] bool conflicting(std::uint32_t a, std::uint32_t b) const {
    for (const Access& first : trace_.tasks[a].accesses) {
      for (const Access& second : trace_.tasks[b].accesses) {
        if (conflict(first, second)) return true;
      }
    }
    return false;
  }

  /// A small number that looks like noise, the same everywhere.
  std::int64_t noise(std::int64_t below) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::int64_t>((state_ >> 33) % static_cast<std::uint64_t>(below));
  }

  /// A factor with mean 1 and the standard deviation that the options ask for.
  double step_factor() {
    if (options_.step_noise == 0) return 1;
    constexpr std::int64_t kSteps = 1 << 30;
    const double radius = static_cast<double>(noise(kSteps) + 1) / kSteps;
    const double angle = static_cast<double>(noise(kSteps)) / kSteps;
    return 1 + options_.step_noise * std::sqrt(-2 * std::log(radius)) *
                   std::cos(2 * std::numbers::pi * angle);
  }

  void run_step(std::int64_t step, bool evaluate) {
    factor_ = options_.process_factor * step_factor();
    const bool tail = step + 1 == options_.train_steps && options_.train_steps > 3;
    TraceStep record;
    record.step = step;
    record.phase = evaluate ? "evaluate" : "train";
    record.shape = evaluate ? "eval" : tail ? "train_tail" : "train";
    record.slot = step % 2 == 0 ? "A" : "B";
    record.batch = evaluate ? 256 : tail ? 32 : 64;
    record.begin_ns = now_;
    record.learning_rate = evaluate ? 0 : 0.05;
    std::int64_t finished = now_;
    for (std::uint32_t graph = 0; graph < trace_.graphs.size(); ++graph) {
      const std::string& name = trace_.graphs[graph].name;
      const bool forward = name.starts_with("TRANSFER") || name.starts_with("FIRST_LAYER_FWD");
      if (evaluate && !forward) continue;
      finished = std::max(finished, run_graph(graph, static_cast<std::int32_t>(step)));
    }
    trace_.host_waits.push_back({lane_of(HostActor::MAIN), static_cast<std::int32_t>(step),
                                 "host_wait", "step_done", now_, finished});
    now_ = finished + 2000 + noise(3000);
    record.end_ns = finished;
    record.loss =
        2.3 / (1.0 + 0.18 * static_cast<double>(step)) + static_cast<double>(noise(100)) / 1000;
    record.correct = record.batch * (10 + 5 * step) / 100;
    trace_.steps.push_back(std::move(record));
  }

  /// Launches a graph and lets its tasks run; returns when the last one ends.
  std::int64_t run_graph(std::uint32_t index, std::int32_t step) {
    const TraceGraph& graph = trace_.graphs[index];
    const std::int64_t launched = now_ + 1500 + noise(1500);
    trace_.launches.push_back({index, graph.primary, step, now_, launched});
    now_ = launched;
    std::int64_t finished = launched;
    for (const std::uint32_t task : graph.tasks) {
      const LaneId lane = *trace_.tasks[task].policy_lane;
      std::int64_t begin = std::max(launched, free_[lane]);
      for (const auto& [other, end] : ended_) {
        if (conflicting(other, task)) begin = std::max(begin, end);
      }
      begin += 1000 + noise(2500);
      const auto most_noise =
          static_cast<std::int64_t>(static_cast<double>(durations_[task]) * options_.task_noise);
      const auto duration = static_cast<std::int64_t>(
          static_cast<double>(durations_[task] + noise(most_noise + 1)) * factor_);
      const bool prefetch = trace_.tasks[task].op_kind == "H2D_COPY";
      add_span(task, prefetch ? step + 1 : step, lane, begin, begin + duration);
      free_[lane] = begin + duration;
      ended_[task] = begin + duration;
      finished = std::max(finished, begin + duration);
    }
    return finished;
  }

  void add_span(std::uint32_t task, std::int32_t step, LaneId lane, std::int64_t begin,
                std::int64_t end) {
    SpanColumns& spans = trace_.spans;
    const auto on = static_cast<std::uint16_t>(lane.value());
    append_span(spans, {begin, end, (end - begin) * 7 / 8, task, step, on, on});
  }

  ExampleOptions options_;
  Trace trace_;
  std::vector<std::int64_t> durations_;
  std::map<LaneId, std::int64_t> free_;
  std::map<std::uint32_t, std::int64_t> ended_;
  std::int64_t now_ = 1'000'000;
  double factor_ = 1;
  std::uint64_t state_;
};

}  // namespace

Trace example_trace(const ExampleOptions& options) {
  return ExampleBuilder(options).build();
}

}  // namespace quintet
