/// The five streams of one device, each with library handles that no other stream uses.
#pragma once

#include <array>
#include <vector>

#include "runtime/cuda/cuda_kernel.h"
#include "runtime/cuda/cuda_stream.h"
#include "runtime/model/lane.h"
#include "runtime/model/stream_kind.h"

namespace quintet {

/// Owns streams and handles of the current device; a stream's workspace is a region of the memory
/// plan. Threads: one caller at a time a stream. Throws CudaError. Usage: DeviceContext
/// context(plan.lanes); context.on(StreamKind::COMP_1).stream;
class DeviceContext {
 public:
  /// Priorities from the lanes of the streams.
  explicit DeviceContext(const LaneTable& lanes);
  ~DeviceContext();
  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  [[nodiscard]] StreamRef stream(StreamKind kind) const { return streams_[index_of(kind)].ref(); }
  [[nodiscard]] const StreamResources& on(StreamKind kind) const {
    return resources_[index_of(kind)];
  }
  /// Waits for all five streams.
  void synchronize() const;

 private:
  std::vector<Stream> streams_;  ///< by StreamKind
  std::array<StreamResources, kStreamCount> resources_;
};

}  // namespace quintet
