#include "profiler/trace/trace_trim.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string_view>

namespace quintet {

namespace {

/// The shape of what all shape variants share.
constexpr const char* kAnyShape = "any";

/// The rows that `keep` wants, in their order.
template <class Row, class Keep>
std::vector<Row> filtered(const std::vector<Row>& rows, Keep keep) {
  std::vector<Row> kept;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept), keep);
  return kept;
}

/// The measured part, with the numbers of the whole trace.
void keep_measured(const Trace& trace, StepRange range, Trace& kept) {
  kept.steps = trace.steps;
  kept.spans = trace.spans;
  kept.untimed = trace.untimed;
  kept.host_waits = trace.host_waits;
  kept.launches = trace.launches;
  kept.clocks = trace.clocks;
  kept.lane_clocks = trace.lane_clocks;
  kept.clock_pairs = trace.clock_pairs;
  cut_steps(kept, range, WorkBeside::keep);
}

/// Which rows of a table stay, and under which number.
class Renumbering {
 public:
  explicit Renumbering(std::size_t rows) : kept_(rows, false) {}
  void keep(std::size_t row) {
    if (row < kept_.size()) kept_[row] = true;
  }
  [[nodiscard]] bool keeps(std::size_t row) const { return row < kept_.size() && kept_[row]; }
  /// To be called once, when all that stays is known.
  void number() {
    std::uint32_t next = 0;
    for (const bool kept : kept_) {
      numbers_.push_back(next);
      if (kept) ++next;
    }
  }
  /// Meaningless for a row that goes.
  [[nodiscard]] std::uint32_t of(std::size_t row) const { return numbers_[row]; }
  template <class Row>
  [[nodiscard]] std::vector<Row> rows(const std::vector<Row>& all) const {
    std::vector<Row> kept;
    for (std::size_t row = 0; row < all.size(); ++row) {
      if (keeps(row)) kept.push_back(all[row]);
    }
    return kept;
  }

 private:
  std::vector<bool> kept_;
  std::vector<std::uint32_t> numbers_;
};

struct Kept {
  std::set<std::string, std::less<>> shapes;
  Renumbering tasks;
  Renumbering graphs;
  Renumbering activities;
};

/// What the kept steps ran, before anything is added to make it whole.
Kept ran(const Trace& trace, const Trace& kept) {
  Kept ran{{kAnyShape},
           Renumbering(trace.tasks.size()),
           Renumbering(trace.graphs.size()),
           Renumbering(trace.activities.size())};
  for (const TraceStep& step : kept.steps)
    ran.shapes.insert(step.shape);
  for (const std::uint32_t task : kept.spans.task)
    ran.tasks.keep(task);
  for (const std::uint32_t activity : kept.spans.activity)
    ran.activities.keep(activity);  // kWholeTask lies outside of every table
  for (const TraceUntimed& each : kept.untimed) {
    ran.tasks.keep(each.task);
    ran.activities.keep(each.activity);
  }
  for (const TraceLaunch& launch : kept.launches)
    ran.graphs.keep(launch.graph);
  return ran;
}

/// Adds the tasks of kept shapes, and the graphs that they make up. A graph that ran stays whole; one
/// of a shape that did not run goes, though it may share tasks of any shape.
void complete_plan(const Trace& trace, Kept& kept) {
  for (std::size_t task = 0; task < trace.tasks.size(); ++task) {
    if (kept.tasks.keeps(task)) kept.shapes.insert(trace.tasks[task].shape);
  }
  for (std::size_t task = 0; task < trace.tasks.size(); ++task) {
    if (kept.shapes.contains(trace.tasks[task].shape)) kept.tasks.keep(task);
  }
  for (std::size_t index = 0; index < trace.graphs.size(); ++index) {
    if (!kept.graphs.keeps(index)) continue;
    for (const std::uint32_t task : trace.graphs[index].tasks)
      kept.tasks.keep(task);
  }
  for (std::size_t index = 0; index < trace.graphs.size(); ++index) {
    const std::vector<std::uint32_t>& tasks = trace.graphs[index].tasks;
    const auto stays = [&kept](std::uint32_t task) { return kept.tasks.keeps(task); };
    if (std::all_of(tasks.begin(), tasks.end(), stays)) kept.graphs.keep(index);
  }
}

/// True where a program's name ("train A train>eval": phase, slot, shape, prefetched shape) names
/// kept shapes alone.
bool names_kept_shapes(std::string_view variant, const Kept& kept) {
  const std::size_t blank = variant.rfind(' ');
  std::string_view shapes = variant.substr(blank == std::string_view::npos ? 0 : blank + 1);
  while (!shapes.empty()) {
    const std::size_t end = std::min(shapes.find('>'), shapes.size());
    if (!kept.shapes.contains(shapes.substr(0, end))) return false;
    shapes.remove_prefix(std::min(end + 1, shapes.size()));
  }
  return true;
}

void keep_plan(const Trace& trace, const Kept& kept, Trace& result) {
  result.lanes = trace.lanes;
  result.lane_origins = trace.lane_origins;
  result.regions = trace.regions;
  result.tensors = filtered(trace.tensors, [&kept](const TraceTensor& tensor) {
    return kept.shapes.contains(tensor.variant);
  });
  result.tasks = kept.tasks.rows(trace.tasks);
  result.graphs = kept.graphs.rows(trace.graphs);
  for (TraceGraph& graph : result.graphs) {
    for (std::uint32_t& task : graph.tasks)
      task = kept.tasks.of(task);
    for (TraceEdge& edge : graph.edges) {
      edge.from = kept.tasks.of(edge.from);
      edge.to = kept.tasks.of(edge.to);
    }
  }
  result.commands = filtered(trace.commands, [&kept](const TraceCommand& command) {
    return names_kept_shapes(command.variant, kept);
  });
  result.activities = kept.activities.rows(trace.activities);
}

void renumber(const Kept& kept, Trace& result) {
  for (std::uint32_t& task : result.spans.task)
    task = kept.tasks.of(task);
  for (std::uint32_t& activity : result.spans.activity)
    activity = activity == kWholeTask ? kWholeTask : kept.activities.of(activity);
  for (TraceUntimed& each : result.untimed) {
    each.task = kept.tasks.of(each.task);
    each.activity = kept.activities.of(each.activity);
  }
  for (TraceLaunch& launch : result.launches)
    launch.graph = kept.graphs.of(launch.graph);
}

Finding trimmed(const Trace& whole, const Trace& kept, StepRange range) {
  const std::size_t left_out = whole.steps.size() - kept.steps.size();
  return {Severity::info, "trimmed",
          fmt::format("holds steps {} to {}, {} of {}, with {} of {} spans and {} of {} tasks",
                      range.first, range.last, kept.steps.size(), whole.steps.size(),
                      kept.spans.size(), whole.spans.size(), kept.tasks.size(), whole.tasks.size()),
          static_cast<std::int64_t>(left_out)};
}

}  // namespace

Trace trim_trace(const Trace& trace, StepRange range) {
  Trace result;
  result.state = trace.state;
  result.provenance = trace.provenance;
  result.findings = trace.findings;
  keep_measured(trace, range, result);
  Kept kept = ran(trace, result);
  complete_plan(trace, kept);
  kept.tasks.number();
  kept.graphs.number();
  kept.activities.number();
  keep_plan(trace, kept, result);
  renumber(kept, result);
  result.findings.push_back(trimmed(trace, result, range));
  return result;
}

}  // namespace quintet
