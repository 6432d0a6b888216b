/// A whole recording made by a C11 program, for a test that opens the recorder.
#pragma once

#include "profiler/capture/quintet_recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Declares two lanes, a region, two tasks and a graph; one step; closes nothing. 0, or the line of the
/// first call that failed.
int record_in_c(quintet_recorder* recorder);

#ifdef __cplusplus
}
#endif
