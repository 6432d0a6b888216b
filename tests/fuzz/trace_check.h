/// What must hold of any trace that a reader gives, whatever it read.
#pragma once

#include "profiler/trace/trace.h"

namespace quintet {

/// Ends the program, saying what is broken, where `holds` is false.
void require(bool holds, const char* what);
/// Columns of one length, in order; every index inside its table.
void require_consistent(const Trace& trace);

}  // namespace quintet
