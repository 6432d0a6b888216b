/// What a recording says of the GPU it was made on.
#pragma once

#include "profiler/trace/trace.h"

namespace quintet {

/// gpu, multiprocessors, connections ("default" or a number), cuda_driver, cuda_runtime, cudnn,
/// cupti; empty where there is no GPU.
Provenance device_provenance();

}  // namespace quintet
