/// The flag of AMP that tells updates, on the device, that a gradient overflowed: they then leave
/// all they would write bitwise as it was.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/model/task_args.h"

namespace quintet {

/// The optional operand found_inf (I32[1]) at `slot`; null where the task has none.
inline const std::int32_t* overflow_flag(const TaskArgs& args, std::size_t slot) {
  return args.size() > slot ? args.read<std::int32_t>(slot) : nullptr;
}

/// True where the task has that operand and it is not 0.
inline bool overflowed(const TaskArgs& args, std::size_t slot) {
  const std::int32_t* const flag = overflow_flag(args, slot);
  return flag != nullptr && *flag != 0;
}

}  // namespace quintet
