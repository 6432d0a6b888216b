#include "viewer/model/workbench.h"

#include <algorithm>

namespace quintet::viewer {

const Document* Workbench::document(Side side) const {
  const std::optional<Document>& held = documents[index_of(side)];
  return held ? &*held : nullptr;
}

Side Workbench::main_side() const {
  if (!selection.empty() && document(selection.side) != nullptr) return selection.side;
  const Side wanted = shown == Shown::b ? Side::b : Side::a;
  return document(wanted) != nullptr ? wanted : other(wanted);
}

const TraceStep* find_step(const Trace& trace, std::int64_t number) {
  const auto found = std::find_if(trace.steps.begin(), trace.steps.end(),
                                  [&](const TraceStep& step) { return step.step == number; });
  return found == trace.steps.end() ? nullptr : &*found;
}

std::optional<std::int64_t> neighbour_step(const Trace& trace, std::optional<std::int64_t> from,
                                           int by) {
  if (trace.steps.empty()) return std::nullopt;
  const TraceStep* current = from ? find_step(trace, *from) : nullptr;
  if (current == nullptr) return trace.steps.front().step;
  const auto last = static_cast<std::ptrdiff_t>(trace.steps.size()) - 1;
  const std::ptrdiff_t position = current - trace.steps.data();
  return trace.steps[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(position + by, 0, last))]
      .step;
}

}  // namespace quintet::viewer
