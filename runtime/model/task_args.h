/// The memory of one task run, reached by operand slot: the only door through which a kernel sees
/// memory.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>

#include "runtime/model/access.h"

namespace quintet {

struct BoundOperand {
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
  AccessMode mode = AccessMode::read;
};

/// Pointers of a task's operands in slot order, plus its workspace. Asking to write what was
/// declared as read is a bug (asserted).
class TaskArgs {
 public:
  TaskArgs() = default;
  TaskArgs(std::span<const BoundOperand> operands, std::span<std::byte> workspace)
      : operands_(operands), workspace_(workspace) {}

  /// The operand's bytes for reading: declared read or update.
  template <class T>
  [[nodiscard]] const T* read(std::size_t slot) const {
    assert(reads(operands_[slot].mode));
    return reinterpret_cast<const T*>(operands_[slot].data);
  }
  /// The operand's bytes for writing: declared write, update or scratch.
  template <class T>
  [[nodiscard]] T* write(std::size_t slot) const {
    assert(writes(operands_[slot].mode));
    return reinterpret_cast<T*>(operands_[slot].data);
  }
  /// True where the kernel is to add to what lies there, false where it is to overwrite it.
  [[nodiscard]] bool adds(std::size_t slot) const {
    return operands_[slot].mode == AccessMode::update;
  }
  [[nodiscard]] std::uint64_t bytes(std::size_t slot) const { return operands_[slot].bytes; }
  [[nodiscard]] std::size_t size() const { return operands_.size(); }
  /// The same without the operands from `count` on, for a kernel that knows fewer.
  [[nodiscard]] TaskArgs first(std::size_t count) const {
    return {operands_.first(count), workspace_};
  }
  /// The same operands with other scratch, for a kernel that runs another one.
  [[nodiscard]] TaskArgs with_workspace(std::span<std::byte> workspace) const {
    return {operands_, workspace};
  }
  /// The operand itself, for a kernel that hands it on to another one.
  [[nodiscard]] const BoundOperand& bound(std::size_t slot) const { return operands_[slot]; }
  [[nodiscard]] std::span<std::byte> workspace() const { return workspace_; }

 private:
  std::span<const BoundOperand> operands_;
  std::span<std::byte> workspace_;
};

}  // namespace quintet
