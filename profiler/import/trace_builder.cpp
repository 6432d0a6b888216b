#include "profiler/import/trace_builder.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "profiler/import/trace_finisher.h"

namespace quintet {

ImportSourceId TraceBuilder::open_source(std::string file, std::string format,
                                         CorrelationScope scope) {
  assert(sources_.size() < kMostImportSources);
  ImportSource& source = sources_.emplace_back();
  source.file = std::move(file);
  source.format = std::move(format);
  source.scope = scope;
  return ImportSourceId(static_cast<std::uint32_t>(sources_.size() - 1));
}

void TraceBuilder::set_rank(ImportSourceId source, int rank) {
  sources_[source.value()].rank = rank;
}

void TraceBuilder::set_clock_offset(ImportSourceId source, std::int64_t offset_ns) {
  sources_[source.value()].clock_offset_ns = offset_ns;
}

void TraceBuilder::set_provenance(const std::string& key, const std::string& value) {
  provenance_.emplace(key, value);
}

void TraceBuilder::note_graph_node_ids(GraphNodeIds ids) {
  graph_node_ids_ = std::max(graph_node_ids_, ids);
}

bool TraceBuilder::add(const ImportedSpan& span) {
  const ActivityTable::Ids ids = activities_.intern(span.activity);
  const std::uint16_t executor_lane = span.executor_lane.value_or(span.lane);
  const bool negative = span.end_ns < span.begin_ns;
  // Of the difference of any two times as many bits are right.
  const std::uint64_t duration =
      static_cast<std::uint64_t>(span.end_ns) - static_cast<std::uint64_t>(span.begin_ns);
  if (negative || duration > static_cast<std::uint64_t>(kLongestActivity)) {
    if (negative) {
      findings_.count(Severity::notice, "negative_duration",
                      "activities that end before they begin: listed as untimed");
    } else {
      findings_.count(
          Severity::notice, "time_out_of_range",
          "activities longer than a year, before 1970 or after 2116: listed as untimed");
    }
    untimed_.push_back({ids.task, -1, span.lane, executor_lane, ids.activity, span.correlation,
                        span.begin_ns, span.end_ns});
    return false;
  }
  spans_.begin_ns.push_back(span.begin_ns);
  spans_.end_ns.push_back(span.end_ns);
  spans_.task.push_back(ids.task);
  spans_.lane.push_back(span.lane);
  spans_.executor_lane.push_back(executor_lane);
  spans_.activity.push_back(ids.activity);
  spans_.correlation.push_back(span.correlation);
  spans_.channel.push_back(span.channel);
  return true;
}

void TraceBuilder::add_untimed(const ImportedSpan& span) {
  findings_.count(Severity::notice, "untimed_activities",
                  "activities whose times were not recorded: listed as untimed");
  restore_untimed(span);
}

void TraceBuilder::restore_untimed(const ImportedSpan& span) {
  const ActivityTable::Ids ids = activities_.intern(span.activity);
  untimed_.push_back({ids.task, -1, span.lane, span.executor_lane.value_or(span.lane), ids.activity,
                      span.correlation, span.begin_ns, span.end_ns});
}

void TraceBuilder::add_unended(const ImportedSpan& span, std::string_view finding,
                               std::string_view message) {
  const ActivityTable::Ids ids = activities_.intern(span.activity);
  findings_.count(Severity::data_loss, finding, message);
  untimed_.push_back({ids.task, -1, span.lane, span.executor_lane.value_or(span.lane), ids.activity,
                      span.correlation, span.begin_ns, span.end_ns});
}

void TraceBuilder::add_step(ImportSourceId source, const NamedStep& step, std::int64_t begin_ns,
                            std::int64_t end_ns) {
  steps_.push_back({source, step, begin_ns, end_ns});
}

Result<Trace> TraceBuilder::finish() {
  TraceBuilder built;
  std::swap(built, *this);
  return TraceFinisher(std::move(built)).finish();
}

}  // namespace quintet
