/// What host actors do in a step. Only their accesses are ops' affair; the code is the executor's.
///
/// op kind           | inputs | outputs        | task
/// HOST_FILL_BATCH   | (none) | images, labels | host: LOADER writes a pinned batch
/// HOST_WRITE_LR     | (none) | lr             | host: MAIN writes the pinned learning rate
/// HOST_READ_RESULTS | result | (none)         | host: MAIN reads loss and hits of a finished step
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/model/op.h"
#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

struct HostFillBatchSlots {
  enum : std::size_t { images, labels };
};
struct HostWriteLrSlots {
  enum : std::size_t { lr };
};
struct HostReadResultsSlots {
  enum : std::size_t { result };
};

/// Reads the inputs, overwrites the outputs; slots in that order.
std::vector<Task> lower_host_task(const Op& op, const TensorTable& tensors);

}  // namespace quintet
