#include "runtime/cuda/stream_name.h"

#include <nvtx3/nvToolsExtCudaRt.h>

namespace quintet {

void name_stream(StreamRef stream, const std::string& name) {
  nvtxNameCudaStreamA(stream.get(), name.c_str());
}

}  // namespace quintet
