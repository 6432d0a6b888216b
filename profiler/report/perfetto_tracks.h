/// The tracks of a Perfetto trace: one process a rank, below it steps, counters, and the lanes by
/// kind, each lane with as many rows as overlap.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/report/perfetto_packets.h"
#include "profiler/report/row_assigner.h"
#include "profiler/report/slice_stream.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// Ids of tracks; each is described before its id is first given out. Rows of one lane are siblings
/// of one name, which Perfetto's interface draws as one track. Borrows the trace and the packets.
class PerfettoTracks {
 public:
  /// Ids count on from `base`; times of descriptors are those of the slices less `zero_ns`.
  PerfettoTracks(const Trace& trace, PerfettoPackets& packets, std::uint64_t base,
                 std::int64_t zero_ns);

  // Slices in the order of a SliceStream, each lane's in its turn:
  std::uint64_t lane_row(std::uint32_t lane, const Slice& slice);
  std::uint64_t launch_row(int rank, const Slice& slice);
  std::uint64_t step_row(const Slice& slice);

  std::uint64_t concurrency(int rank, std::int64_t now_ns);
  std::uint64_t loss(std::int64_t now_ns);

 private:
  /// Children of a process, in this order.
  enum class Place : std::uint8_t { steps, concurrency, loss, streams, executor, host };
  static constexpr std::size_t kPlaces = 6;

  struct Rows {
    RowAssigner assigner;
    std::vector<std::uint64_t> uuids;
    std::string name;
    std::uint64_t parent = 0;
    std::uint32_t order = 0;
  };

  struct Process {
    std::uint64_t uuid = 0;
    std::array<std::uint64_t, kPlaces> places{};  ///< 0 = not described yet
  };

  Process& process(int rank, std::int64_t now_ns);
  std::uint64_t place(int rank, Place which, std::int64_t now_ns);
  std::uint64_t describe(std::string message, std::int64_t now_ns);
  std::uint64_t row(Rows& rows, const Slice& slice);

  const Trace& trace_;
  PerfettoPackets& packets_;
  std::uint64_t last_uuid_;
  std::int64_t zero_ns_;
  int home_rank_;  ///< of what belongs to the run as a whole
  bool has_policy_;
  std::map<int, Process> processes_;
  std::vector<std::unique_ptr<Rows>> lanes_;  ///< null = no slice yet
  std::map<int, Rows> launches_;
  std::optional<Rows> steps_;
};

}  // namespace quintet
