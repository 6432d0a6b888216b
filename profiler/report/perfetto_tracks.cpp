#include "profiler/report/perfetto_tracks.h"

#include <algorithm>
#include <fmt/format.h>

#include "profiler/report/perfetto_schema.h"
#include "profiler/report/wire_format.h"
#include "profiler/trace/utf8.h"

namespace quintet {

using namespace perfetto;

namespace {

/// Below its parent, in the order that `order` tells.
std::string child(std::string_view name, std::uint64_t parent, std::uint32_t order) {
  std::string message;
  wire::append_bytes(message, track::kName, valid_utf8(name));
  wire::append_integer(message, track::kParent, parent);
  wire::append_integer(message, track::kSiblingRank, order);
  return message;
}

RowNesting nesting_of(LaneKind kind) {
  // Ranges and calls of a thread lie within each other. On a device, overlap is no nesting.
  return kind == LaneKind::host ? RowNesting::contained : RowNesting::none;
}

}  // namespace

PerfettoTracks::PerfettoTracks(const Trace& trace, PerfettoPackets& packets, std::uint64_t base,
                               std::int64_t zero_ns)
    : trace_(trace),
      packets_(packets),
      last_uuid_(base),
      zero_ns_(zero_ns),
      home_rank_(trace.lanes.empty() ? 0 : trace.lanes.front().rank),
      has_policy_(std::any_of(trace.tasks.begin(), trace.tasks.end(),
                              [](const TraceTask& task) { return task.policy_lane.has_value(); })),
      lanes_(trace.lanes.size()) {
  for (const Lane& lane : trace.lanes)
    home_rank_ = std::min(home_rank_, lane.rank);
}

std::uint64_t PerfettoTracks::describe(std::string message, std::int64_t now_ns) {
  wire::append_integer(message, track::kUuid, ++last_uuid_);
  packets_.write(static_cast<std::uint64_t>(now_ns - zero_ns_), packet::kTrackDescriptor, message);
  return last_uuid_;
}

PerfettoTracks::Process& PerfettoTracks::process(int rank, std::int64_t now_ns) {
  Process& process = processes_[rank];
  if (process.uuid != 0) return process;
  std::string descriptor;
  // Process 0 is the idle one.
  wire::append_integer(descriptor, track::kPid, static_cast<std::uint64_t>(rank) + 1);
  wire::append_bytes(descriptor, track::kProcessName, fmt::format("rank {}", rank));
  std::string message;
  wire::append_bytes(message, track::kProcess, descriptor);
  wire::append_integer(message, track::kChildOrdering, track::kExplicitOrdering);
  process.uuid = describe(std::move(message), now_ns);
  return process;
}

std::uint64_t PerfettoTracks::place(int rank, Place which, std::int64_t now_ns) {
  Process& process = this->process(rank, now_ns);
  std::uint64_t& uuid = process.places[static_cast<std::size_t>(which)];
  if (uuid != 0) return uuid;
  const auto named = [&](std::string_view name) {
    return child(name, process.uuid, static_cast<std::uint32_t>(which));
  };
  std::string message;
  switch (which) {
    case Place::steps:
      return process.uuid;
    case Place::concurrency:
      message = named("concurrency");
      wire::append_bytes(message, track::kCounter, {});
      break;
    case Place::loss:
      message = named("loss");
      wire::append_bytes(message, track::kCounter, {});
      break;
    case Place::streams:
      message = named(has_policy_ ? "policy lanes" : "streams");
      break;
    case Place::executor:
      message = named("executor lanes");
      break;
    case Place::host:
      message = named("host lanes");
      break;
  }
  wire::append_integer(message, track::kChildOrdering, track::kExplicitOrdering);
  uuid = describe(std::move(message), now_ns);
  return uuid;
}

std::uint64_t PerfettoTracks::row(Rows& rows, const Slice& slice) {
  const std::size_t row = rows.assigner.place(slice.begin_ns, slice.end_ns);
  if (row == rows.uuids.size())
    rows.uuids.push_back(describe(child(rows.name, rows.parent, rows.order), slice.begin_ns));
  return rows.uuids[row];
}

std::uint64_t PerfettoTracks::lane_row(std::uint32_t lane, const Slice& slice) {
  if (lanes_[lane] == nullptr) {
    const Lane& of = trace_.lanes[lane];
    Place group = Place::streams;
    switch (of.kind) {
      case LaneKind::stream:
        break;
      case LaneKind::host:
        group = Place::host;
        break;
      case LaneKind::executor:
        group = Place::executor;
        break;
    }
    lanes_[lane] = std::make_unique<Rows>(Rows{RowAssigner(nesting_of(of.kind)),
                                               {},
                                               of.name,
                                               place(of.rank, group, slice.begin_ns),
                                               lane});
  }
  return row(*lanes_[lane], slice);
}

std::uint64_t PerfettoTracks::launch_row(int rank, const Slice& slice) {
  auto found = launches_.find(rank);
  if (found == launches_.end()) {
    const std::uint64_t parent = place(rank, Place::host, slice.begin_ns);
    const auto last = static_cast<std::uint32_t>(trace_.lanes.size());
    found =
        launches_
            .emplace(rank,
                     Rows{RowAssigner(RowNesting::contained), {}, "graph launches", parent, last})
            .first;
  }
  return row(found->second, slice);
}

std::uint64_t PerfettoTracks::step_row(const Slice& slice) {
  if (!steps_) {
    const std::uint64_t parent = place(home_rank_, Place::steps, slice.begin_ns);
    steps_.emplace(Rows{RowAssigner(RowNesting::none), {}, "steps", parent, 0});
  }
  return row(*steps_, slice);
}

std::uint64_t PerfettoTracks::concurrency(int rank, std::int64_t now_ns) {
  return place(rank, Place::concurrency, now_ns);
}

std::uint64_t PerfettoTracks::loss(std::int64_t now_ns) {
  return place(home_rank_, Place::loss, now_ns);
}

}  // namespace quintet
