#include "viewer/model/selection.h"

namespace quintet::viewer {

Selection select_span(const Document& document, Side side, std::size_t span) {
  Selection selection;
  selection.side = side;
  if (!document.trace || span >= document.trace->spans.size()) return selection;
  const SpanColumns& spans = document.trace->spans;
  selection.span = span;
  selection.task = spans.task[span];
  selection.lane = spans.lane[span];
  if (spans.step[span] >= 0) selection.step = spans.step[span];
  return selection;
}

Selection select_task(const Document& document, Side side, std::uint32_t task,
                      std::optional<std::int64_t> step) {
  Selection selection;
  selection.side = side;
  if (!document.trace || task >= document.trace->tasks.size()) return selection;
  const SpanColumns& spans = document.trace->spans;
  std::optional<std::size_t> found;
  for (std::size_t span = 0; span < spans.size(); ++span) {
    if (spans.task[span] != task) continue;
    if (!found) found = span;
    if (!step || spans.step[span] == *step) {
      found = span;
      break;
    }
  }
  if (found) return select_span(document, side, *found);
  selection.task = task;
  const std::optional<LaneId> lane = document.trace->tasks[task].policy_lane;
  if (lane) selection.lane = lane->value();
  return selection;
}

}  // namespace quintet::viewer
