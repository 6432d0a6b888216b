/// oneDNN's runtime is OpenMP, and OpenMP's thread count belongs to each thread, not to the
/// process: who plans or executes a host kernel pins itself, or results change in bits and speed
/// collapses.
#pragma once

namespace quintet {

/// OpenMP regions entered by the calling thread run on it alone. Call it first in every thread that
/// plans or runs host kernels; calling again does nothing new.
void pin_openmp_to_one_thread();

}  // namespace quintet
