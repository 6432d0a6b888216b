#include "profiler/trace/trace_batch.h"

#include <iterator>

#include "profiler/trace/span_order.h"

namespace quintet {

namespace {

template <class T>
void move_to_end(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void move_to_end(SpanColumns& to, SpanColumns& from) {
  move_to_end(to.begin_ns, from.begin_ns);
  move_to_end(to.end_ns, from.end_ns);
  move_to_end(to.cpu_ns, from.cpu_ns);
  move_to_end(to.task, from.task);
  move_to_end(to.step, from.step);
  move_to_end(to.lane, from.lane);
  move_to_end(to.executor_lane, from.executor_lane);
  move_to_end(to.activity, from.activity);
  move_to_end(to.correlation, from.correlation);
  move_to_end(to.channel, from.channel);
}

}  // namespace

void append(TraceBatch& batch, TraceBatch later) {
  move_to_end(batch.lanes, later.lanes);
  move_to_end(batch.tasks, later.tasks);
  move_to_end(batch.activities, later.activities);
  move_to_end(batch.spans, later.spans);
  move_to_end(batch.untimed, later.untimed);
  move_to_end(batch.steps, later.steps);
  move_to_end(batch.host_waits, later.host_waits);
  move_to_end(batch.launches, later.launches);
}

void append(Trace& trace, TraceBatch batch) {
  sort_spans(batch.spans);
  const std::size_t middle = trace.spans.size();
  move_to_end(trace.lanes, batch.lanes);
  move_to_end(trace.tasks, batch.tasks);
  move_to_end(trace.activities, batch.activities);
  move_to_end(trace.spans, batch.spans);
  merge_spans(trace.spans, middle);
  move_to_end(trace.untimed, batch.untimed);
  move_to_end(trace.steps, batch.steps);
  move_to_end(trace.host_waits, batch.host_waits);
  move_to_end(trace.launches, batch.launches);
}

}  // namespace quintet
