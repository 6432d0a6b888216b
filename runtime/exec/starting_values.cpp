#include "runtime/exec/starting_values.h"

#include <cassert>
#include <vector>

#include "runtime/host/half.h"
#include "runtime/network/weight_init.h"

namespace quintet {

namespace {

std::span<const std::byte> bytes_of_vector(const std::vector<float>& values) {
  return std::as_bytes(std::span<const float>(values));
}

/// Puts a tensor's starting values in place, where it has any but zero.
void upload_start(Executor& executor, const Tensor& tensor, const ExecutionPlan& plan,
                  const TrainingSpec& spec) {
  switch (tensor.role) {
    case TensorRole::weight:
    case TensorRole::weight_copy:
    case TensorRole::statistics: {
      const std::vector<float> values =
          initial_values(tensor, plan.tensors, spec.network.weight_gain, spec.seed);
      if (tensor.dtype == DType::F16) {
        std::vector<Half> halves(values.size());
        half_from_float(values, halves);
        executor.upload(tensor.id, std::as_bytes(std::span<const Half>(halves)));
      } else {
        executor.upload(tensor.id, bytes_of_vector(values));
      }
      return;
    }
    case TensorRole::table:
      assert(spec.learning_rates.size() == static_cast<std::size_t>(tensor.shape.elements()));
      return executor.upload(tensor.id, bytes_of_vector(spec.learning_rates));
    case TensorRole::scalar:
      if (tensor.name == "loss_scale") {
        executor.upload(tensor.id, bytes_of_vector({LossScaleHyper{}.initial}));
      }
      return;
    case TensorRole::input:
    case TensorRole::label:
    case TensorRole::activation:
    case TensorRole::saved:
    case TensorRole::activation_gradient:
    case TensorRole::weight_gradient:
    case TensorRole::optimizer_state:
    case TensorRole::result:
      return;  // zeros
  }
}

}  // namespace

void upload_starting_values(Executor& executor, const TrainingSpec& spec) {
  const ExecutionPlan& plan = executor.plan();
  for (const Tensor& tensor : plan.tensors.all())
    upload_start(executor, tensor, plan, spec);
}

}  // namespace quintet
