#include "runtime/policy/gradient_placement.h"

#include <fmt/format.h>
#include <map>
#include <utility>

namespace quintet {

namespace {

/// For each storage tensor, the tasks (by index) that read or write it, in program order.
struct Uses {
  std::vector<std::size_t> readers;
  std::vector<std::size_t> writers;
};

std::vector<Uses> uses_of_storage(const TensorTable& tensors, const std::vector<Task>& tasks) {
  std::vector<Uses> uses(tensors.all().size());
  for (std::size_t index = 0; index < tasks.size(); ++index) {
    for (const Operand& operand : tasks[index].operands) {
      const auto* tensor = std::get_if<TensorId>(&operand.target);
      if (tensor == nullptr) continue;
      Uses& use = uses[tensors.storage_of(*tensor).id.value()];
      if (reads(operand.mode)) use.readers.push_back(index);
      if (writes(operand.mode)) use.writers.push_back(index);
    }
  }
  return uses;
}

/// Whether `gradient` may take the bytes of its activation, and why.
GradientPlacement judge_in_place(const Tensor& gradient, const TensorTable& tensors,
                                 const std::vector<Task>& tasks, const std::vector<Uses>& uses) {
  GradientPlacement verdict{gradient.id, *gradient.gradient_of, false, {}};
  const Tensor& activation = tensors.storage_of(*gradient.gradient_of);
  if (activation.role != TensorRole::activation) {
    verdict.reason = fmt::format("{} is no activation", activation.name);
    return verdict;
  }
  if (gradient.bytes() != activation.bytes()) {
    verdict.reason = fmt::format("{} has {} bytes, {} has {}", gradient.name, gradient.bytes(),
                                 activation.name, activation.bytes());
    return verdict;
  }
  const Uses& of_gradient = uses[gradient.id.value()];
  if (of_gradient.writers.empty()) {
    verdict.reason = "no task writes it";
    return verdict;
  }
  const std::size_t first_write = of_gradient.writers.front();
  for (const std::size_t reader : uses[activation.id.value()].readers) {
    if (reader >= first_write) {
      verdict.reason = fmt::format(
          "{} reads {} {}", tasks[reader].name, activation.name,
          reader == first_write ? "while it writes the gradient" : "after the gradient is written");
      return verdict;
    }
  }
  for (const std::size_t writer : uses[activation.id.value()].writers) {
    if (writer >= first_write) {
      verdict.reason = fmt::format("{} writes {} later", tasks[writer].name, activation.name);
      return verdict;
    }
  }
  verdict.in_place = true;
  verdict.reason =
      fmt::format("nothing reads {} from {} on", activation.name, tasks[first_write].name);
  return verdict;
}

}  // namespace

std::vector<GradientPlacement> judge_gradients(const TensorTable& tensors,
                                               const std::vector<Task>& tasks, GradientMode mode) {
  const std::vector<Uses> uses = uses_of_storage(tensors, tasks);
  std::map<TensorId, TensorId> holder;  // activation -> the gradient that has taken its bytes
  std::vector<GradientPlacement> verdicts;
  for (const Tensor& tensor : tensors.all()) {
    if (!tensor.gradient_of || tensor.view_of) continue;
    GradientPlacement verdict = judge_in_place(tensor, tensors, tasks, uses);
    if (verdict.in_place && mode == GradientMode::separate) {
      verdict.in_place = false;
      verdict.reason = "gradients = separate";
    }
    if (verdict.in_place) {
      const TensorId activation = tensors.storage_of(*tensor.gradient_of).id;
      const auto [held, free] = holder.try_emplace(activation, tensor.id);
      if (!free) {
        verdict.in_place = false;
        verdict.reason = fmt::format("{} takes those bytes", tensors[held->second].name);
      }
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace quintet
