/// What the user has picked: one thing, the same in every view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "viewer/model/document.h"

namespace quintet::viewer {

/// Indices into the trace of `side`. A selected span carries its task, step and lane too; a task
/// without a span is one picked in a table or a graph.
struct Selection {
  Side side = Side::a;
  std::optional<std::uint32_t> task;  ///< Trace::tasks
  std::optional<std::size_t> span;    ///< Trace::spans, in their sorted order
  std::optional<std::int64_t> step;   ///< TraceStep::step
  std::optional<std::uint32_t> lane;  ///< Trace::lanes

  [[nodiscard]] bool empty() const { return !task && !span && !step && !lane; }
  friend bool operator==(const Selection&, const Selection&) = default;
};

/// A span with the task, step and policy lane that it belongs to; empty where there is none of that
/// index.
Selection select_span(const Document& document, Side side, std::size_t span);
/// A task with its first span in `step`, else its first span at all, else none.
Selection select_task(const Document& document, Side side, std::uint32_t task,
                      std::optional<std::int64_t> step = std::nullopt);

}  // namespace quintet::viewer
