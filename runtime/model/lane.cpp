#include "runtime/model/lane.h"

namespace quintet {

LaneTable runtime_lanes(int rank, int device) {
  LaneTable lanes;
  for (const StreamKind stream : kStreamKinds) {
    lanes.push_back(
        {lane_of(stream), std::string(name_of(stream)), LaneKind::stream, device, rank, 0});
  }
  for (const HostActor actor : {HostActor::MAIN, HostActor::LOADER}) {
    lanes.push_back({lane_of(actor), std::string(name_of(actor)), LaneKind::host, device, rank, 0});
  }
  return lanes;
}

}  // namespace quintet
