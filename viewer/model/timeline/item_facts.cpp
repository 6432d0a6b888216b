#include "viewer/model/timeline/item_facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "profiler/analysis/device_work.h"
#include "profiler/report/format.h"

namespace quintet::viewer {

namespace {

constexpr const char* kNotSaid = "unknown: the recording does not say it";

class CardBuilder {
 public:
  explicit CardBuilder(std::string title) { card_.title = std::move(title); }
  void add(std::string label, std::string value) {
    if (!value.empty()) card_.facts.push_back({std::move(label), std::move(value)});
  }
  void add_time(const Interval& time, std::int64_t origin) {
    add("begin", format_duration(offset_ns(origin, time.begin)));
    add("duration",
        fmt::format("{} ({} ns)",
                    format_duration(static_cast<double>(length_ns(time.begin, time.end))),
                    length_ns(time.begin, time.end)));
  }
  ItemCard take() { return std::move(card_); }

 private:
  ItemCard card_;
};

std::string lane_name(const Trace& trace, std::uint32_t lane) {
  return lane < trace.lanes.size() ? trace.lanes[lane].name
                                   : fmt::format("(unknown lane {})", lane);
}

std::string task_name(const Trace& trace, std::uint32_t task) {
  return task < trace.tasks.size() ? trace.tasks[task].name
                                   : fmt::format("(unknown task {})", task);
}

void add_activity(const Trace& trace, std::uint32_t activity, CardBuilder& card) {
  if (activity == kWholeTask) {
    card.add("activity", "whole run of the task");
    return;
  }
  if (activity >= trace.activities.size()) {
    card.add("activity", kNotSaid);
    return;
  }
  const TraceActivity& each = trace.activities[activity];
  card.add("activity", std::string(name_of(each.kind)));
  card.add("name", each.name);
  if (each.launch) {
    const LaunchShape& shape = *each.launch;
    card.add("grid", fmt::format("{} x {} x {}", shape.grid[0], shape.grid[1], shape.grid[2]));
    card.add("block", fmt::format("{} x {} x {}", shape.block[0], shape.block[1], shape.block[2]));
    card.add("registers", fmt::format("{} a thread", shape.registers));
    card.add("shared memory", format_bytes(static_cast<double>(shape.static_shared_bytes +
                                                               shape.dynamic_shared_bytes)) +
                                  " a block");
    card.add("occupancy", shape.occupancy ? format_percentage(*shape.occupancy) : kNotSaid);
  }
  if (each.bytes) card.add("bytes", format_bytes(static_cast<double>(*each.bytes)));
  if (each.graph_node) card.add("graph node", fmt::format("{}", *each.graph_node));
  if (each.captured_node) card.add("captured as", fmt::format("{}", *each.captured_node));
}

void add_task(const Trace& trace, std::uint32_t task, CardBuilder& card) {
  if (task >= trace.tasks.size() || is_pseudo_task(trace.tasks[task])) return;
  const TraceTask& each = trace.tasks[task];
  card.add("layer", each.layer);
  card.add("op", each.part.empty() ? each.op_kind : each.op_kind + " / " + each.part);
  card.add("graph", each.graph);
  card.add("placed because", each.placement_reason);
  if (each.flops > 0) card.add("work", format_number(each.flops / 1e9) + " GFLOP");
  if (each.bytes > 0) card.add("traffic", format_bytes(each.bytes));
  if (each.workspace_bytes > 0) {
    card.add("workspace", format_bytes(static_cast<double>(each.workspace_bytes)));
  }
  if (!each.covers.empty()) card.add("covers", fmt::format("{}", fmt::join(each.covers, ", ")));
}

ItemCard span_card(const TimelineIndex& index, std::uint32_t span, std::int64_t origin,
                   const StepInsight* insight) {
  const Trace& trace = index.trace();
  const SpanColumns& spans = trace.spans;
  const std::uint32_t task = spans.task[span];
  CardBuilder card(task_name(trace, task));
  const Interval time = index.time_of(ItemTable::spans, span);
  card.add_time(time, origin);
  card.add("CPU time",
           spans.cpu_ns[span] < 0 ? "" : format_duration(static_cast<double>(spans.cpu_ns[span])));
  if (insight != nullptr) {
    const auto run = insight->run_of(task, time.begin);
    if (run) {
      const std::int64_t slack = insight->runs()[*run].slack_ns;
      card.add("slack", slack == 0 ? "0: on the critical path"
                                   : format_duration(static_cast<double>(slack)));
    }
  }
  card.add("policy stream", lane_name(trace, spans.lane[span]));
  card.add("executor stream", lane_name(trace, spans.executor_lane[span]));
  card.add("step", spans.step[span] < 0 ? "none" : fmt::format("{}", spans.step[span]));
  add_task(trace, task, card);
  add_activity(trace, spans.activity[span], card);
  if (spans.correlation[span] != 0) {
    card.add("correlation", fmt::format("{}", spans.correlation[span]));
  }
  if (spans.channel[span] != kUnknownChannel) {
    card.add("channel", fmt::format("{}", spans.channel[span]));
  }
  return card.take();
}

ItemCard launch_card(const Trace& trace, const TraceLaunch& launch, std::int64_t origin) {
  CardBuilder card("launch of " + (launch.graph < trace.graphs.size()
                                       ? trace.graphs[launch.graph].name
                                       : std::string("an unknown graph")));
  card.add_time({launch.begin_ns, launch.end_ns}, origin);
  card.add("on", lane_name(trace, launch.lane.value()));
  card.add("step", fmt::format("{}", launch.step));
  if (launch.correlation != 0) card.add("correlation", fmt::format("{}", launch.correlation));
  return card.take();
}

ItemCard host_wait_card(const Trace& trace, const TraceHostWait& wait, std::int64_t origin) {
  CardBuilder card(fmt::format("{} on {}", wait.kind, wait.target));
  card.add_time({wait.begin_ns, wait.end_ns}, origin);
  card.add("thread", lane_name(trace, wait.lane.value()));
  card.add("step", fmt::format("{}", wait.step));
  return card.take();
}

ItemCard density_card(const DensityBlock& block, std::int64_t origin) {
  CardBuilder card(block.spans == 1 ? "1 short span" : fmt::format("{} short spans", block.spans));
  card.add_time(block.time, origin);
  card.add("busy", fmt::format("{} ({})", format_percentage(block.share()),
                               format_duration(static_cast<double>(block.busy_ns))));
  return card.take();
}

std::string words_of(WaitCause cause) {
  std::string words(name_of(cause));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace

ItemCard item_card(const TimelineIndex& index, const TimelineHit& hit, std::int64_t origin_ns,
                   const StepInsight* insight) {
  const auto item = hit.item ? hit.item : hit.density ? std::nullopt : hit.nearest;
  if (item) {
    switch (table_of(index.lanes()[hit.lane].section)) {
      case ItemTable::spans:
        return span_card(index, *item, origin_ns, insight);
      case ItemTable::launches:
        return launch_card(index.trace(), index.trace().launches[*item], origin_ns);
      case ItemTable::host_waits:
        return host_wait_card(index.trace(), index.trace().host_waits[*item], origin_ns);
    }
  }
  if (hit.density) return density_card(*hit.density, origin_ns);
  return {};
}

std::string wait_label(const Trace& trace, const InsightWait& wait) {
  switch (wait.cause) {
    case WaitCause::dependency:
      return wait.blocker ? "waits for " + task_name(trace, *wait.blocker) : "waits";
    case WaitCause::launch:
      return "launch";
    case WaitCause::host_sync:
      return "host blocked";
    case WaitCause::data_loader:
      return "waits for data";
    case WaitCause::nothing_to_do:
      return {};
  }
  return {};
}

ItemCard wait_card(const Trace& trace, const InsightWait& wait, std::int64_t origin_ns) {
  CardBuilder card(fmt::format("{} stands still", lane_name(trace, wait.lane)));
  card.add_time(wait.time, origin_ns);
  card.add("cause", words_of(wait.cause));
  if (wait.blocker) card.add("waits for", task_name(trace, *wait.blocker));
  if (wait.next) card.add("then runs", task_name(trace, *wait.next));
  return card.take();
}

ItemCard folded_card(const Trace& trace, const FoldedStep& step, std::uint32_t lane,
                     std::int64_t origin_ns) {
  const FoldedLane* folded = step.find(lane);
  if (folded == nullptr) return {};
  CardBuilder card(fmt::format("step {}: {} in all", step.step, lane_name(trace, lane)));
  card.add_time(step.window, origin_ns);
  for (std::size_t cause = 0; cause < kWaitCauseCount; ++cause) {
    if (folded->waits_ns[cause] == 0) continue;
    card.add(words_of(kWaitCauses[cause]),
             format_duration(static_cast<double>(folded->waits_ns[cause])));
  }
  if (folded->path_ns > 0) {
    card.add("critical path", format_duration(static_cast<double>(folded->path_ns)));
  }
  return card.take();
}

}  // namespace quintet::viewer
