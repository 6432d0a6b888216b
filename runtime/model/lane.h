/// The lane table: who can run things. The runtime's lanes are its five streams and two host
/// actors; everything downstream of the runtime works with N lanes and knows no StreamKind.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/ids.h"
#include "runtime/model/stream_kind.h"

namespace quintet {

enum class LaneKind : std::uint8_t {
  stream,    ///< of a device: where a policy, or a program that has none, put work
  host,      ///< a thread
  executor,  ///< of a device: where the driver ran work of an executable graph
};

inline constexpr std::array<LaneKind, 3> kLaneKinds = {LaneKind::stream, LaneKind::host,
                                                       LaneKind::executor};

constexpr std::string_view name_of(LaneKind kind) {
  switch (kind) {
    case LaneKind::stream:
      return "stream";
    case LaneKind::host:
      return "host";
    case LaneKind::executor:
      return "executor";
  }
  return {};
}

struct Lane {
  LaneId id;
  std::string name;
  LaneKind kind = LaneKind::stream;
  int device = 0;
  int rank = 0;
  int priority = 0;  ///< as CUDA counts: a lower number is more urgent
};

using LaneTable = std::vector<Lane>;

/// Host threads that take part in a step: MAIN issues the step program, LOADER fills the host
/// buffers.
enum class HostActor : std::uint8_t { MAIN, LOADER };

constexpr std::string_view name_of(HostActor actor) {
  return actor == HostActor::MAIN ? "HOST_MAIN" : "HOST_LOADER";
}

constexpr LaneId lane_of(StreamKind stream) {
  return LaneId(static_cast<std::uint32_t>(index_of(stream)));
}
constexpr LaneId lane_of(HostActor actor) {
  return LaneId(static_cast<std::uint32_t>(kStreamCount) + static_cast<std::uint32_t>(actor));
}

/// Five stream lanes in the order of StreamKind, then HOST_MAIN and HOST_LOADER: `lane_of` indexes
/// it.
LaneTable runtime_lanes(int rank = 0, int device = 0);

}  // namespace quintet
