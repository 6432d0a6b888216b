#include "profiler/trace/trace_batch.h"

#include <iterator>

#include "profiler/trace/span_columns.h"
#include "profiler/trace/span_order.h"

namespace quintet {

namespace {

template <class T>
void move_to_end(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void move_to_end(SpanColumns& to, SpanColumns& from) {
  for_each_column([](auto& end, auto& more) { move_to_end(end, more); }, to, from);
}

/// Of a trace or a batch: everything, spans in no order.
template <class Tables>
void move_all_to_end(Tables& to, TraceBatch& from) {
  move_to_end(to.lanes, from.lanes);
  move_to_end(to.tasks, from.tasks);
  move_to_end(to.activities, from.activities);
  move_to_end(to.spans, from.spans);
  move_to_end(to.untimed, from.untimed);
  move_to_end(to.steps, from.steps);
  move_to_end(to.host_waits, from.host_waits);
  move_to_end(to.launches, from.launches);
  move_to_end(to.clocks, from.clocks);
  move_to_end(to.lane_clocks, from.lane_clocks);
  move_to_end(to.clock_pairs, from.clock_pairs);
}

}  // namespace

void append(TraceBatch& batch, TraceBatch later) {
  move_all_to_end(batch, later);
}

void append(Trace& trace, TraceBatch batch) {
  sort_spans(batch.spans);
  const std::size_t middle = trace.spans.size();
  move_all_to_end(trace, batch);
  merge_spans(trace.spans, middle);
}

}  // namespace quintet
