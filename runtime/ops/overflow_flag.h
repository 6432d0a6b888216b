/// The flag of AMP that tells updates, on the device, that a gradient overflowed: they then leave
/// all they would write bitwise as it was.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/model/task_args.h"

namespace quintet {

/// True where the task has the optional operand found_inf (I32[1]) at `slot` and it is not 0.
inline bool overflowed(const TaskArgs& args, std::size_t slot) {
  return args.size() > slot && *args.read<std::int32_t>(slot) != 0;
}

}  // namespace quintet
