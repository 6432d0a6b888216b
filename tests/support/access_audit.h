/// The access audit: does a task touch exactly what it declares? The race proof is as good as the
/// declarations, so every task of every executor passes through here.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/host/host_kernel.h"
#include "runtime/model/memory_plan.h"

namespace quintet {

class TaskArena;

/// Runs one task once on the bytes of an arena of its plan, by whatever executor.
using ArenaRun = std::function<void(TaskArena& arena)>;

/// Runs the task alone, twice, over random memory of the plan. Between the runs every byte that it
/// does not declare as read changes: undeclared and scratch bytes at random, write-only ones to
/// their complement. Findings, each with task, region and byte:
///   * a byte changed that is not declared as written, updated or scratch (guards around regions
///     included);
///   * an output that differs between the runs: it depends on undeclared or leftover bytes, or an
///     exact write operand was not wholly overwritten.
/// `task.workspace_bytes` must be the kernel's; `run` runs the task as if placed on `stream`.
std::vector<std::string> audit_accesses(const Task& task, StreamKind stream,
                                        const TensorTable& tensors, const MemoryPlan& plan,
                                        const ArenaRun& run, std::uint64_t seed);

/// The same of a kernel of the host.
std::vector<std::string> audit_accesses(const Task& task, StreamKind stream,
                                        const TensorTable& tensors, const MemoryPlan& plan,
                                        HostKernel& kernel, std::uint64_t seed);

}  // namespace quintet
