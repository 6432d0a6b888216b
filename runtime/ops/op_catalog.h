/// The ops that are implemented: for each kind how it becomes tasks. One file set per op, one line
/// per kind.
#pragma once

#include <span>
#include <vector>

#include "runtime/model/lowering.h"
#include "runtime/model/op.h"
#include "runtime/model/result.h"
#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

/// How one kind of op becomes tasks. A view (FLATTEN) becomes none, and is the only kind that may.
struct OpDefinition {
  OpKind kind;
  bool view = false;
  /// The tasks of one op in program order. Fills part, representative, operands, flops, bytes, and
  /// covers where a task does the work of several parts; the rest is set by lower().
  std::vector<Task> (*lower)(const Op& op, const TensorTable& tensors) = nullptr;
};

/// Every implemented kind, in the order of the enums.
std::span<const OpDefinition> op_catalog();

/// The definition, or an error that names the kind and what is implemented instead.
Result<const OpDefinition*> find_op(OpKind kind);

/// The tasks of all ops in the order given: ids, names "layer/KIND/part", covers, graph, shape and
/// attributes are set here. Lowering::fused: an op that another one's task covers (fusion.h) yields
/// no task of its own. Errors: a kind that is not implemented; an op that yields no task and is no
/// view.
Result<std::vector<Task>> lower(std::span<const Op> ops, const TensorTable& tensors,
                                Lowering lowering);

}  // namespace quintet
