#include "runtime/ops/fused_update.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <optional>

#include "runtime/ops/loss_scale.h"
#include "runtime/ops/range_cast.h"
#include "runtime/ops/range_sgd.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// Weights, gradients and momenta of one family, laid out alike.
struct WeightFamily {
  RegionKind weights, gradients, momentum, half_gradients;
};

constexpr std::array kWeightFamilies = {
    WeightFamily{RegionKind::DEEP_WEIGHTS, RegionKind::DEEP_GRADIENTS, RegionKind::DEEP_MOMENTUM,
                 RegionKind::DEEP_GRADIENTS_FP16},
    WeightFamily{RegionKind::FIRST_WEIGHTS, RegionKind::FIRST_GRADIENTS, RegionKind::FIRST_MOMENTUM,
                 RegionKind::FIRST_GRADIENTS_FP16}};

std::vector<TensorId> tensors_in(RegionKind region, const TensorTable& tensors) {
  std::vector<TensorId> found;
  for (const Tensor& tensor : tensors.all()) {
    if (tensor.region == region && !tensor.view_of) found.push_back(tensor.id);
  }
  return found;
}

TensorId tensor_at(const Task& task, std::size_t slot) {
  return std::get<TensorId>(task.operands[slot].target);
}

/// The tasks that take part, by place in the list.
struct Parts {
  std::vector<std::size_t> casts_in, checks, scales, loss_scales, updates, casts_out;

  explicit Parts(const std::vector<Task>& tasks) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (std::vector<std::size_t>* list = list_of(tasks[i].kind)) list->push_back(i);
    }
  }
  [[nodiscard]] bool fusible(const std::vector<Task>& tasks) const {
    if (casts_in.empty() || checks.size() != 1 || scales.size() != 1 || loss_scales.size() != 1 ||
        updates.empty() || casts_out.size() != casts_in.size()) {
      return false;
    }
    const auto& scale = std::get<GradientScaleHyper>(tasks[scales[0]].attributes);
    const bool reduced = std::any_of(tasks.begin(), tasks.end(), [](const Task& task) {
      return task.kind == OpKind(RangeOp::RANGE_SUM_ALLREDUCE);
    });
    return scale.micro_batches == 1 && !reduced;
  }

 private:
  std::vector<std::size_t>* list_of(OpKind kind) {
    if (kind == OpKind(RangeOp::RANGE_CAST_FP16_TO_FP32)) return &casts_in;
    if (kind == OpKind(RangeOp::RANGE_CHECK_NAN)) return &checks;
    if (kind == OpKind(RangeOp::RANGE_SCALE_GRADIENTS)) return &scales;
    if (kind == OpKind(ComputeOp::LOSS_SCALE_UPDATE)) return &loss_scales;
    if (kind == OpKind(RangeOp::RANGE_SGD_UPDATE)) return &updates;
    if (kind == OpKind(RangeOp::RANGE_CAST_FP32_TO_FP16)) return &casts_out;
    return nullptr;
  }
};

/// FP16 twins by the tensor of floats they belong to, from the pairs of cast tasks.
std::map<TensorId, TensorId> twins(const std::vector<Task>& tasks,
                                   const std::vector<std::size_t>& casts, bool to_floats) {
  std::map<TensorId, TensorId> half_of;
  for (const std::size_t cast : casts) {
    const Task& task = tasks[cast];
    const RangeCastSlots slots{task.operands.size() / 2};
    for (std::size_t i = 0; i < slots.tensors; ++i) {
      const TensorId source = tensor_at(task, slots.source(i));
      const TensorId target = tensor_at(task, slots.target(i));
      half_of.emplace(to_floats ? target : source, to_floats ? source : target);
    }
  }
  return half_of;
}

class UpdateFusion {
 public:
  UpdateFusion(const std::vector<Task>& tasks, const TensorTable& tensors, const Parts& parts)
      : tasks_(tasks), tensors_(tensors), parts_(parts) {
    const auto half_gradients = twins(tasks, parts.casts_in, true);
    const auto half_weights = twins(tasks, parts.casts_out, false);
    for (const WeightFamily& family : kWeightFamilies) {
      const auto weights = tensors_in(family.weights, tensors);
      const auto gradients = tensors_in(family.gradients, tensors);
      const auto momenta = tensors_in(family.momentum, tensors);
      assert(weights.size() == gradients.size() && weights.size() == momenta.size());
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto half = half_weights.find(weights[i]);
        if (half == half_weights.end()) {
          plain_.push_back({gradients[i], weights[i], momenta[i], std::nullopt});
        } else {
          halved_.push_back(
              {half_gradients.at(gradients[i]), weights[i], momenta[i], half->second});
        }
      }
    }
  }

  [[nodiscard]] Task check() const {
    const Task& old = tasks_[parts_.checks[0]];
    std::vector<Operand> operands;
    double elements = 0;
    for (const WeightFamily& family : kWeightFamilies) {
      if (tensors_in(family.half_gradients, tensors_).empty()) continue;
      operands.push_back(read_of(family.half_gradients));
      elements += elements_of(tensors_, family.half_gradients);
    }
    for (const Parameter& parameter : plain_) {
      operands.push_back(read_of(parameter.gradient));
      elements += elements_of(tensors_, parameter.gradient);
    }
    operands.push_back(write_of(tensor_at(old, CheckNanSlots::found_inf(old.operands.size()))));
    return replaced(old, make_part(tensors_, old.part, std::move(operands), elements), old.covers);
  }

  [[nodiscard]] Task update() const {
    const Task& old = tasks_[parts_.updates[0]];
    const Task& scale = tasks_[parts_.scales[0]];
    const auto regions = static_cast<std::size_t>(std::count_if(
        scale.operands.begin(), scale.operands.end(),
        [](const Operand& operand) { return std::holds_alternative<RegionKind>(operand.target); }));
    const ScaleGradientsSlots scale_slots{regions};
    const Task& loss_scale = tasks_[parts_.loss_scales[0]];
    std::vector<Operand> operands = {
        read_of(old.operands[RangeSgdSlots::lr].target),
        update_of(scale.operands[scale_slots.loss_scale()].target),
        read_of(scale.operands[scale_slots.found_inf()].target),
        update_of(loss_scale.operands[LossScaleUpdateSlots::good_steps].target)};
    for (const std::vector<Parameter>* list : {&halved_, &plain_}) {
      for (const Parameter& parameter : *list) {
        operands.push_back(read_of(parameter.gradient));
        operands.push_back(update_of(parameter.weight));
        operands.push_back(update_of(parameter.momentum));
        if (parameter.half) operands.push_back(update_of(*parameter.half));
      }
    }
    double flops = 0;
    std::vector<std::string> covers;
    for (const auto* list : {&parts_.updates, &parts_.casts_in, &parts_.scales, &parts_.casts_out,
                             &parts_.loss_scales}) {
      for (const std::size_t index : *list) {
        flops += tasks_[index].flops;
        covers.insert(covers.end(), tasks_[index].covers.begin(), tasks_[index].covers.end());
      }
    }
    Task task =
        replaced(old, make_part(tensors_, old.part, std::move(operands), flops), std::move(covers));
    task.attributes = ScaledSgdHyper{std::get<SgdHyper>(old.attributes),
                                     std::get<LossScaleHyper>(loss_scale.attributes)};
    task.fused_with = FusedOp{RangeOp::RANGE_CAST_FP32_TO_FP16,
                              static_cast<std::size_t>(FusedUpdateSlots::parameters)};
    return task;
  }

 private:
  struct Parameter {
    TensorId gradient, weight, momentum;
    std::optional<TensorId> half;
  };

  /// `old` with the operands, flops and bytes of `fresh`.
  static Task replaced(const Task& old, Task fresh, std::vector<std::string> covers) {
    Task task = old;
    task.operands = std::move(fresh.operands);
    task.flops = fresh.flops;
    task.bytes = fresh.bytes;
    task.covers = std::move(covers);
    return task;
  }

  const std::vector<Task>& tasks_;
  const TensorTable& tensors_;
  const Parts& parts_;
  std::vector<Parameter> halved_, plain_;
};

}  // namespace

FusedUpdateSlots FusedUpdateSlots::of(const Task& task, const TensorTable& tensors) {
  const auto halves =
      std::count_if(task.operands.begin(), task.operands.end(), [&](const Operand& operand) {
        return tensors[std::get<TensorId>(operand.target)].dtype == DType::F16;
      });
  FusedUpdateSlots slots;
  slots.halved = static_cast<std::size_t>(halves) / 2;
  slots.plain = (task.operands.size() - parameters - 4 * slots.halved) / 3;
  return slots;
}

void fuse_update(std::vector<Task>& tasks, const TensorTable& tensors) {
  const Parts parts(tasks);
  if (!parts.fusible(tasks)) return;
  const UpdateFusion fusion(tasks, tensors, parts);
  std::vector<Task> fused;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto among = [&](const std::vector<std::size_t>& list) {
      return std::find(list.begin(), list.end(), i) != list.end();
    };
    if (among(parts.checks)) {
      fused.push_back(fusion.check());
    } else if (i == parts.updates[0]) {
      fused.push_back(fusion.update());
    } else if (!among(parts.casts_in) && !among(parts.scales) && !among(parts.loss_scales) &&
               !among(parts.updates) && !among(parts.casts_out)) {
      fused.push_back(tasks[i]);
    }
  }
  tasks = std::move(fused);
}

}  // namespace quintet
