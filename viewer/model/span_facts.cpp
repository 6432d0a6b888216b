#include "viewer/model/span_facts.h"

#include <cmath>
#include <fmt/format.h>

#include "profiler/report/format.h"
#include "viewer/model/task_facts.h"
#include "viewer/model/timeline/step_axis.h"
#include "viewer/model/workbench.h"

namespace quintet::viewer {

namespace {

std::string three(const std::array<std::uint32_t, 3>& sizes) {
  return fmt::format("{} x {} x {}", sizes[0], sizes[1], sizes[2]);
}

DetailSection span_section(const Trace& trace, std::size_t span) {
  const SpanColumns& spans = trace.spans;
  DetailSection section{"This span", {}};
  const std::int64_t begin = spans.begin_ns[span];
  const std::int64_t end = spans.end_ns[span];
  add_fact(section, "duration", format_duration(static_cast<double>(end - begin)),
           fmt::format("{} ns", end - begin));
  const std::int32_t step = spans.step[span];
  const TraceStep* served = step < 0 ? nullptr : find_step(trace, step);
  if (served != nullptr) {
    add_fact(section, "step", fmt::format("{} ({})", step, served->phase));
    const std::int64_t after = begin - time_of_step(trace, *served).begin;
    add_fact(section, "begins",
             fmt::format("{} {} the step", format_duration(std::abs(static_cast<double>(after))),
                         after < 0 ? "before" : "into"),
             fmt::format("at {} ns of the recording's clock", begin));
  } else {
    add_unknown(section, "step", "it serves none that was recorded");
  }
  const std::size_t ran_on = spans.executor_lane[span];
  if (ran_on < trace.lanes.size()) {
    add_fact(section, "executor stream", trace.lanes[ran_on].name,
             "where the driver ran it, whatever the policy chose");
  }
  if (spans.channel[span] != kUnknownChannel) {
    add_fact(section, "hardware queue", fmt::format("{}", spans.channel[span]));
  }
  if (spans.cpu_ns[span] >= 0) {
    add_fact(section, "processor time", format_duration(static_cast<double>(spans.cpu_ns[span])),
             "less than the duration where the thread waited for a core");
  }
  return section;
}

DetailSection kernel_section(const TraceActivity& activity) {
  DetailSection section{std::string(name_of(activity.kind)), {}};
  section.title[0] = static_cast<char>(section.title[0] - 'a' + 'A');
  add_fact(section, "name", short_kernel_name(activity.name), activity.name);
  if (activity.bytes) {
    add_fact(section, "bytes", format_bytes(static_cast<double>(*activity.bytes)));
  }
  if (activity.graph_node) {
    add_fact(section, "graph node", fmt::format("{}", *activity.graph_node));
  }
  if (!activity.launch) {
    if (activity.kind == ActivityKind::kernel)
      add_unknown(section, "launch", "the recording holds no launch shape");
    return section;
  }
  const LaunchShape& launch = *activity.launch;
  add_fact(section, "grid", three(launch.grid), "blocks");
  add_fact(section, "block", three(launch.block), "threads");
  add_fact(section, "registers", fmt::format("{}", launch.registers), "of a thread");
  add_fact(
      section, "shared memory",
      format_bytes(static_cast<double>(launch.static_shared_bytes + launch.dynamic_shared_bytes)),
      fmt::format("of a block: {} B static, {} B dynamic", launch.static_shared_bytes,
                  launch.dynamic_shared_bytes));
  if (launch.occupancy) {
    add_fact(section, "occupancy", format_percentage(*launch.occupancy),
             "resident warps by the limits of a multiprocessor, of the most it can hold");
  } else {
    add_unknown(section, "occupancy", "the device's limits were not recorded");
  }
  return section;
}

}  // namespace

void add_span_sections(const Trace& trace, std::size_t span, DetailList& list) {
  list.sections.push_back(span_section(trace, span));
  const std::uint32_t activity = trace.spans.activity[span];
  if (activity == kWholeTask || activity >= trace.activities.size()) return;
  list.sections.push_back(kernel_section(trace.activities[activity]));
}

}  // namespace quintet::viewer
