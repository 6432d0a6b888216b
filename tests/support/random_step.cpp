#include "tests/support/random_step.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>

namespace quintet::test {

namespace {

constexpr std::uint64_t kUnit = 32;

constexpr std::array kGraphs = {GraphId::FIRST_LAYER_FWD_A, GraphId::FIRST_LAYER_FWD_B,
                                GraphId::DEEP_FWD_BWD,      GraphId::FIRST_LAYER_BWD_A,
                                GraphId::FIRST_LAYER_BWD_B, GraphId::METRICS_A,
                                GraphId::METRICS_B};

class Converter {
 public:
  explicit Converter(const GraphRecipe& recipe)
      : plan_(random_plan(recipe)), engine_(recipe.seed ^ 0x5eed) {}

  TensorStep convert() {
    const TaskGraph& graph = plan_.graphs.at(kRandomGraph);
    step_.placed = graph.tasks;
    std::vector<StreamKind> streams(plan_.tasks.size());
    for (const PlacedTask& placed : graph.tasks)
      streams[placed.task.value()] = placed.stream;
    for (const Task& planned : plan_.tasks) {
      Task task = planned;
      task.shape = kStepShape;
      for (const Access& access : plan_.accesses[task.id.value()]) {
        const Region& region = plan_.memory.region(access.region);
        if (region.kind != RegionKind::WORKSPACE) add_operands(access, region.kind, task);
        if (region.stream == streams[task.id.value()]) task.workspace_bytes = kTensorAlignment;
      }
      step_.tasks.push_back(std::move(task));
    }
    cut_into_graphs();
    return std::move(step_);
  }

 private:
  void add_operands(const Access& access, RegionKind region, Task& task) {
    for (std::uint64_t unit = access.offset / kUnit; unit * kUnit < access.end(); ++unit) {
      Access whole;
      whole.region = access.region;
      whole.offset = unit * kUnit;
      whole.bytes = kUnit;
      if (overlap_of(access, whole).empty()) continue;
      task.operands.push_back({tensor_at(region, unit), access.mode});
    }
  }

  /// The tensor that those bytes became, or now and then a view of it.
  TensorId tensor_at(RegionKind region, std::uint64_t unit) {
    const auto [known, added] = tensors_.try_emplace({region, unit});
    if (added) known->second = add_tensor(region, unit);
    if (region != RegionKind::FEATURES || engine_() % 5 != 0) return known->second;
    Tensor view = step_.tensors[known->second];
    view.name += "/view" + std::to_string(step_.tensors.all().size());
    view.view_of = known->second;
    view.gradient_of = std::nullopt;
    return step_.tensors.add(std::move(view));
  }

  TensorId add_tensor(RegionKind region, std::uint64_t unit) {
    Tensor tensor;
    tensor.name = std::string(name_of(region)) + std::to_string(unit);
    tensor.shape = Shape{static_cast<std::int64_t>(1 + engine_() % 100)};
    tensor.region = region;
    if (region == RegionKind::FEATURES) {
      tensor.variant = kStepShape;
      if (!activations_.empty() && engine_() % 3 == 0) {
        tensor.gradient_of = activations_[engine_() % activations_.size()];
        tensor.shape = step_.tensors[*tensor.gradient_of].shape;
        tensor.role = TensorRole::activation_gradient;
      }
    }
    const bool activation = region == RegionKind::FEATURES && !tensor.gradient_of;
    const TensorId id = step_.tensors.add(std::move(tensor));
    if (activation) activations_.push_back(id);
    return id;
  }

  /// Six cuts at random places; now and then the whole is one graph.
  void cut_into_graphs() {
    std::array<std::size_t, kGraphs.size() - 1> cuts{};
    for (std::size_t& cut : cuts)
      cut = engine_() % (step_.tasks.size() + 1);
    std::sort(cuts.begin(), cuts.end());
    const bool whole = engine_() % 4 == 0;
    for (std::size_t index = 0; index < step_.tasks.size() && !whole; ++index) {
      const auto passed = std::upper_bound(cuts.begin(), cuts.end(), index) - cuts.begin();
      step_.tasks[index].graph = kGraphs[static_cast<std::size_t>(passed)];
    }
  }

  ExecutionPlan plan_;
  std::mt19937_64 engine_;
  TensorStep step_;
  std::map<std::pair<RegionKind, std::uint64_t>, TensorId> tensors_;
  std::vector<TensorId> activations_;
};

template <class Wanted>
std::vector<PlacedTask> placed_where(const TensorStep& step, Wanted&& wanted) {
  std::vector<PlacedTask> result;
  std::copy_if(
      step.placed.begin(), step.placed.end(), std::back_inserter(result),
      [&](const PlacedTask& placed) { return wanted(step.tasks[placed.task.value()].graph); });
  return result;
}

}  // namespace

TensorStep random_step(const GraphRecipe& recipe) {
  return Converter(recipe).convert();
}

std::vector<PlacedTask> of_slot(const TensorStep& step, BufferSlot slot) {
  return placed_where(step, [&](GraphId graph) { return slot_of(graph) != other(slot); });
}

std::vector<PlacedTask> of_graph(const TensorStep& step, GraphId graph) {
  return placed_where(step, [&](GraphId of) { return of == graph; });
}

}  // namespace quintet::test
