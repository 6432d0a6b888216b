/// A made-up recording of a GPU with one of everything that an export has to carry.
#pragma once

#include <cstdint>

#include "profiler/trace/trace.h"

namespace quintet {

/// Three steps of 1000 us of five tasks on two policy lanes that ran on two executor lanes: kernels
/// with launch shapes and 64-bit node ids, a copy and a fill with bytes, graph launches with
/// correlations, calls and nested ranges of a host thread, spans of one lane that overlap and one
/// that is empty, a loss nobody read, an untimed kernel, edges of every rule, and a task whose name
/// no format can take as it is.
Trace export_trace();

/// The name of that task: quotes, a backslash, markup, a line break, and a byte that is no UTF-8.
inline constexpr const char* kHostileName = "conv1/\"Y\" \\N <b>&amp;</b>\n\xff/Y";

/// `count` spans of random tasks, steps and lanes that overlap at random, not in order: what no
/// recorder would write and no writer may lose. The same for the same seed.
Trace random_export_trace(std::uint32_t seed, int count);

}  // namespace quintet
