/// Finds spans by a piece of text: of their task, layer, op kind, part or kernel, whatever the case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet::viewer {

/// Owns: which tasks and activities match, and the first hits; shares the trace. Threads: readable
/// from many. Usage: `auto search = SpanSearch::of(trace, "conv3");`
class SpanSearch {
 public:
  static constexpr std::size_t kListedHits = 2000;

  /// O(spans). `stop` is asked every so often; true ends it with no hits.
  static SpanSearch of(std::shared_ptr<const Trace> trace, std::string text,
                       const std::function<bool()>& stop = {});

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Of all spans.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The first kListedHits, in order of time.
  [[nodiscard]] const std::vector<std::uint32_t>& hits() const { return hits_; }
  [[nodiscard]] bool matches(std::size_t span) const;
  /// Tasks that match, whether they ran or not.
  [[nodiscard]] const std::vector<std::uint32_t>& tasks() const { return tasks_; }
  /// The nearest hit after (before) a span, around the end; from the first (last) one without a
  /// span. Nothing where there are no hits.
  [[nodiscard]] std::optional<std::uint32_t> next(std::optional<std::size_t> span) const;
  [[nodiscard]] std::optional<std::uint32_t> previous(std::optional<std::size_t> span) const;

 private:
  std::shared_ptr<const Trace> trace_;
  std::string text_;
  std::vector<bool> task_matches_;
  std::vector<bool> activity_matches_;
  std::vector<std::uint32_t> tasks_;
  std::vector<std::uint32_t> hits_;
  std::uint64_t count_ = 0;
};

}  // namespace quintet::viewer
