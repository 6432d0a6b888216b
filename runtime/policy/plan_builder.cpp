#include "runtime/policy/plan_builder.h"

#include <algorithm>
#include <array>

#include "runtime/policy/issue_order.h"
#include "runtime/policy/memory_planner.h"
#include "runtime/policy/step_planner.h"
#include "runtime/policy/sync_planner.h"

namespace quintet {

namespace {

class PlanBuilder {
 public:
  PlanBuilder(PlanInput input, const StreamPolicy& policy)
      : policy_(policy), sharing_(input.sharing) {
    plan_.policy = policy.name;
    plan_.lowering = input.lowering;
    plan_.micro_batches = input.micro_batches;
    plan_.mode = policy.step;
    plan_.lanes = runtime_lanes();
    for (const StreamKind stream : kStreamKinds) {
      plan_.lanes[lane_of(stream).value()].priority = policy.priorities[index_of(stream)];
    }
    plan_.shapes = std::move(input.shapes);
    plan_.tensors = std::move(input.tensors);
    plan_.atlas = std::move(input.atlas);
    plan_.tasks = std::move(input.tasks);
  }

  Result<ExecutionPlan> build() {
    if (auto known = check_issue_rules(policy_, plan_.tasks); !known)
      return tl::unexpected(known.error());
    if (auto placed = place_tasks(); !placed) return tl::unexpected(placed.error());
    empty_taskless_graphs();
    plan_memory_regions();
    const std::vector<StepVariant> variants = step_variants(plan_.shapes, plan_.micro_batches);
    if (plan_.mode == StepMode::whole_step) add_whole_steps(variants);
    if (auto set = choose_launch_streams(); !set) return tl::unexpected(set.error());
    if (auto captured = capture_graphs(); !captured) return tl::unexpected(captured.error());
    for (const StepVariant& variant : variants) {
      plan_.programs.emplace(variant, plan_step(variant, plan_.mode, plan_.atlas));
    }
    return std::move(plan_);
  }

 private:
  Result<void> place_tasks() {
    placed_.resize(plan_.tasks.size());
    for (const Task& task : plan_.tasks) {
      const GraphKey key{task.graph, task.shape, kAnyShape};
      if (runs_on_host(task.graph)) {
        plan_.host_tasks[key].push_back(task.id);
        continue;
      }
      const Result<StreamChoice> choice = stream_of(policy_, task);
      if (!choice) return tl::unexpected(choice.error());
      placed_[task.id.value()] = {task.id, choice->stream, choice->reason};
      tasks_of_[key].push_back(task.id);
    }
    return {};
  }

  /// A sub-graph whose ops other sub-graphs' tasks cover has no work left.
  void empty_taskless_graphs() {
    for (auto& [key, slot] : plan_.atlas) {
      if (!tasks_of_.contains(key) && !plan_.host_tasks.contains(key)) slot.graph.ops.clear();
    }
  }

  void plan_memory_regions() {
    std::array<std::uint64_t, kStreamCount> workspace{};
    for (const Task& task : plan_.tasks) {
      if (runs_on_host(task.graph)) continue;
      std::uint64_t& bytes = workspace[index_of(placed_[task.id.value()].stream)];
      bytes = std::max(bytes, task.workspace_bytes);
    }
    plan_.memory = plan_memory(plan_.tensors, plan_.tasks, policy_.gradients, workspace, sharing_);
    for (const Task& task : plan_.tasks) {
      std::optional<StreamKind> stream;
      if (!runs_on_host(task.graph)) stream = placed_[task.id.value()].stream;
      plan_.accesses.push_back(resolve_accesses(task, stream, plan_.memory));
    }
  }

  void add_whole_steps(const std::vector<StepVariant>& variants) {
    for (const StepVariant& variant : variants) {
      if (variant.phase != StepPhase::train && variant.phase != StepPhase::evaluate) continue;
      Slot& whole = plan_.atlas[whole_step_key(variant)];
      whole.graph.key = whole_step_key(variant);
      parts_[whole.graph.key] = whole_step_parts(variant, plan_.atlas);
      for (const GraphKey& part : parts_[whole.graph.key]) {
        const std::vector<Op>& ops = plan_.atlas.at(part).graph.ops;
        whole.graph.ops.insert(whole.graph.ops.end(), ops.begin(), ops.end());
      }
    }
  }

  Result<void> choose_launch_streams() {
    for (auto& [key, slot] : plan_.atlas) {
      if (runs_on_host(key.graph)) continue;
      const Result<StreamKind> stream = launch_stream_of(policy_, key.graph);
      if (stream) {
        slot.stream_kind = *stream;
      } else if (!slot.graph.ops.empty()) {
        return tl::unexpected(stream.error());
      }
    }
    return {};
  }

  /// Which atlas entries the step programs of this mode launch.
  bool is_captured(const GraphKey& key) const {
    if (runs_on_host(key.graph)) return false;
    const bool transfer = key.graph == GraphId::TRANSFER_A || key.graph == GraphId::TRANSFER_B;
    const bool whole = key.graph >= GraphId::WHOLE_STEP_A;
    if (plan_.mode == StepMode::whole_step) return whole || transfer;
    return !whole && key.graph != GraphId::LR_SELECT;
  }

  Result<void> capture_graphs() {
    int captured = 0;
    for (auto& [key, slot] : plan_.atlas) {
      if (!is_captured(key)) continue;
      TaskGraph graph;
      graph.key = key;
      graph.primary = slot.stream_kind;
      const auto parts = parts_.find(key);
      if (parts == parts_.end()) {
        add_tasks(key, graph);
      } else {
        for (const GraphKey& part : parts->second)
          add_tasks(part, graph);
      }
      if (graph.tasks.empty()) continue;
      if (!policy_.issue.empty()) {
        auto issued =
            issue_order({plan_.tasks, plan_.accesses, graph.tasks, policy_.issue, policy_.file});
        if (!issued) return tl::unexpected(issued.error());
        graph.tasks = std::move(*issued);
      }
      Result<std::vector<Edge>> edges =
          plan_sync({plan_.tasks, plan_.accesses, graph.tasks, policy_.sync, policy_.edges,
                     policy_.file, plan_.memory.regions()});
      if (!edges) return tl::unexpected(edges.error());
      graph.edges = std::move(*edges);
      slot.captured_index = captured++;
      plan_.graphs.emplace(key, std::move(graph));
    }
    return {};
  }

  void add_tasks(const GraphKey& key, TaskGraph& graph) const {
    const auto tasks = tasks_of_.find(key);
    if (tasks == tasks_of_.end()) return;
    for (const TaskId task : tasks->second)
      graph.tasks.push_back(placed_[task.value()]);
  }

  const StreamPolicy& policy_;
  FeatureSharing sharing_;
  ExecutionPlan plan_;
  std::vector<PlacedTask> placed_;                    ///< by TaskId
  std::map<GraphKey, std::vector<TaskId>> tasks_of_;  ///< of each sub-graph, program order
  std::map<GraphKey, std::vector<GraphKey>> parts_;   ///< sub-graphs of each whole step
};

}  // namespace

Result<ExecutionPlan> build_plan(PlanInput input, const StreamPolicy& policy) {
  return PlanBuilder(std::move(input), policy).build();
}

namespace {

/// The places that a batch can have in an update; the run's last update may be cut to a single batch.
std::vector<MicroBatch> micro_batch_places(std::int32_t micro_batches) {
  std::vector<MicroBatch> places = {MicroBatch::single};
  if (micro_batches > 1) places.insert(places.end(), {MicroBatch::first, MicroBatch::last});
  if (micro_batches > 2) places.push_back(MicroBatch::middle);
  return places;
}

}  // namespace

std::vector<StepVariant> step_variants(const std::vector<ShapeVariant>& shapes,
                                       std::int32_t micro_batches) {
  std::vector<StepVariant> variants;
  for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
    variants.push_back({StepPhase::epilogue, slot, kAnyShape, kAnyShape});
    for (const ShapeVariant& next : shapes) {
      if (next.id != kAnyShape) {
        variants.push_back({StepPhase::prologue, slot, kAnyShape, next.id});
      }
      for (const ShapeVariant& shape : shapes) {
        if (shape.id == kAnyShape) continue;
        if (!shape.training) {
          variants.push_back({StepPhase::evaluate, slot, shape.id, next.id});
          continue;
        }
        for (const MicroBatch micro : micro_batch_places(micro_batches)) {
          variants.push_back({StepPhase::train, slot, shape.id, next.id, micro});
        }
      }
    }
  }
  return variants;
}

}  // namespace quintet
