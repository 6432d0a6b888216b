/// Stream policies drawn at random over every knob that a policy file has: the same seed, the same
/// policy.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/model/execution_plan.h"
#include "runtime/policy/stream_policy.h"

namespace quintet::test {

/// A built-in table stirred: streams of op kinds, parts, layers, tasks and launches, priorities, issue
/// order, place of gradients, step mode and rule (any but `manual`). `tasks` are those of the plan that
/// layers and tasks are named from. What comes out was read back from its own text, as from a file.
/// Nothing says that it is race-free, nor that its issue order is possible.
StreamPolicy random_policy(std::uint64_t seed, std::span<const Task> tasks);

/// The same policy with the waits of `plan`, its own, listed by name. Every other seed forgets one of
/// them, where there is one.
StreamPolicy with_listed_waits(StreamPolicy policy, const ExecutionPlan& plan, std::uint64_t seed);

}  // namespace quintet::test
