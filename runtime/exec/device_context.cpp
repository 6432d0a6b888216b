#include "runtime/exec/device_context.h"

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/stream_name.h"

namespace quintet {

DeviceContext::DeviceContext(const LaneTable& lanes) {
  for (const StreamKind kind : kStreamKinds) {
    const Stream& stream = streams_.emplace_back(lanes[lane_of(kind).value()].priority);
    name_stream(stream.ref(), std::string(name_of(kind)));
    StreamResources& resources = resources_[index_of(kind)];
    resources.stream = stream.get();
    check(cudnnCreate(&resources.cudnn), "making a cuDNN handle");
    check(cudnnSetStream(resources.cudnn, stream.get()), "binding a cuDNN handle to its stream");
    check(cublasLtCreate(&resources.cublas), "making a cuBLASLt handle");
  }
}

DeviceContext::~DeviceContext() {
  for (const StreamResources& resources : resources_) {
    if (resources.cudnn != nullptr) static_cast<void>(cudnnDestroy(resources.cudnn));
    if (resources.cublas != nullptr) static_cast<void>(cublasLtDestroy(resources.cublas));
  }
}

void DeviceContext::synchronize() const {
  for (const Stream& stream : streams_)
    stream.synchronize();
}

}  // namespace quintet
