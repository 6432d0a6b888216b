/// One random instance of each implemented op: what the catalog-wide tests run over. A new op adds
/// a maker here and an expectation in op_expectations.cpp; without them those tests fail and name
/// it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/model/memory_plan.h"
#include "runtime/model/op.h"
#include "runtime/model/tensor.h"
#include "tests/support/random.h"

namespace quintet {

/// An op of random shape and the tensors it works on.
struct OpCase {
  TensorTable tensors;
  Op op;
};

/// A random case of the kind; nothing where no maker is listed. The draws vary batch (1 included),
/// odd sizes, padding, stride and optional outputs.
std::optional<OpCase> make_op_case(OpKind kind, TestRandom& random);

/// "CONV_FP32_BWD 2x7x5x3, 2x7x5x4, ...": for failure messages.
std::string text_of(const OpCase& op_case);

}  // namespace quintet
