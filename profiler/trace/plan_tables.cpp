#include "profiler/trace/plan_tables.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "profiler/trace/damaged_trace.h"

namespace quintet {

namespace {

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

/// The value of an enum with this name.
template <class Values>
auto named(const Values& values, const std::string& text, std::string_view what) {
  for (const auto value : values) {
    if (name_of(value) == text) return value;
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
    insert.run(lane.id.value(), lane.name, name_of(lane.kind), lane.device, lane.rank,
               lane.priority);
  }
}

void read_lanes(Database& database, LaneTable& lanes, ChecksumReader& checks) {
  CheckedRows rows(
      checks, "lanes",
      database.prepare("SELECT id, name, kind, device, rank, priority FROM lanes ORDER BY id"));
  const Statement& row = rows.row();
  while (rows.step()) {
    const LaneId id(next_id(row, lanes.size(), "lanes"));
    lanes.push_back({id, row.text(1), named(kLaneKinds, row.text(2), "lane kind"),
                     small(row.integer(3), "device"), small(row.integer(4), "rank"),
                     small(row.integer(5), "priority")});
  }
  if (lanes.size() > std::numeric_limits<std::uint16_t>::max()) {
    throw DamagedTrace(fmt::format("{} lanes are too many", lanes.size()));
  }
}

void write_lane_origins(Database& database, const std::vector<TraceLaneOrigin>& origins) {
  Statement insert = database.prepare("INSERT INTO lane_origins VALUES (?, ?, ?, ?, ?)");
  for (const TraceLaneOrigin& origin : origins) {
    insert.run(origin.lane, name_of(origin.role), origin.process, origin.context, origin.number);
  }
}

/// Recordings made before 2026-12 lack the table.
void read_lane_origins(Database& database, Trace& trace, ChecksumReader& checks) {
  if (database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'lane_origins'") == 0)
    return;
  CheckedRows rows(
      checks, "lane_origins",
      database.prepare(
          "SELECT lane, role, process, context, number FROM lane_origins ORDER BY lane"));
  const Statement& row = rows.row();
  while (rows.step()) {
    const auto lane =
        static_cast<std::uint16_t>(index_in(row.integer(0), trace.lanes.size(), "lane"));
    trace.lane_origins.push_back({lane, named(kLaneRoles, row.text(1), "role of a lane"),
                                  row.integer(2), row.integer(3), row.integer(4)});
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

void read_regions(Database& database, std::vector<Region>& regions, ChecksumReader& checks) {
  CheckedRows rows(
      checks, "regions",
      database.prepare("SELECT id, kind, stream, space, bytes, device FROM regions ORDER BY id"));
  const Statement& row = rows.row();
  while (rows.step()) {
    Region region;
    region.id = RegionId(next_id(row, regions.size(), "regions"));
    region.kind = region_kind(row.text(1));
    if (!row.is_null(2)) {
      region.stream = stream_from_name(row.text(2));
      if (!region.stream) throw DamagedTrace(fmt::format("stream \"{}\" is unknown", row.text(2)));
    }
    region.bytes = size_in(row.integer(4), "region size");
    region.device = small(row.integer(5), "device");
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

void read_tensors(Database& database, Trace& trace, ChecksumReader& checks) {
  CheckedRows rows(checks, "tensors",
                   database.prepare("SELECT id, name, shape, dtype, variant, region, offset, bytes "
                                    "FROM tensors ORDER BY id"));
  const Statement& row = rows.row();
  while (rows.step()) {
    next_id(row, trace.tensors.size(), "tensors");
    const RegionId region(index_in(row.integer(5), trace.regions.size(), "region"));
    trace.tensors.push_back({row.text(1), row.text(2), row.text(3), row.text(4), region,
                             size_in(row.integer(6), "offset"), size_in(row.integer(7), "size")});
  }
}

void insert_tasks(Database& database, const std::vector<TraceTask>& tasks, std::size_t first) {
  Statement insert =
      database.prepare("INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  Statement cover = database.prepare("INSERT INTO task_covers VALUES (?, ?, ?)");
  Statement access_row =
      database.prepare("INSERT INTO accesses VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const TraceTask& task = tasks[i];
    const std::size_t id = first + i;
    std::optional<std::uint32_t> lane;
    if (task.policy_lane) lane = task.policy_lane->value();
    insert.run(id, task.name, task.layer, task.op_kind, task.part, task.graph, task.shape,
               task.representative, lane, task.placement_reason, task.workspace_bytes, task.flops,
               task.bytes);
    for (std::size_t at = 0; at < task.covers.size(); ++at)
      cover.run(id, at, task.covers[at]);
    for (std::size_t at = 0; at < task.accesses.size(); ++at) {
      const Access& access = task.accesses[at];
      access_row.run(id, at, access.region.value(), word(kSpaces, access.space), access.device,
                     access.offset, access.bytes, access.stride, access.count,
                     word(kModes, access.mode), word(kBounds, access.bound),
                     word(kOrigins, access.origin));
    }
  }
}

Access access_of(const Statement& row, const Trace& trace) {
  Access access;
  access.region = RegionId(index_in(row.integer(2), trace.regions.size(), "region"));
  access.space = value_of(kSpaces, row.text(3), "memory space");
  access.device = small(row.integer(4), "device");
  access.offset = size_in(row.integer(5), "offset");
  access.bytes = size_in(row.integer(6), "size");
  access.stride = size_in(row.integer(7), "stride");
  access.count = size_in(row.integer(8), "count");
  access.mode = value_of(kModes, row.text(9), "access mode");
  access.bound = value_of(kBounds, row.text(10), "access bound");
  access.origin = value_of(kOrigins, row.text(11), "access origin");
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

void read_tasks(Database& database, Trace& trace, ChecksumReader& checks) {
  CheckedRows rows(
      checks, "tasks",
      database.prepare(
          "SELECT id, name, layer, op_kind, part, graph, shape, representative, policy_lane, "
          "placement_reason, workspace_bytes, flops, bytes FROM tasks ORDER BY id"));
  const Statement& row = rows.row();
  while (rows.step()) {
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
  CheckedRows covers(
      checks, "task_covers",
      database.prepare(
          "SELECT task, position, semantic_id FROM task_covers ORDER BY task, position"));
  const Statement& cover = covers.row();
  while (covers.step()) {
    trace.tasks[index_in(cover.integer(0), trace.tasks.size(), "task")].covers.push_back(
        cover.text(2));
  }
  CheckedRows accesses(
      checks, "accesses",
      database.prepare("SELECT task, position, region, space, device, offset, bytes, stride, "
                       "count, mode, bound, origin FROM accesses ORDER BY task, position"));
  const Statement& access = accesses.row();
  while (accesses.step()) {
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

void read_graphs(Database& database, Trace& trace, ChecksumReader& checks) {
  CheckedRows rows(
      checks, "graphs",
      database.prepare("SELECT id, name, primary_lane, empty FROM graphs ORDER BY id"));
  const Statement& row = rows.row();
  while (rows.step()) {
    next_id(row, trace.graphs.size(), "graphs");
    const LaneId primary(index_in(row.integer(2), trace.lanes.size(), "lane"));
    trace.graphs.push_back({row.text(1), primary, {}, {}, row.integer(3) != 0});
  }
  CheckedRows members(
      checks, "graph_tasks",
      database.prepare("SELECT graph, position, task FROM graph_tasks ORDER BY graph, position"));
  const Statement& member = members.row();
  while (members.step()) {
    trace.graphs[index_in(member.integer(0), trace.graphs.size(), "graph")].tasks.push_back(
        index_in(member.integer(2), trace.tasks.size(), "task"));
  }
  CheckedRows edges(checks, "edges",
                    database.prepare("SELECT graph, position, from_task, to_task, rule, reason "
                                     "FROM edges ORDER BY graph, position"));
  const Statement& edge = edges.row();
  while (edges.step()) {
    trace.graphs[index_in(edge.integer(0), trace.graphs.size(), "graph")].edges.push_back(
        {index_in(edge.integer(2), trace.tasks.size(), "task"),
         index_in(edge.integer(3), trace.tasks.size(), "task"), edge.text(4), edge.text(5)});
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

void read_commands(Database& database, std::vector<TraceCommand>& commands,
                   ChecksumReader& checks) {
  CheckedRows rows(checks, "commands",
                   database.prepare("SELECT id, variant, position, kind, actor, stream, graph, "
                                    "event, steps, why FROM commands ORDER BY id"));
  const Statement& row = rows.row();
  while (rows.step()) {
    next_id(row, commands.size(), "commands");
    const int position = small(row.integer(2), "position");
    commands.push_back({row.text(1), static_cast<std::uint32_t>(position), row.text(3), row.text(4),
                        row.text(5), row.text(6), row.text(7), small(row.integer(8), "steps"),
                        row.text(9)});
  }
}

constexpr std::array kActivityKinds = {
    std::pair(ActivityKind::kernel, name_of(ActivityKind::kernel)),
    std::pair(ActivityKind::memcpy, name_of(ActivityKind::memcpy)),
    std::pair(ActivityKind::memset, name_of(ActivityKind::memset)),
    std::pair(ActivityKind::graph, name_of(ActivityKind::graph)),
    std::pair(ActivityKind::host_range, name_of(ActivityKind::host_range)),
    std::pair(ActivityKind::api_call, name_of(ActivityKind::api_call))};
static_assert(kActivityKinds.size() == kActivityKindCount);

/// Node ids use all 64 bits; SQLite's integers are signed.
std::optional<std::int64_t> as_signed(const std::optional<std::uint64_t>& value) {
  return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

std::optional<std::uint64_t> any_bits(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return static_cast<std::uint64_t>(row.integer(column));
}

void insert_activities(Database& database, const std::vector<TraceActivity>& activities,
                       std::size_t first) {
  Statement insert = database.prepare(
      "INSERT INTO activities VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (std::size_t i = 0; i < activities.size(); ++i) {
    const TraceActivity& activity = activities[i];
    const auto launch = [&activity](auto member) {
      return activity.launch ? std::optional(static_cast<std::int64_t>(member(*activity.launch)))
                             : std::nullopt;
    };
    const auto grid = [&](std::size_t d) {
      return launch([d](const LaunchShape& shape) { return shape.grid[d]; });
    };
    const auto block = [&](std::size_t d) {
      return launch([d](const LaunchShape& shape) { return shape.block[d]; });
    };
    insert.run(first + i, word(kActivityKinds, activity.kind), activity.name,
               as_signed(activity.graph_node), as_signed(activity.captured_node), grid(0), grid(1),
               grid(2), block(0), block(1), block(2),
               launch([](const LaunchShape& shape) { return shape.registers; }),
               launch([](const LaunchShape& shape) { return shape.static_shared_bytes; }),
               launch([](const LaunchShape& shape) { return shape.dynamic_shared_bytes; }),
               activity.launch ? activity.launch->occupancy : std::nullopt,
               as_signed(activity.bytes));
  }
}

std::uint32_t dimension(const Statement& row, int column) {
  const std::int64_t value = row.integer(column);
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
    throw DamagedTrace(fmt::format("launch dimension {} is out of range", value));
  return static_cast<std::uint32_t>(value);
}

void read_activities(Database& database, std::vector<TraceActivity>& activities,
                     ChecksumReader& checks) {
  CheckedRows rows(
      checks, "activities",
      database.prepare(
          "SELECT id, kind, name, graph_node, captured_node, grid_x, grid_y, grid_z, block_x, "
          "block_y, block_z, registers, static_shared_bytes, dynamic_shared_bytes, occupancy, "
          "bytes FROM activities ORDER BY id"));
  const Statement& row = rows.row();
  while (rows.step()) {
    next_id(row, activities.size(), "activities");
    TraceActivity activity;
    activity.kind = value_of(kActivityKinds, row.text(1), "activity kind");
    activity.name = row.text(2);
    activity.graph_node = any_bits(row, 3);
    activity.captured_node = any_bits(row, 4);
    if (!row.is_null(5)) {
      LaunchShape launch;
      launch.grid = {dimension(row, 5), dimension(row, 6), dimension(row, 7)};
      launch.block = {dimension(row, 8), dimension(row, 9), dimension(row, 10)};
      launch.registers = dimension(row, 11);
      launch.static_shared_bytes = size_in(row.integer(12), "shared memory");
      launch.dynamic_shared_bytes = size_in(row.integer(13), "shared memory");
      if (!row.is_null(14) && std::isfinite(row.real(14))) launch.occupancy = row.real(14);
      activity.launch = launch;
    }
    activity.bytes = any_bits(row, 15);
    activities.push_back(std::move(activity));
  }
}

}  // namespace

void append_plan(Database& database, const TraceBatch& batch) {
  const auto rows = [&database](const char* table) {
    return static_cast<std::size_t>(
        database.integer(fmt::format("SELECT count(*) FROM {}", table).c_str()));
  };
  write_lanes(database, batch.lanes);
  if (!batch.tasks.empty()) insert_tasks(database, batch.tasks, rows("tasks"));
  if (!batch.activities.empty()) insert_activities(database, batch.activities, rows("activities"));
}

void write_provenance(Database& database, const Provenance& provenance) {
  change_table(database, "provenance", [&] {
    Statement insert = database.prepare("INSERT OR REPLACE INTO provenance VALUES (?, ?)");
    for (const auto& [key, value] : provenance)
      insert.run(key, value);
  });
}

void write_findings(Database& database, const std::vector<Finding>& findings,
                    std::string_view replaced) {
  change_table(database, "findings", [&] {
    if (!replaced.empty()) database.prepare("DELETE FROM findings WHERE name = ?").run(replaced);
    Statement insert = database.prepare(
        "INSERT INTO findings(severity, name, message, count) VALUES (?, ?, ?, ?)");
    for (const Finding& finding : findings) {
      insert.run(name_of(finding.severity), finding.name, finding.message, finding.count);
    }
  });
}

void write_plan(Database& database, const Trace& trace) {
  write_provenance(database, trace.provenance);
  write_findings(database, trace.findings);
  write_lanes(database, trace.lanes);
  write_lane_origins(database, trace.lane_origins);
  write_regions(database, trace.regions);
  write_tensors(database, trace.tensors);
  insert_tasks(database, trace.tasks, 0);
  write_graphs(database, trace.graphs);
  write_commands(database, trace.commands);
  insert_activities(database, trace.activities, 0);
}

Provenance read_provenance(Database& database, ChecksumReader& checks) {
  Provenance provenance;
  CheckedRows rows(checks, "provenance",
                   database.prepare("SELECT key, value FROM provenance ORDER BY rowid"));
  while (rows.step())
    provenance[rows.row().text(0)] = rows.row().text(1);
  return provenance;
}

void read_plan(Database& database, Trace& trace, ChecksumReader& checks) {
  trace.provenance = read_provenance(database, checks);
  CheckedRows findings(
      checks, "findings",
      database.prepare("SELECT id, severity, name, message, count FROM findings ORDER BY id"));
  const Statement& finding = findings.row();
  while (findings.step()) {
    trace.findings.push_back({named(kSeverities, finding.text(1), "severity"), finding.text(2),
                              finding.text(3), finding.integer(4)});
  }
  read_lanes(database, trace.lanes, checks);
  read_lane_origins(database, trace, checks);
  read_regions(database, trace.regions, checks);
  read_tensors(database, trace, checks);
  read_tasks(database, trace, checks);
  read_graphs(database, trace, checks);
  read_commands(database, trace.commands, checks);
  read_activities(database, trace.activities, checks);
}

}  // namespace quintet
