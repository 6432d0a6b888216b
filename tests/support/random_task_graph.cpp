#include "tests/support/random_task_graph.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "tests/support/plan_sketch.h"

namespace quintet::test {

namespace {

constexpr std::uint64_t kPiece = 64;

/// std distributions differ between standard libraries; this does not.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }
  bool chance(std::uint64_t percent) { return below(100) < percent; }

 private:
  std::mt19937_64 engine_;
};

class Generator {
 public:
  explicit Generator(const GraphRecipe& recipe) : recipe_(recipe), dice_(recipe.seed) {}

  ExecutionPlan generate() {
    for (std::size_t index = 0; index < recipe_.tasks; ++index)
      add_task(index);
    if (recipe_.shuffled_issue) shuffle();
    sketch_.program(kRandomStep, {launch(kRandomGraph.graph, StreamKind::COMP_1)});
    return std::move(sketch_.plan);
  }

 private:
  void add_task(std::size_t index) {
    const StreamKind stream =
        kStreamKinds[dice_.below(static_cast<std::uint64_t>(recipe_.streams))];
    std::vector<Access> accesses = accesses_of(index);
    if (dice_.chance(30)) accesses.push_back(sketch_.scratch(stream, kPiece));
    // A workspace that is not of the own stream: scratch users on several streams.
    if (dice_.chance(5)) accesses.push_back(sketch_.scratch(StreamKind::TRANS, kPiece));
    const std::string name = "task" + std::to_string(index) + "/OP/Y";
    if (index > 0 && dice_.chance(35)) {
      sketch_.part(name, TaskPart::dX, stream, std::move(accesses));
    } else {
      sketch_.task(name, kRandomGraph.graph, stream, std::move(accesses));
    }
  }

  Access output(std::size_t index) {
    return sketch_.writes(RegionKind::FEATURES, index * kPiece, kPiece);
  }
  Access input(std::size_t index) {
    return sketch_.reads(RegionKind::FEATURES, index * kPiece, kPiece);
  }
  /// Reads the output of an earlier task, or now and then takes its bytes for its own.
  Access consume(std::size_t index) {
    Access access = input(index);
    if (dice_.chance(20)) access.mode = dice_.chance(50) ? AccessMode::update : AccessMode::write;
    return access;
  }

  std::vector<Access> accesses_of(std::size_t index) {
    std::vector<Access> accesses = {output(index)};
    switch (recipe_.family) {
      case DagFamily::chain:
        if (index > 0) accesses.push_back(consume(index - 1));
        break;
      case DagFamily::tree:
        if (index > 0) accesses.push_back(consume(index - 1 - dice_.below((index + 1) / 2)));
        break;
      case DagFamily::diamond:
        // 0 forks to 1 and 2, which join in 3, which forks again.
        if (index % 3 == 0 && index > 0) {
          accesses.push_back(input(index - 1));
          accesses.push_back(consume(index - 2));
        } else if (index > 0) {
          accesses.push_back(input(index - index % 3));
        }
        break;
      case DagFamily::random:
        accesses.clear();
        for (std::uint64_t count = 1 + dice_.below(4); count > 0; --count)
          accesses.push_back(anything());
        break;
    }
    return accesses;
  }

  Access anything() {
    constexpr std::array kRegions = {RegionKind::FEATURES, RegionKind::DEEP_WEIGHTS,
                                     RegionKind::DEEP_GRADIENTS};
    Access access = sketch_.reads(kRegions[dice_.below(3)], dice_.below(24) * kPiece / 2,
                                  (1 + dice_.below(4)) * kPiece / 2);
    if (dice_.chance(25)) {
      access.count = 2 + dice_.below(3);
      access.stride = access.bytes + dice_.below(3) * kPiece / 2;
    }
    if (dice_.chance(40)) access.mode = dice_.chance(60) ? AccessMode::write : AccessMode::update;
    return access;
  }

  /// Neighbours in issue order that do not conflict may change places.
  void shuffle() {
    std::vector<PlacedTask>& placed = sketch_.graph(kRandomGraph.graph).tasks;
    for (std::size_t swaps = placed.size() * placed.size(); swaps > 0 && placed.size() > 1;
         --swaps) {
      const std::size_t at = dice_.below(placed.size() - 1);
      const OracleConflict found =
          oracle_conflict(accesses_at(placed[at]), accesses_at(placed[at + 1]));
      if (!found.exists || found.either_order) std::swap(placed[at], placed[at + 1]);
    }
  }
  std::span<const Access> accesses_at(const PlacedTask& placed) const {
    return sketch_.plan.accesses[placed.task.value()];
  }

  GraphRecipe recipe_;
  Dice dice_;
  PlanSketch sketch_;
};

}  // namespace

std::string_view name_of(DagFamily family) {
  constexpr std::array<std::string_view, 4> kNames = {"chain", "tree", "diamond", "random"};
  return kNames[static_cast<std::size_t>(family)];
}

GraphRecipe recipe(std::uint64_t index) {
  return {.family = static_cast<DagFamily>(index % 4),
          .tasks = 2 + (index * 7) % 32,
          .streams = static_cast<int>(1 + (index / 4) % 5),
          .seed = index,
          .shuffled_issue = index % 3 != 0};
}

ExecutionPlan random_plan(const GraphRecipe& recipe) {
  return Generator(recipe).generate();
}

ExecutionPlan network_like_plan(std::size_t tasks) {
  PlanSketch sketch;
  const GraphId graph = kRandomGraph.graph;
  const std::size_t layers = tasks / 4;
  const auto name = [](const char* what, std::size_t layer) {
    return "layer" + std::to_string(layer) + what;
  };
  // Layer k turns activation k into k + 1; activations and their gradients lie one after the other.
  const auto activation = [](std::size_t k) { return k * kPiece; };
  const auto gradient = [layers](std::size_t k) { return (layers + 1 + k) * kPiece; };
  for (std::size_t layer = 0; layer < layers; ++layer) {
    sketch.task(name("/CONV_FP32_FWD/Y", layer), graph, StreamKind::COMP_1,
                {sketch.reads(RegionKind::FEATURES, activation(layer), kPiece),
                 sketch.reads(RegionKind::DEEP_WEIGHTS, layer * kPiece, kPiece),
                 sketch.writes(RegionKind::FEATURES, activation(layer + 1), kPiece),
                 sketch.scratch(StreamKind::COMP_1, kPiece)});
  }
  for (std::size_t layer = layers; layer-- > 0;) {
    sketch.task(name("/CONV_FP32_BWD/dW", layer), graph, StreamKind::COMP_1,
                {sketch.reads(RegionKind::FEATURES, activation(layer), kPiece),
                 sketch.reads(RegionKind::FEATURES, gradient(layer + 1), kPiece),
                 sketch.writes(RegionKind::DEEP_GRADIENTS, layer * kPiece, kPiece),
                 sketch.scratch(StreamKind::COMP_1, kPiece)});
    sketch.part(name("/CONV_FP32_BWD/dX", layer), TaskPart::dX, StreamKind::COMP_3,
                {sketch.reads(RegionKind::FEATURES, gradient(layer + 1), kPiece),
                 sketch.reads(RegionKind::DEEP_WEIGHTS, layer * kPiece, kPiece),
                 sketch.writes(RegionKind::FEATURES, gradient(layer), kPiece),
                 sketch.scratch(StreamKind::COMP_3, kPiece)});
  }
  for (std::size_t layer = 0; layer < layers; ++layer) {
    sketch.task(name("/RANGE_SGD_UPDATE/update", layer), graph, StreamKind::UPDATE,
                {sketch.reads(RegionKind::DEEP_GRADIENTS, layer * kPiece, kPiece),
                 sketch.updates(RegionKind::DEEP_WEIGHTS, layer * kPiece, kPiece),
                 sketch.updates(RegionKind::DEEP_MOMENTUM, layer * kPiece, kPiece)});
  }
  sketch.program(kRandomStep, {launch(graph, StreamKind::COMP_1)});
  return std::move(sketch.plan);
}

OracleConflict oracle_conflict(std::span<const Access> a, std::span<const Access> b) {
  OracleConflict result;
  bool ordinary = false;
  for (const Access& x : a) {
    for (const Access& y : b) {
      if (!conflict(x, y)) continue;
      result.exists = true;
      ordinary = ordinary || x.mode != AccessMode::scratch || y.mode != AccessMode::scratch;
    }
  }
  result.either_order = result.exists && !ordinary;
  return result;
}

std::vector<std::vector<bool>> oracle_order(const TaskGraph& graph, std::size_t without) {
  const std::size_t count = graph.tasks.size();
  std::vector<std::vector<bool>> before(count, std::vector<bool>(count));
  const auto position = [&](TaskId task) {
    return static_cast<std::size_t>(
        std::find_if(graph.tasks.begin(), graph.tasks.end(),
                     [&](const PlacedTask& placed) { return placed.task == task; }) -
        graph.tasks.begin());
  };
  for (std::size_t from = 0; from < count; ++from) {
    for (std::size_t to = from + 1; to < count; ++to)
      before[from][to] = graph.tasks[from].stream == graph.tasks[to].stream;
  }
  for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
    if (edge != without)
      before[position(graph.edges[edge].from)][position(graph.edges[edge].to)] = true;
  }
  for (std::size_t middle = 0; middle < count; ++middle) {
    for (std::size_t from = 0; from < count; ++from) {
      if (!before[from][middle]) continue;
      for (std::size_t to = 0; to < count; ++to)
        before[from][to] = before[from][to] || before[middle][to];
    }
  }
  return before;
}

}  // namespace quintet::test
