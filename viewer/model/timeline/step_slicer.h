/// Takes out of a long recording what can matter to a few steps, at the cost of those steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "profiler/trace/step_cut.h"
#include "profiler/trace/trace.h"

namespace quintet::viewer {

/// Owns: 32 bytes for each 1024 rows of the trace, which it shares. Threads: readable from many.
/// Throws: bad_alloc. Usage: `trim_trace(slicer.around({11, 12}), {11, 12})`.
class StepSlicer {
 public:
  /// Looks at every row once.
  explicit StepSlicer(std::shared_ptr<const Trace> trace);
  /// Of a later state of the trace of `older`, with the same first `unchanged` spans; other tables
  /// only grew at their ends. Looks at the other rows.
  StepSlicer(const StepSlicer& older, std::shared_ptr<const Trace> trace, std::size_t unchanged);

  [[nodiscard]] const Trace& trace() const { return *trace_; }
  /// The plan, the steps of a range, and at least all rows that serve one of them or touch their
  /// time: cutting or trimming it to the range gives what the whole trace would.
  [[nodiscard]] Trace around(StepRange range) const;

 private:
  /// What rows in a block serve, and the time that they reach over.
  struct Reach {
    std::int64_t first_step = std::numeric_limits<std::int64_t>::max();
    std::int64_t last_step = std::numeric_limits<std::int64_t>::min();
    std::int64_t begin_ns = std::numeric_limits<std::int64_t>::max();
    std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
    /// Rows that serve no step lie between all others: they are no part of the steps above.
    bool below_zero = false;

    void take_step(std::int64_t step);
    void take_time(std::int64_t begin, std::int64_t end);
    [[nodiscard]] bool meets(const Reach& other) const;
  };
  using Reaches = std::vector<Reach>;

  /// Tables of rows, the spans apart.
  struct Rows {
    Reaches launches;
    Reaches host_waits;
    Reaches untimed;
  };

  void look(std::size_t unchanged);

  std::shared_ptr<const Trace> trace_;
  Reaches spans_;
  Rows rows_;
};

}  // namespace quintet::viewer
