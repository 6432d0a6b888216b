/// What the makers of op cases share: a list of them has this form.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tests/runtime/ops/op_cases.h"

namespace quintet {

struct CaseMaker {
  OpKind kind;
  OpCase (*make)(TestRandom& random);
};

/// Activations, normalisation, average-pooling, residual addition, dropout.
std::span<const CaseMaker> layer_case_makers();

/// Optimizers and what AMP and moving averages add to a step.
std::span<const CaseMaker> update_case_makers();

/// What parameters and what follows them are to a network; all else counts as an activation.
inline TensorRole role_in(RegionKind region) {
  const std::string_view name = name_of(region);
  if (name.find("GRADIENTS") != name.npos) return TensorRole::weight_gradient;
  if (name.ends_with("WEIGHTS")) return TensorRole::weight;
  if (name.ends_with("WEIGHTS_FP16") || name.ends_with("EMA")) return TensorRole::weight_copy;
  if (name.ends_with("MOMENTUM") || name.ends_with("VARIANCE")) return TensorRole::optimizer_state;
  return TensorRole::activation;
}

inline TensorId add(OpCase& made, std::string name, Shape shape, DType dtype = DType::F32,
                    RegionKind region = RegionKind::FEATURES) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  tensor.region = region;
  tensor.role = role_in(region);
  return made.tensors.add(std::move(tensor));
}

/// Two tensors of odd sizes in each of the regions, so that the gap between them is there too.
inline void add_layout(OpCase& made, TestRandom& random,
                       std::initializer_list<RegionKind> regions) {
  const std::int64_t first = random.integer(1, 100);
  const std::int64_t second = random.integer(1, 100);
  for (const RegionKind region : regions) {
    const std::string name(name_of(region));
    add(made, name + "/1", Shape{first}, DType::F32, region);
    add(made, name + "/2", Shape{second}, DType::F32, region);
    made.op.regions.push_back(region);
  }
}

inline Window random_window(TestRandom& random, std::int64_t max_kernel) {
  Window window;
  window.kernel_h = random.integer(1, max_kernel);
  window.kernel_w = random.integer(1, max_kernel);
  window.stride_h = random.integer(1, 3);
  window.stride_w = random.integer(1, 3);
  window.pad_h = random.integer(0, 2);
  window.pad_w = random.integer(0, 2);
  return window;
}

inline Shape random_images(TestRandom& random) {
  return Shape{random.integer(1, 4), random.integer(3, 12), random.integer(3, 12),
               random.integer(1, 9)};
}

}  // namespace quintet
