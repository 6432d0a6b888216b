/// What tools call a stream.
#pragma once

#include <string>

#include "runtime/cuda/cuda_stream.h"

namespace quintet {

/// Tells the tool that is attached to this process, if one is, through NVTX.
void name_stream(StreamRef stream, const std::string& name);

}  // namespace quintet
