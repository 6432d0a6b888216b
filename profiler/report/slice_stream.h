/// Everything of a trace that has a begin and an end, as one stream in order of time: what writers
/// of timelines walk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

/// Which table of the trace a slice is a row of.
enum class SliceKind : std::uint8_t { span, host_wait, launch, step };

struct Slice {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  SliceKind kind = SliceKind::span;
  std::size_t index = 0;  ///< into Trace::spans, host_waits, launches or steps
};

/// Every slice once, in order of begin. Of those that begin together the empty ones come first,
/// then the longest first: what contains another comes before it. Borrows the trace. Holds nothing
/// per span if the trace's spans are sorted, 4 bytes a span if not.
class SliceStream {
 public:
  explicit SliceStream(const Trace& trace);
  /// Nothing after the last one.
  std::optional<Slice> next();

 private:
  [[nodiscard]] std::size_t span_at(std::size_t position) const;
  void open_group();
  std::optional<Slice> peek_span();

  const Trace& trace_;
  std::vector<std::uint32_t> order_;  ///< of the spans; empty = as they are
  std::size_t group_begin_ = 0;       ///< positions [begin, end) have the same begin_ns,
  std::size_t group_full_ = 0;        ///< those below `full` are empty
  std::size_t group_end_ = 0;
  std::size_t taken_ = 0;    ///< of the group
  std::vector<Slice> rest_;  ///< all that are no spans, in order
  std::size_t rest_taken_ = 0;
};

}  // namespace quintet
