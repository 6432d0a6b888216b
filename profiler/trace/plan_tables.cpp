#include "profiler/trace/plan_tables.h"

#include <array>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "profiler/trace/damaged_trace.h"

namespace quintet {

namespace {

constexpr std::array kLaneKinds = {std::pair(LaneKind::stream, std::string_view("stream")),
                                   std::pair(LaneKind::host, std::string_view("host"))};
constexpr std::array kSpaces = {std::pair(MemorySpace::host, std::string_view("host")),
                                std::pair(MemorySpace::device, std::string_view("device"))};
constexpr std::array kModes = {std::pair(AccessMode::read, name_of(AccessMode::read)),
                               std::pair(AccessMode::write, name_of(AccessMode::write)),
                               std::pair(AccessMode::update, name_of(AccessMode::update)),
                               std::pair(AccessMode::scratch, name_of(AccessMode::scratch))};
constexpr std::array kBounds = {std::pair(AccessBound::exact, std::string_view("exact")),
                                std::pair(AccessBound::upper, std::string_view("upper"))};
constexpr std::array kOrigins = {std::pair(AccessOrigin::declared, std::string_view("declared")),
                                 std::pair(AccessOrigin::audited, std::string_view("audited")),
                                 std::pair(AccessOrigin::inferred, std::string_view("inferred"))};
constexpr std::array kSeverities = {std::pair(Severity::info, name_of(Severity::info)),
                                    std::pair(Severity::notice, name_of(Severity::notice)),
                                    std::pair(Severity::data_loss, name_of(Severity::data_loss)),
                                    std::pair(Severity::error, name_of(Severity::error))};

template <class Words, class Value>
std::string_view word(const Words& words, Value value) {
  for (const auto& [known, name] : words) {
    if (known == value) return name;
  }
  return {};
}

template <class Words>
auto value_of(const Words& words, const std::string& text, std::string_view what) {
  for (const auto& [value, name] : words) {
    if (name == text) return value;
  }
  throw DamagedTrace(fmt::format("{} \"{}\" is unknown", what, text));
}

RegionKind region_kind(const std::string& text) {
  for (std::size_t i = 0; i < kRegionKindCount; ++i) {
    if (name_of(static_cast<RegionKind>(i)) == text) return static_cast<RegionKind>(i);
  }
  throw DamagedTrace(fmt::format("region kind \"{}\" is unknown", text));
}

/// An index into a table of `size` rows.
std::uint32_t index_in(std::int64_t value, std::size_t size, std::string_view what) {
  if (value < 0 || static_cast<std::uint64_t>(value) >= size) {
    throw DamagedTrace(fmt::format("{} {} points outside a table of {} rows", what, value, size));
  }
  return static_cast<std::uint32_t>(value);
}

/// The id of the row that comes next: ids are 0, 1, 2, ... without holes.
std::uint32_t next_id(const Statement& row, std::size_t expected, std::string_view table) {
  const std::int64_t id = row.integer(0);
  if (id != static_cast<std::int64_t>(expected)) {
    throw DamagedTrace(
        fmt::format("table {}: row {} stands where {} belongs", table, id, expected));
  }
  return static_cast<std::uint32_t>(id);
}

std::uint64_t size_in(std::int64_t value, std::string_view what) {
  if (value < 0) throw DamagedTrace(fmt::format("{} {} is negative", what, value));
  return static_cast<std::uint64_t>(value);
}

int small(std::int64_t value, std::string_view what) {
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    throw DamagedTrace(fmt::format("{} {} is out of range", what, value));
  }
  return static_cast<int>(value);
}

void write_lanes(Database& database, const LaneTable& lanes) {
  Statement insert = database.prepare("INSERT INTO lanes VALUES (?, ?, ?, ?, ?, ?)");
  for (const Lane& lane : lanes) {
    insert.run(lane.id.value(), lane.name, word(kLaneKinds, lane.kind), lane.device, lane.rank,
               lane.priority);
  }
}

void read_lanes(Database& database, LaneTable& lanes) {
  Statement row =
      database.prepare("SELECT id, name, kind, device, rank, priority FROM lanes ORDER BY id");
  while (row.step()) {
    const LaneId id(next_id(row, lanes.size(), "lanes"));
    lanes.push_back({id, row.text(1), value_of(kLaneKinds, row.text(2), "lane kind"),
                     small(row.integer(3), "device"), small(row.integer(4), "rank"),
                     small(row.integer(5), "priority")});
  }
  if (lanes.size() > std::numeric_limits<std::uint16_t>::max()) {
    throw DamagedTrace(fmt::format("{} lanes are too many", lanes.size()));
  }
}

void write_regions(Database& database, const std::vector<Region>& regions) {
  Statement insert = database.prepare("INSERT INTO regions VALUES (?, ?, ?, ?, ?, ?)");
  for (const Region& region : regions) {
    std::optional<std::string_view> stream;
    if (region.stream) stream = name_of(*region.stream);
    insert.run(region.id.value(), name_of(region.kind), stream, word(kSpaces, region.space()),
               region.bytes, region.device);
  }
}

void read_regions(Database& database, std::vector<Region>& regions) {
  Statement row =
      database.prepare("SELECT id, kind, stream, bytes, device FROM regions ORDER BY id");
  while (row.step()) {
    Region region;
    region.id = RegionId(next_id(row, regions.size(), "regions"));
    region.kind = region_kind(row.text(1));
    if (!row.is_null(2)) {
      region.stream = stream_from_name(row.text(2));
      if (!region.stream) throw DamagedTrace(fmt::format("stream \"{}\" is unknown", row.text(2)));
    }
    region.bytes = size_in(row.integer(3), "region size");
    region.device = small(row.integer(4), "device");
    regions.push_back(region);
  }
}

void write_tensors(Database& database, const std::vector<TraceTensor>& tensors) {
  Statement insert = database.prepare("INSERT INTO tensors VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t id = 0; id < tensors.size(); ++id) {
    const TraceTensor& tensor = tensors[id];
    insert.run(id, tensor.name, tensor.shape, tensor.dtype, tensor.variant, tensor.region.value(),
               tensor.offset, tensor.bytes);
  }
}

void read_tensors(Database& database, Trace& trace) {
  Statement row = database.prepare(
      "SELECT id, name, shape, dtype, variant, region, offset, bytes FROM tensors ORDER BY id");
  while (row.step()) {
    next_id(row, trace.tensors.size(), "tensors");
    const RegionId region(index_in(row.integer(5), trace.regions.size(), "region"));
    trace.tensors.push_back({row.text(1), row.text(2), row.text(3), row.text(4), region,
                             size_in(row.integer(6), "offset"), size_in(row.integer(7), "size")});
  }
}

void write_tasks(Database& database, const std::vector<TraceTask>& tasks) {
  Statement insert =
      database.prepare("INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Statement cover = database.prepare("INSERT INTO task_covers VALUES (?, ?, ?)");
  Statement access_row =
      database.prepare("INSERT INTO accesses VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t id = 0; id < tasks.size(); ++id) {
    const TraceTask& task = tasks[id];
    std::optional<std::uint32_t> lane;
    if (task.policy_lane) lane = task.policy_lane->value();
    insert.run(id, task.name, task.layer, task.op_kind, task.part, task.graph, task.shape,
               task.representative, lane, task.placement_reason, task.workspace_bytes, task.flops,
               task.bytes);
    for (std::size_t i = 0; i < task.covers.size(); ++i)
      cover.run(id, i, task.covers[i]);
    for (std::size_t i = 0; i < task.accesses.size(); ++i) {
      const Access& access = task.accesses[i];
      access_row.run(id, i, access.region.value(), word(kSpaces, access.space), access.device,
                     access.offset, access.bytes, access.stride, access.count,
                     word(kModes, access.mode), word(kBounds, access.bound),
                     word(kOrigins, access.origin));
    }
  }
}

Access access_of(const Statement& row, const Trace& trace) {
  Access access;
  access.region = RegionId(index_in(row.integer(1), trace.regions.size(), "region"));
  access.space = value_of(kSpaces, row.text(2), "memory space");
  access.device = small(row.integer(3), "device");
  access.offset = size_in(row.integer(4), "offset");
  access.bytes = size_in(row.integer(5), "size");
  access.stride = size_in(row.integer(6), "stride");
  access.count = size_in(row.integer(7), "count");
  access.mode = value_of(kModes, row.text(8), "access mode");
  access.bound = value_of(kBounds, row.text(9), "access bound");
  access.origin = value_of(kOrigins, row.text(10), "access origin");
  // A range must stay inside what 64 bits can address, and its pieces must be countable.
  constexpr std::uint64_t kMostBytes = 1ULL << 60;
  constexpr std::uint64_t kMostPieces = 1ULL << 32;
  std::uint64_t reach = 0;
  const bool overflows = access.count == 0 || access.count > kMostPieces ||
                         __builtin_mul_overflow(access.count - 1, access.stride, &reach) ||
                         __builtin_add_overflow(reach, access.offset, &reach) ||
                         __builtin_add_overflow(reach, access.bytes, &reach) || reach > kMostBytes;
  if (overflows) throw DamagedTrace("an access reaches beyond all memory");
  return access;
}

void read_tasks(Database& database, Trace& trace) {
  Statement row = database.prepare(
      "SELECT id, name, layer, op_kind, part, graph, shape, representative, policy_lane, "
      "placement_reason, workspace_bytes, flops, bytes FROM tasks ORDER BY id");
  while (row.step()) {
    next_id(row, trace.tasks.size(), "tasks");
    TraceTask task;
    task.name = row.text(1);
    task.layer = row.text(2);
    task.op_kind = row.text(3);
    task.part = row.text(4);
    task.graph = row.text(5);
    task.shape = row.text(6);
    task.representative = row.integer(7) != 0;
    if (!row.is_null(8)) {
      task.policy_lane = LaneId(index_in(row.integer(8), trace.lanes.size(), "lane"));
    }
    task.placement_reason = row.text(9);
    task.workspace_bytes = size_in(row.integer(10), "workspace");
    task.flops = row.real(11);
    task.bytes = row.real(12);
    trace.tasks.push_back(std::move(task));
  }
  Statement cover =
      database.prepare("SELECT task, semantic_id FROM task_covers ORDER BY task, position");
  while (cover.step()) {
    trace.tasks[index_in(cover.integer(0), trace.tasks.size(), "task")].covers.push_back(
        cover.text(1));
  }
  Statement access = database.prepare(
      "SELECT task, region, space, device, offset, bytes, stride, count, mode, bound, origin "
      "FROM accesses ORDER BY task, position");
  while (access.step()) {
    trace.tasks[index_in(access.integer(0), trace.tasks.size(), "task")].accesses.push_back(
        access_of(access, trace));
  }
}

void write_graphs(Database& database, const std::vector<TraceGraph>& graphs) {
  Statement insert = database.prepare("INSERT INTO graphs VALUES (?, ?, ?, ?)");
  Statement member = database.prepare("INSERT INTO graph_tasks VALUES (?, ?, ?)");
  Statement edge_row = database.prepare("INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?)");
  for (std::size_t id = 0; id < graphs.size(); ++id) {
    const TraceGraph& graph = graphs[id];
    insert.run(id, graph.name, graph.primary.value(), graph.empty);
    for (std::size_t i = 0; i < graph.tasks.size(); ++i)
      member.run(id, i, graph.tasks[i]);
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
      const TraceEdge& edge = graph.edges[i];
      edge_row.run(id, i, edge.from, edge.to, edge.rule, edge.reason);
    }
  }
}

void read_graphs(Database& database, Trace& trace) {
  Statement row = database.prepare("SELECT id, name, primary_lane, empty FROM graphs ORDER BY id");
  while (row.step()) {
    next_id(row, trace.graphs.size(), "graphs");
    const LaneId primary(index_in(row.integer(2), trace.lanes.size(), "lane"));
    trace.graphs.push_back({row.text(1), primary, {}, {}, row.integer(3) != 0});
  }
  Statement member =
      database.prepare("SELECT graph, task FROM graph_tasks ORDER BY graph, position");
  while (member.step()) {
    trace.graphs[index_in(member.integer(0), trace.graphs.size(), "graph")].tasks.push_back(
        index_in(member.integer(1), trace.tasks.size(), "task"));
  }
  Statement edge = database.prepare(
      "SELECT graph, from_task, to_task, rule, reason FROM edges ORDER BY graph, position");
  while (edge.step()) {
    trace.graphs[index_in(edge.integer(0), trace.graphs.size(), "graph")].edges.push_back(
        {index_in(edge.integer(1), trace.tasks.size(), "task"),
         index_in(edge.integer(2), trace.tasks.size(), "task"), edge.text(3), edge.text(4)});
  }
}

void write_commands(Database& database, const std::vector<TraceCommand>& commands) {
  Statement insert = database.prepare("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t id = 0; id < commands.size(); ++id) {
    const TraceCommand& command = commands[id];
    insert.run(id, command.variant, command.position, command.kind, command.actor, command.stream,
               command.graph, command.event, command.steps, command.why);
  }
}

void read_commands(Database& database, std::vector<TraceCommand>& commands) {
  Statement row = database.prepare(
      "SELECT id, variant, position, kind, actor, stream, graph, event, steps, why FROM commands "
      "ORDER BY id");
  while (row.step()) {
    next_id(row, commands.size(), "commands");
    const int position = small(row.integer(2), "position");
    commands.push_back({row.text(1), static_cast<std::uint32_t>(position), row.text(3), row.text(4),
                        row.text(5), row.text(6), row.text(7), small(row.integer(8), "steps"),
                        row.text(9)});
  }
}

}  // namespace

void write_provenance(Database& database, const std::string& key, const std::string& value) {
  database.prepare("INSERT OR REPLACE INTO provenance VALUES (?, ?)").run(key, value);
}

void write_finding(Database& database, const Finding& finding) {
  database.prepare("INSERT INTO findings(severity, name, message, count) VALUES (?, ?, ?, ?)")
      .run(word(kSeverities, finding.severity), finding.name, finding.message, finding.count);
}

void write_plan(Database& database, const Trace& trace) {
  for (const auto& [key, value] : trace.provenance)
    write_provenance(database, key, value);
  for (const Finding& finding : trace.findings)
    write_finding(database, finding);
  write_lanes(database, trace.lanes);
  write_regions(database, trace.regions);
  write_tensors(database, trace.tensors);
  write_tasks(database, trace.tasks);
  write_graphs(database, trace.graphs);
  write_commands(database, trace.commands);
}

void read_plan(Database& database, Trace& trace) {
  Statement provenance = database.prepare("SELECT key, value FROM provenance");
  while (provenance.step())
    trace.provenance[provenance.text(0)] = provenance.text(1);
  Statement finding =
      database.prepare("SELECT severity, name, message, count FROM findings ORDER BY id");
  while (finding.step()) {
    trace.findings.push_back({value_of(kSeverities, finding.text(0), "severity"), finding.text(1),
                              finding.text(2), finding.integer(3)});
  }
  read_lanes(database, trace.lanes);
  read_regions(database, trace.regions);
  read_tensors(database, trace);
  read_tasks(database, trace);
  read_graphs(database, trace);
  read_commands(database, trace.commands);
}

}  // namespace quintet
