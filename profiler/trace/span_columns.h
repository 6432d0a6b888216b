/// What is done to every column of spans alike: the one list of the columns.
#pragma once

#include <cstddef>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

/// Calls `action(column)` for each column, or, of several tables of spans, for each column of all of
/// them together: `for_each_column([](auto& to, auto& from) { ... }, to, from)`.
template <class Action, class... Spans>
void for_each_column(Action action, Spans&... spans) {
  action(spans.begin_ns...);
  action(spans.end_ns...);
  action(spans.cpu_ns...);
  action(spans.task...);
  action(spans.step...);
  action(spans.lane...);
  action(spans.executor_lane...);
  action(spans.activity...);
  action(spans.correlation...);
  action(spans.channel...);
}

/// Removes the spans from `first` on for which `keep(span)` is false; those that stay keep their
/// order. `keep` is asked once for each, in order, before anything moves.
template <class Keep>
void keep_spans(SpanColumns& spans, std::size_t first, Keep keep) {
  std::vector<bool> kept(spans.size() - first);
  for (std::size_t i = 0; i < kept.size(); ++i)
    kept[i] = keep(first + i);
  for_each_column(
      [&](auto& column) {
        std::size_t end = first;
        for (std::size_t i = 0; i < kept.size(); ++i) {
          if (kept[i]) column[end++] = column[first + i];
        }
        column.resize(end);
      },
      spans);
}

}  // namespace quintet
