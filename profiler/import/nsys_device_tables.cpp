#include "profiler/import/nsys_device_tables.h"

#include <array>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

namespace quintet {

namespace {

/// The columns that all tables of device work have.
struct DeviceColumns {
  explicit DeviceColumns(TableRows& rows)
      : start(rows.column("start")),
        end(rows.column("end")),
        has_end(rows.has("end")),
        device(rows.column("deviceId")),
        stream(rows.column("streamId")),
        context(rows.column("contextId")),
        correlation(rows.column("correlationId")),
        process(rows.column("globalPid")) {}

  TableRows::Column start, end;
  bool has_end;
  TableRows::Column device, stream, context, correlation, process;
};

/// One row of device work; its end may not have been recorded.
struct DeviceSpan : ImportedSpan {
  std::optional<std::int64_t> told_end_ns;
};

/// Whether work is of a stream of its context, or of all of them.
enum class StreamScope : std::uint8_t { stream, context };

/// When and where; the rest is the caller's. Nothing, counted, where the row does not tell when.
std::optional<DeviceSpan> device_span(NsysReading& reading, TableRows& rows,
                                      const DeviceColumns& columns, LaneRole role,
                                      StreamScope scope = StreamScope::stream) {
  const std::optional<std::int64_t> start = rows.integer(columns.start);
  const std::optional<std::int64_t> end = rows.integer(columns.end);
  // An end that is NULL was not recorded; one of another type is damage.
  if (!start || (!end && !(columns.has_end && rows.is_null(columns.end)))) {
    reading.skip_row(rows);
    return std::nullopt;
  }
  DeviceSpan span;
  span.begin_ns = *start;
  span.told_end_ns = end;
  span.correlation = reading.correlation(rows.integer(columns.correlation));
  const auto stream =
      scope == StreamScope::context ? std::optional(kNoStream) : rows.integer(columns.stream);
  span.lane =
      reading.device_lane(role, {rows.integer(columns.process), rows.integer(columns.device),
                                 stream, rows.integer(columns.context)});
  return span;
}

/// Which captured node each node of an executable graph was instantiated from.
class ClonedNodes {
 public:
  void read(NsysReading& reading) {
    TableRows rows(reading.database(), "CUDA_GRAPH_NODE_EVENTS");
    const auto thread = rows.column("globalTid");
    const auto node = rows.column("graphNodeId");
    const auto original = rows.column("originalGraphNodeId");
    while (reading.next_event(rows)) {
      const auto clone = rows.integer(node);
      const auto captured = rows.integer(original);
      if (!clone || !captured || *captured == 0 || *captured == *clone) continue;
      const std::int64_t process = nsys_global_id(rows.integer(thread).value_or(0)).process;
      captured_.emplace(Node{process, *clone}, static_cast<std::uint64_t>(*captured));
    }
    reading.close(rows);
  }

  /// The node that was captured. Nodes that are cloned twice lead to the first.
  [[nodiscard]] std::optional<std::uint64_t> captured(std::int64_t process,
                                                      std::int64_t node) const {
    std::optional<std::uint64_t> captured;
    // A hostile file may tell of a circle.
    constexpr int kMostClones = 8;
    for (int clones = 0; clones < kMostClones; ++clones) {
      const auto known = captured_.find({process, node});
      if (known == captured_.end()) break;
      captured = known->second;
      node = static_cast<std::int64_t>(known->second);
    }
    return captured;
  }

 private:
  struct Node {
    std::int64_t process = 0;
    std::int64_t id = 0;
    bool operator==(const Node&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Node& node) const {
      return mix_hash(static_cast<std::uint64_t>(node.process),
                      static_cast<std::uint64_t>(node.id));
    }
  };
  std::unordered_map<Node, std::uint64_t, Hash> captured_;
};

/// Reads the node column of tables and judges, by their rows, whether nodes were recorded.
class GraphNodes {
 public:
  explicit GraphNodes(NsysReading& reading) { clones_.read(reading); }

  void fill(ActivityFacts& facts, TableRows& rows, TableRows::Column node,
            TableRows::Column process) {
    const std::optional<std::int64_t> id = rows.integer(node);
    if (!id || *id == 0) return;
    seen_ = true;
    facts.graph_node = static_cast<std::uint64_t>(*id);
    facts.captured_node =
        clones_.captured(nsys_global_id(rows.integer(process).value_or(0)).process, *id);
  }
  [[nodiscard]] bool seen() const { return seen_; }

 private:
  ClonedNodes clones_;
  bool seen_ = false;
};

struct LaunchColumns {
  explicit LaunchColumns(TableRows& rows)
      : grid{rows.column("gridX"), rows.column("gridY"), rows.column("gridZ")},
        block{rows.column("blockX"), rows.column("blockY"), rows.column("blockZ")},
        registers(rows.column("registersPerThread")),
        static_shared(rows.column("staticSharedMemory")),
        dynamic_shared(rows.column("dynamicSharedMemory")) {}

  std::array<TableRows::Column, 3> grid, block;
  TableRows::Column registers, static_shared, dynamic_shared;
};

bool fits_32_bits(std::int64_t value) {
  return value >= 0 && value <= std::numeric_limits<std::uint32_t>::max();
}

/// Nothing where the row does not tell the shape, or, counted, tells an impossible one.
std::optional<LaunchShape> launch_shape(NsysReading& reading, TableRows& rows,
                                        const LaunchColumns& columns) {
  LaunchShape shape;
  bool possible = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto grid = rows.integer(columns.grid.at(i));
    const auto block = rows.integer(columns.block.at(i));
    if (!grid || !block) return std::nullopt;
    possible = possible && fits_32_bits(*grid) && fits_32_bits(*block);
    shape.grid.at(i) = static_cast<std::uint32_t>(*grid);
    shape.block.at(i) = static_cast<std::uint32_t>(*block);
  }
  const std::int64_t registers = rows.integer(columns.registers).value_or(0);
  const std::int64_t static_shared = rows.integer(columns.static_shared).value_or(0);
  const std::int64_t dynamic_shared = rows.integer(columns.dynamic_shared).value_or(0);
  if (!possible || !fits_32_bits(registers) || static_shared < 0 || dynamic_shared < 0) {
    reading.builder().count(Severity::notice, "impossible_launch_shape",
                            "kernels with negative or huge launch dimensions: taken as unknown");
    return std::nullopt;
  }
  shape.registers = static_cast<std::uint32_t>(registers);
  shape.static_shared_bytes = static_cast<std::uint64_t>(static_shared);
  shape.dynamic_shared_bytes = static_cast<std::uint64_t>(dynamic_shared);
  return shape;
}

void read_kernels(NsysReading& reading, GraphNodes& nodes, bool& tells_nodes) {
  TableRows rows(reading.database(), "CUPTI_ACTIVITY_KIND_KERNEL");
  const DeviceColumns columns(rows);
  const LaunchColumns launch(rows);
  const auto demangled = rows.column("demangledName");
  const auto short_name = rows.column("shortName");
  const auto mangled = rows.column("mangledName");
  const auto node = rows.column("graphNodeId");
  const bool has_nodes = rows.has("graphNodeId");
  while (reading.next_event(rows)) {
    tells_nodes = has_nodes;
    auto span = device_span(reading, rows, columns, LaneRole::stream);
    if (!span) continue;
    span->activity.kind = ActivityKind::kernel;
    span->activity.launch = launch_shape(reading, rows, launch);
    nodes.fill(span->activity, rows, node, columns.process);
    // All three name the kernel; the first one says most.
    const auto name = !rows.is_null(demangled)    ? demangled
                      : !rows.is_null(short_name) ? short_name
                                                  : mangled;
    span->activity.name = reading.name(rows, name, "kernel");
    reading.add(*span, span->told_end_ns);
  }
  reading.close(rows);
}

constexpr std::array<std::string_view, 7> kMemoryKinds = {
    "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static"};

template <std::size_t size>
std::string_view word_of(const std::array<std::string_view, size>& words,
                         std::optional<std::int64_t> number) {
  if (!number || *number < 0 || static_cast<std::uint64_t>(*number) >= size) return {};
  return words[static_cast<std::size_t>(*number)];
}

std::optional<std::uint64_t> byte_count(std::optional<std::int64_t> bytes) {
  if (!bytes || *bytes < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*bytes);
}

void read_copies(NsysReading& reading, GraphNodes& nodes) {
  TableRows rows(reading.database(), "CUPTI_ACTIVITY_KIND_MEMCPY");
  const DeviceColumns columns(rows);
  const auto bytes = rows.column("bytes");
  const auto kind = rows.column("copyKind");
  const auto from = rows.column("srcKind");
  const auto to = rows.column("dstKind");
  const auto node = rows.column("graphNodeId");
  while (reading.next_event(rows)) {
    auto span = device_span(reading, rows, columns, LaneRole::stream);
    if (!span) continue;
    const std::string name =
        nsys_copy_name(rows.integer(kind), rows.integer(from), rows.integer(to));
    span->activity.kind = ActivityKind::memcpy;
    span->activity.name = name;
    span->activity.bytes = byte_count(rows.integer(bytes));
    nodes.fill(span->activity, rows, node, columns.process);
    reading.add(*span, span->told_end_ns);
  }
  reading.close(rows);
}

void read_fills(NsysReading& reading, GraphNodes& nodes) {
  TableRows rows(reading.database(), "CUPTI_ACTIVITY_KIND_MEMSET");
  const DeviceColumns columns(rows);
  const auto bytes = rows.column("bytes");
  const auto memory = rows.column("memKind");
  const auto node = rows.column("graphNodeId");
  while (reading.next_event(rows)) {
    auto span = device_span(reading, rows, columns, LaneRole::stream);
    if (!span) continue;
    const std::string_view kind = word_of(kMemoryKinds, rows.integer(memory));
    const std::string name = kind.empty() ? "Memset" : fmt::format("Memset ({})", kind);
    span->activity.kind = ActivityKind::memset;
    span->activity.name = name;
    span->activity.bytes = byte_count(rows.integer(bytes));
    nodes.fill(span->activity, rows, node, columns.process);
    reading.add(*span, span->told_end_ns);
  }
  reading.close(rows);
}

/// Launches of which the profiler recorded the whole and none of the nodes: how busy the device was
/// inside, nobody knows.
void read_graph_launches(NsysReading& reading) {
  TableRows rows(reading.database(), "CUPTI_ACTIVITY_KIND_GRAPH_TRACE");
  const DeviceColumns columns(rows);
  const auto graph = rows.column("graphId");
  const auto executable = rows.column("graphExecId");
  std::int64_t launches = 0;
  while (reading.next_event(rows)) {
    auto span = device_span(reading, rows, columns, LaneRole::stream);
    if (!span) continue;
    const auto id = rows.integer(graph);
    const auto exec = rows.integer(executable);
    std::string name = id ? fmt::format("CUDA graph {}", *id) : "CUDA graph";
    if (exec) name += fmt::format(" (executable {})", *exec);
    span->activity.kind = ActivityKind::graph;
    span->activity.name = name;
    reading.add(*span, span->told_end_ns);
    ++launches;
  }
  reading.close(rows);
  if (launches == 0) return;
  reading.builder().count(
      Severity::data_loss, "graph_nodes_not_recorded",
      "launches of graphs that were recorded as a whole, without their nodes: idle time and "
      "overlap inside them are unknown (profile with --cuda-graph-trace=node)",
      launches);
}

/// Waits of the host for a device and of streams for each other.
void read_waits(NsysReading& reading) {
  constexpr std::array<std::string_view, 5> kWaits = {"", "Event Sync", "Stream Wait Event",
                                                      "Stream Sync", "Context Sync"};
  TableRows rows(reading.database(), "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION");
  const DeviceColumns columns(rows);
  const auto kind = rows.column("syncType");
  constexpr std::int64_t kContext = 4;
  while (reading.next_event(rows)) {
    const auto scope = rows.integer(kind) == kContext ? StreamScope::context : StreamScope::stream;
    auto span = device_span(reading, rows, columns, LaneRole::sync, scope);
    if (!span) continue;
    const std::string_view name = word_of(kWaits, rows.integer(kind));
    span->activity.kind = ActivityKind::host_range;
    span->activity.name = name.empty() ? "Sync" : name;
    reading.add(*span, span->told_end_ns);
  }
  reading.close(rows);
}

}  // namespace

std::string nsys_copy_name(std::optional<std::int64_t> copy_kind,
                           std::optional<std::int64_t> source_kind,
                           std::optional<std::int64_t> target_kind) {
  constexpr std::array<std::string_view, 14> kCopies = {
      "",     "HtoD", "DtoH", "HtoA", "AtoH",         "AtoA",         "AtoD",
      "DtoA", "DtoD", "HtoH", "PtoP", "Unified HtoD", "Unified DtoH", "Unified DtoD"};
  std::string name = "Memcpy";
  if (const std::string_view copy = word_of(kCopies, copy_kind); !copy.empty())
    name += fmt::format(" {}", copy);
  const std::string_view source = word_of(kMemoryKinds, source_kind);
  const std::string_view target = word_of(kMemoryKinds, target_kind);
  if (!source.empty() && !target.empty()) name += fmt::format(" ({} -> {})", source, target);
  return name;
}

void read_nsys_device_tables(NsysReading& reading) {
  GraphNodes nodes(reading);
  bool tells_nodes = false;
  read_kernels(reading, nodes, tells_nodes);
  read_copies(reading, nodes);
  read_fills(reading, nodes);
  read_graph_launches(reading);
  read_waits(reading);
  // A column full of NULL tells nothing where graphs were launched.
  if (nodes.seen()) {
    reading.builder().note_graph_node_ids(GraphNodeIds::carried);
  } else if (tells_nodes && !reading.graphs_launched()) {
    reading.builder().note_graph_node_ids(GraphNodeIds::none);
  }
}

}  // namespace quintet
