#include "viewer/model/task_facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

#include "profiler/report/format.h"

namespace quintet::viewer {

namespace {

constexpr std::size_t kMostLines = 12;

const ReportTask* row_of(std::uint32_t task, const Report* report) {
  if (report == nullptr) return nullptr;
  const auto found = std::find_if(report->tasks.begin(), report->tasks.end(),
                                  [&](const ReportTask& row) { return row.index == task; });
  return found == report->tasks.end() ? nullptr : &*found;
}

std::string_view why_unmeasured(const Report* report) {
  return report == nullptr ? "it is being measured" : "it did not run in a timed step";
}

std::string lane_name(const Trace& trace, std::optional<LaneId> lane) {
  return lane && lane->value() < trace.lanes.size() ? trace.lanes[lane->value()].name
                                                    : std::string();
}

/// Names of the tensors of the task's shape variant that an access touches, without repeats.
std::vector<std::string> tensors_in(const Trace& trace, const TraceTask& task,
                                    const Access& access) {
  std::vector<std::string> names;
  for (const TraceTensor& tensor : trace.tensors) {
    const bool same_variant =
        tensor.variant.empty() || task.shape.empty() || tensor.variant == task.shape;
    if (tensor.region != access.region || !same_variant) continue;
    if (tensor.offset >= access.end() || access.offset >= tensor.offset + tensor.bytes) continue;
    if (std::find(names.begin(), names.end(), tensor.name) == names.end())
      names.push_back(tensor.name);
  }
  return names;
}

std::string region_name(const Trace& trace, RegionId region) {
  return region.value() < trace.regions.size()
             ? std::string(name_of(trace.regions[region.value()].kind))
             : fmt::format("region {}", region.value());
}

/// At most three names, and how many more.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kNames = 3;
  const std::size_t shown = std::min(names.size(), kNames);
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

DetailLine link_to(const Trace& trace, std::uint32_t task, const Selection& from, std::string label,
                   std::string note) {
  DetailLine line;
  line.label = std::move(label);
  line.value = trace.tasks[task].name;
  line.note = std::move(note);
  Selection link;
  link.side = from.side;
  link.task = task;
  link.step = from.step;
  line.link = link;
  return line;
}

void add_edges(const Trace& trace, const Selection& selection, bool before, DetailList& list) {
  DetailSection section{before ? "Before it" : "After it", {}};
  std::set<std::uint32_t> seen;
  std::size_t more = 0;
  for (const TraceGraph& graph : trace.graphs) {
    for (const TraceEdge& edge : graph.edges) {
      const std::uint32_t own = before ? edge.to : edge.from;
      const std::uint32_t other = before ? edge.from : edge.to;
      if (own != *selection.task || other >= trace.tasks.size() || !seen.insert(other).second)
        continue;
      if (section.lines.size() >= kMostLines) {
        ++more;
        continue;
      }
      section.lines.push_back(link_to(trace, other, selection, edge.rule, edge.reason));
    }
  }
  if (more > 0) add_fact(section, "", fmt::format("and {} more", more));
  if (!section.lines.empty()) list.sections.push_back(std::move(section));
}

}  // namespace

void add_fact(DetailSection& section, std::string label, std::string value, std::string note) {
  section.lines.push_back({std::move(label), std::move(value), std::move(note), false, {}});
}

void add_unknown(DetailSection& section, std::string label, const std::string& reason) {
  section.lines.push_back({std::move(label), "unknown: " + reason, {}, true, {}});
}

DetailSection task_section(const Trace& trace, const TraceTask& task) {
  DetailSection section{"Task", {}};
  if (!task.layer.empty()) add_fact(section, "layer", task.layer);
  if (!task.op_kind.empty()) add_fact(section, "op", task.op_kind);
  if (!task.part.empty()) add_fact(section, "part", task.part);
  if (!task.graph.empty()) {
    add_fact(section, "sub-graph",
             task.shape.empty() ? task.graph : fmt::format("{}, {}", task.graph, task.shape));
  }
  if (const std::string lane = lane_name(trace, task.policy_lane); !lane.empty()) {
    add_fact(section, "policy stream", lane, task.placement_reason);
    if (!task.placement_reason.empty()) add_fact(section, "why there", task.placement_reason);
  } else {
    add_unknown(section, "policy stream", "no policy placed it");
  }
  if (task.covers.size() > 1) {
    add_fact(section, "covers", fmt::format("{}", fmt::join(task.covers, ", ")),
             "what this fused task does in one");
  }
  return section;
}

DetailSection time_section(std::uint32_t task, const Report* report) {
  DetailSection section{"Time over steps", {}};
  const ReportTask* row = row_of(task, report);
  if (row == nullptr || row->time_ns.count == 0) {
    add_unknown(section, "busy", std::string(why_unmeasured(report)));
    return section;
  }
  const Distribution& time = row->time_ns;
  add_fact(section, "busy",
           fmt::format("{} ({} to {})", format_duration(time.median), format_duration(time.p05),
                       format_duration(time.p95)),
           fmt::format("median, 5 % and 95 % quantile over {} steps", time.count));
  add_fact(section, "of the step", format_percentage(row->share));
  if (row->slack_known) {
    add_fact(section, "slack", format_duration(row->slack_ns),
             "how much later it could end without a longer step; median");
    add_fact(section, "critical", format_percentage(row->critical),
             "share of its runs that were on the critical path");
  } else {
    add_unknown(section, "slack", "no critical path was computed for its steps");
  }
  return section;
}

DetailSection work_section(const TraceTask& task, std::uint32_t index, const Report* report) {
  DetailSection section{"Work", {}};
  const ReportTask* row = row_of(index, report);
  const double time = row == nullptr ? 0 : row->time_ns.median;
  constexpr double kSecond = 1e9;
  if (task.flops > 0) {
    add_fact(section, "operations", format_number(task.flops) + " FLOP");
    if (time > 0) add_fact(section, "rate", format_per_second(task.flops / time * kSecond, "FLOP"));
  } else {
    add_unknown(section, "operations", "not told for this task");
  }
  if (task.bytes > 0) {
    add_fact(section, "bytes moved", format_bytes(task.bytes));
    if (time > 0)
      add_fact(section, "bandwidth", format_per_second(task.bytes / time * kSecond, "B"));
  } else {
    add_unknown(section, "bytes moved", "not told for this task");
  }
  if (task.workspace_bytes > 0) {
    add_fact(section, "workspace", format_bytes(static_cast<double>(task.workspace_bytes)));
  }
  return section;
}

DetailSection access_section(const Trace& trace, const TraceTask& task) {
  DetailSection section{"Memory", {}};
  if (task.accesses.empty()) {
    add_unknown(section, "reads, writes", "no accesses were declared");
    return section;
  }
  for (const Access& access : task.accesses) {
    if (section.lines.size() >= kMostLines) {
      add_fact(section, "", fmt::format("and {} more", task.accesses.size() - kMostLines));
      break;
    }
    const std::vector<std::string> tensors = tensors_in(trace, task, access);
    const std::string where = region_name(trace, access.region);
    const double bytes = static_cast<double>(access.bytes) * static_cast<double>(access.count);
    add_fact(section, std::string(name_of(access.mode)),
             fmt::format("{}{}", format_bytes(bytes),
                         tensors.empty() ? " of " + where : ", " + some_of(tensors)),
             fmt::format("{}, bytes {} to {}{}", where, access.offset, access.end(),
                         access.bound == AccessBound::upper ? ", at most" : ""));
  }
  return section;
}

void add_neighbour_sections(const Trace& trace, const Selection& selection, DetailList& list) {
  add_edges(trace, selection, true, list);
  add_edges(trace, selection, false, list);
}

}  // namespace quintet::viewer
