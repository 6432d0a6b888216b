#include "profiler/wire/plan_message.h"

#include <array>
#include <cstddef>
#include <limits>

#include "profiler/wire/activity_json.h"
#include "profiler/wire/task_columns.h"

namespace quintet {

namespace {

constexpr std::int64_t kMostIndex = std::numeric_limits<std::uint32_t>::max();

WireJson regions_json(const std::vector<Region>& regions) {
  WireJson list = WireJson::array();
  for (const Region& region : regions) {
    list.push_back({{"kind", name_of(region.kind)},
                    {"stream", region.stream ? WireJson(name_of(*region.stream)) : WireJson()},
                    {"bytes", region.bytes},
                    {"device", region.device}});
  }
  return list;
}

std::vector<Region> read_regions(FieldReader& reader) {
  std::vector<Region> regions;
  reader.objects("regions", [&](FieldReader& row) {
    Region region;
    region.id = RegionId(static_cast<std::uint32_t>(regions.size()));
    const std::string kind = row.text("kind");
    std::size_t i = 0;
    while (i < kRegionKindCount && name_of(static_cast<RegionKind>(i)) != kind)
      ++i;
    if (i == kRegionKindCount) return row.refuse("kind", fmt::format("is \"{}\"", kind));
    region.kind = static_cast<RegionKind>(i);
    if (const std::string stream = row.optional_text("stream"); !stream.empty()) {
      region.stream = stream_from_name(stream);
      if (!region.stream) row.refuse("stream", fmt::format("is \"{}\"", stream));
    }
    region.bytes = row.size("bytes");
    region.device = row.small<int>("device");
    regions.push_back(region);
  });
  return regions;
}

WireJson tensors_json(const std::vector<TraceTensor>& tensors) {
  WireJson list = WireJson::array();
  for (const TraceTensor& tensor : tensors) {
    list.push_back({{"name", tensor.name},
                    {"shape", tensor.shape},
                    {"dtype", tensor.dtype},
                    {"variant", tensor.variant},
                    {"region", tensor.region.value()},
                    {"offset", tensor.offset},
                    {"bytes", tensor.bytes}});
  }
  return list;
}

std::vector<TraceTensor> read_tensors(FieldReader& reader, std::size_t regions) {
  std::vector<TraceTensor> tensors;
  const auto most = static_cast<std::int64_t>(regions) - 1;
  reader.objects("tensors", [&](FieldReader& row) {
    tensors.push_back({row.text("name"), row.text("shape"), row.text("dtype"), row.text("variant"),
                       RegionId(static_cast<std::uint32_t>(row.integer("region", 0, most))),
                       row.size("offset"), row.size("bytes")});
  });
  return tensors;
}

WireJson graphs_json(const std::vector<TraceGraph>& graphs) {
  WireJson list = WireJson::array();
  for (const TraceGraph& graph : graphs) {
    WireJson edges = WireJson::array();
    for (const TraceEdge& edge : graph.edges) {
      edges.push_back(
          {{"from", edge.from}, {"to", edge.to}, {"rule", edge.rule}, {"reason", edge.reason}});
    }
    list.push_back({{"name", graph.name},
                    {"primary_lane", graph.primary.value()},
                    {"empty", graph.empty},
                    {"task_count", graph.tasks.size()},
                    {"tasks", column_json(graph.tasks)},
                    {"edges", std::move(edges)}});
  }
  return list;
}

TraceGraph read_graph(FieldReader& row, const Trace& plan) {
  const auto most_task = static_cast<std::int64_t>(plan.tasks.size()) - 1;
  const auto most_lane = static_cast<std::int64_t>(plan.lanes.size()) - 1;
  TraceGraph graph;
  graph.name = row.text("name");
  graph.primary = LaneId(static_cast<std::uint32_t>(row.integer("primary_lane", 0, most_lane)));
  graph.empty = row.flag("empty");
  const auto count = static_cast<std::size_t>(row.integer("task_count", 0, kMostIndex));
  graph.tasks = row.column<std::uint32_t>("tasks", count);
  for (const std::uint32_t task : graph.tasks) {
    if (task >= plan.tasks.size()) row.refuse("tasks", fmt::format("hold {}", task));
  }
  row.objects("edges", [&](FieldReader& edge) {
    graph.edges.push_back({static_cast<std::uint32_t>(edge.integer("from", 0, most_task)),
                           static_cast<std::uint32_t>(edge.integer("to", 0, most_task)),
                           edge.text("rule"), edge.text("reason")});
  });
  return graph;
}

WireJson commands_json(const std::vector<TraceCommand>& commands) {
  WireJson list = WireJson::array();
  for (const TraceCommand& command : commands) {
    list.push_back({{"variant", command.variant},
                    {"position", command.position},
                    {"kind", command.kind},
                    {"actor", command.actor},
                    {"stream", command.stream},
                    {"graph", command.graph},
                    {"event", command.event},
                    {"steps", command.steps},
                    {"why", command.why}});
  }
  return list;
}

std::vector<TraceCommand> read_commands(FieldReader& reader) {
  std::vector<TraceCommand> commands;
  reader.objects("commands", [&](FieldReader& row) {
    commands.push_back({row.text("variant"), row.small<std::uint32_t>("position"), row.text("kind"),
                        row.text("actor"), row.text("stream"), row.text("graph"), row.text("event"),
                        row.small<std::int32_t>("steps"), row.text("why")});
  });
  return commands;
}

/// What read_lanes and read_tasks leave to who knows the tables.
void check_tasks(FieldReader& reader, const Trace& plan) {
  if (plan.lanes.size() > std::numeric_limits<std::uint16_t>::max()) {
    reader.refuse("lanes", "are too many");
  }
  for (const TraceTask& task : plan.tasks) {
    if (task.policy_lane && task.policy_lane->value() >= plan.lanes.size()) {
      reader.refuse("tasks", fmt::format("name lane {}", task.policy_lane->value()));
    }
    for (const Access& access : task.accesses) {
      if (access.region.value() >= plan.regions.size()) {
        reader.refuse("tasks", fmt::format("name region {}", access.region.value()));
      }
    }
  }
}

}  // namespace

WireJson lanes_json(const LaneTable& lanes) {
  WireJson list = WireJson::array();
  for (const Lane& lane : lanes) {
    list.push_back({{"id", lane.id.value()},
                    {"name", lane.name},
                    {"kind", name_of(lane.kind)},
                    {"device", lane.device},
                    {"rank", lane.rank},
                    {"priority", lane.priority}});
  }
  return list;
}

LaneTable read_lanes(FieldReader& reader, const char* key) {
  LaneTable lanes;
  reader.objects(key, [&](FieldReader& row) {
    lanes.push_back({LaneId(row.small<std::uint32_t>("id")), row.text("name"),
                     row.word("kind", kLaneKinds), row.small<int>("device"), row.small<int>("rank"),
                     row.small<int>("priority")});
  });
  return lanes;
}

WireJson tasks_json(const std::vector<TraceTask>& tasks) {
  WireJson list = WireJson::array();
  for (const TraceTask& task : tasks) {
    list.push_back({{"name", task.name},
                    {"layer", task.layer},
                    {"op_kind", task.op_kind},
                    {"part", task.part},
                    {"graph", task.graph},
                    {"shape", task.shape},
                    {"representative", task.representative},
                    {"lane", task.policy_lane ? WireJson(task.policy_lane->value()) : WireJson()},
                    {"reason", task.placement_reason},
                    {"covers", task.covers},
                    {"workspace_bytes", task.workspace_bytes},
                    {"flops", task.flops},
                    {"bytes", task.bytes}});
  }
  return {{"list", std::move(list)}, {"accesses", accesses_json(tasks)}};
}

std::vector<TraceTask> read_tasks(FieldReader& reader, const char* key) {
  std::vector<TraceTask> tasks;
  reader.object(key, [&](FieldReader& table) {
    table.objects("list", [&](FieldReader& row) {
      TraceTask task;
      task.name = row.text("name");
      task.layer = row.text("layer");
      task.op_kind = row.text("op_kind");
      task.part = row.text("part");
      task.graph = row.text("graph");
      task.shape = row.text("shape");
      task.representative = row.flag("representative");
      if (const auto lane = row.optional_integer("lane", 0, kMostIndex)) {
        task.policy_lane = LaneId(static_cast<std::uint32_t>(*lane));
      }
      task.placement_reason = row.text("reason");
      task.covers = row.texts("covers");
      task.workspace_bytes = row.size("workspace_bytes");
      task.flops = row.real("flops");
      task.bytes = row.real("bytes");
      tasks.push_back(std::move(task));
    });
    table.object("accesses", [&](FieldReader& columns) { read_accesses(columns, tasks); });
  });
  return tasks;
}

WireJson findings_json_of(const std::vector<Finding>& findings) {
  WireJson list = WireJson::array();
  for (const Finding& finding : findings) {
    list.push_back({{"severity", name_of(finding.severity)},
                    {"name", finding.name},
                    {"message", finding.message},
                    {"count", finding.count}});
  }
  return list;
}

std::vector<Finding> read_findings(FieldReader& reader, const char* key) {
  std::vector<Finding> findings;
  reader.objects(key, [&](FieldReader& row) {
    findings.push_back({row.word("severity", kSeverities), row.text("name"), row.text("message"),
                        row.integer("count")});
    if (findings.back().name.empty()) row.refuse("name", "is empty");
  });
  return findings;
}

WireJson provenance_json(const Provenance& provenance) {
  WireJson object = WireJson::object();
  for (const auto& [key, value] : provenance)
    object[key] = value;
  return object;
}

Provenance read_provenance_of(FieldReader& reader, const char* key) {
  Provenance provenance;
  const WireJson* object = reader.find(key);
  if (object == nullptr || !object->is_object()) {
    reader.refuse(key, "is no object");
    return provenance;
  }
  reader.object(key, [&](FieldReader& values) {
    for (const auto& [name, value] : object->items())
      provenance[name] = values.text(name.c_str());
  });
  return provenance;
}

WireJson TaskGraphMessage::to_json() const {
  return {{"run", run},
          {"recording", recording},
          {"provenance", provenance_json(plan.provenance)},
          {"lanes", lanes_json(plan.lanes)},
          {"regions", regions_json(plan.regions)},
          {"tensors", tensors_json(plan.tensors)},
          {"tasks", tasks_json(plan.tasks)},
          {"graphs", graphs_json(plan.graphs)},
          {"commands", commands_json(plan.commands)},
          {"activities", activities_json(plan.activities)},
          {"findings", findings_json_of(plan.findings)}};
}

Result<TaskGraphMessage> TaskGraphMessage::from_json(const WireJson& json) {
  FieldReader reader(json, std::string(kMethod));
  TaskGraphMessage message;
  Trace& plan = message.plan;
  message.run = reader.integer("run", 1);
  message.recording = reader.text("recording");
  plan.state = RecordingState::growing;
  plan.provenance = read_provenance_of(reader, "provenance");
  plan.lanes = read_lanes(reader, "lanes");
  for (std::size_t i = 0; i < plan.lanes.size(); ++i) {
    if (plan.lanes[i].id.value() != i) reader.refuse("lanes", "are not numbered 0, 1, 2, ...");
  }
  plan.regions = read_regions(reader);
  plan.tensors = read_tensors(reader, plan.regions.size());
  plan.tasks = read_tasks(reader, "tasks");
  check_tasks(reader, plan);
  reader.objects("graphs", [&](FieldReader& row) { plan.graphs.push_back(read_graph(row, plan)); });
  plan.commands = read_commands(reader);
  plan.activities = read_activities(reader, "activities");
  plan.findings = read_findings(reader, "findings");
  return reader.result(std::move(message));
}

}  // namespace quintet
