#include "profiler/trace/trace_batch.h"

#include <iterator>

#include "profiler/trace/span_order.h"

namespace quintet {

namespace {

template <class T>
void move_to_end(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

void append(Trace& trace, TraceBatch batch) {
  sort_spans(batch.spans);
  move_to_end(trace.lanes, batch.lanes);
  move_to_end(trace.tasks, batch.tasks);
  move_to_end(trace.activities, batch.activities);
  const std::size_t middle = trace.spans.size();
  move_to_end(trace.spans.begin_ns, batch.spans.begin_ns);
  move_to_end(trace.spans.end_ns, batch.spans.end_ns);
  move_to_end(trace.spans.cpu_ns, batch.spans.cpu_ns);
  move_to_end(trace.spans.task, batch.spans.task);
  move_to_end(trace.spans.step, batch.spans.step);
  move_to_end(trace.spans.lane, batch.spans.lane);
  move_to_end(trace.spans.executor_lane, batch.spans.executor_lane);
  move_to_end(trace.spans.activity, batch.spans.activity);
  move_to_end(trace.spans.correlation, batch.spans.correlation);
  move_to_end(trace.spans.channel, batch.spans.channel);
  merge_spans(trace.spans, middle);
  move_to_end(trace.untimed, batch.untimed);
  move_to_end(trace.steps, batch.steps);
  move_to_end(trace.host_waits, batch.host_waits);
  move_to_end(trace.launches, batch.launches);
}

}  // namespace quintet
