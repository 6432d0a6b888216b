/// One step looked at closely: why its lanes stood still, its critical path, and what each of its
/// tasks follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analysis/critical_path.h"
#include "profiler/analysis/wait_attribution.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"
#include "viewer/model/timeline/step_slicer.h"

namespace quintet::viewer {

/// A stretch of a lane without work, and its cause; lanes and tasks are those of the whole trace.
struct InsightWait {
  std::uint32_t lane = 0;
  Interval time;
  WaitCause cause = WaitCause::nothing_to_do;
  std::optional<std::uint32_t> blocker;
  std::optional<std::uint32_t> next;
};

/// A piece of the critical path, in order of time.
struct PathPiece {
  Interval time;
  std::optional<std::uint32_t> lane;  ///< nothing for a call of the host
  std::optional<std::uint32_t> task;
};

/// A run of a task.
struct InsightRun {
  std::uint32_t task = 0;
  std::int32_t step = 0;
  std::uint32_t lane = 0;  ///< policy stream
  Interval time;
  std::int64_t slack_ns = 0;  ///< 0 = on a longest path
};

enum class LinkKind : std::uint8_t {
  data,    ///< the later one reads or writes what the earlier one wrote or read
  stream,  ///< one came after the other on a stream
};

/// Two runs, one of which the other follows.
struct RunLink {
  LinkKind kind = LinkKind::data;
  std::size_t from = 0;  ///< into StepInsight::runs()
  std::size_t to = 0;
};

/// Owns: what the step did, and, where it can tell links, a copy of what the trace has of it. Threads:
/// links_of() one at a time, the rest readable from many. Usage:
/// `auto insight = StepInsight::of(slicer, 12);`
class StepInsight {
 public:
  /// Errors: the trace has no such step; nothing was recorded of its work, said why.
  static Result<StepInsight> of(const StepSlicer& slicer, std::int64_t step);

  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] const Interval& window() const { return window_; }
  /// By lane, then time; they and the lanes' work fill the window.
  [[nodiscard]] const std::vector<InsightWait>& waits() const { return waits_; }
  [[nodiscard]] const std::vector<PathPiece>& path() const { return path_; }
  [[nodiscard]] std::int64_t path_ns() const { return path_ns_; }
  /// By begin.
  [[nodiscard]] const std::vector<InsightRun>& runs() const { return runs_; }
  /// The run of a task that covers a time, else its first; nothing where the task did not run.
  [[nodiscard]] std::optional<std::size_t> run_of(std::uint32_t task, std::int64_t time_ns) const;
  /// How much longer a task's run could have lasted without making the step longer; nothing where
  /// it did not run here.
  [[nodiscard]] std::optional<std::int64_t> slack_of(std::uint32_t task, std::int32_t step) const;
  /// What a run follows directly and what directly follows it. A conflict that others imply is left
  /// out; streams give the run before and the run after, where no conflict orders them too.
  /// The answer for one run is remembered. None where it is not linked().
  [[nodiscard]] const std::vector<RunLink>& links_of(std::size_t run) const;

  [[nodiscard]] bool linked() const;
  /// The same without the copy that links are found in.
  [[nodiscard]] StepInsight without_links() const;
  /// Without that copy.
  [[nodiscard]] std::size_t held_bytes() const;

 private:
  struct Parts;
  using RunSlack = std::pair<std::pair<std::uint32_t, std::int32_t>, std::int64_t>;

  void find_links(std::size_t run) const;

  std::int64_t step_ = 0;
  Interval window_;
  std::vector<InsightWait> waits_;
  std::vector<PathPiece> path_;
  std::int64_t path_ns_ = 0;
  std::vector<InsightRun> runs_;
  /// Of a task and step the least of its runs; sorted.
  std::vector<RunSlack> slacks_;
  std::shared_ptr<Parts> parts_;  ///< the step's trace and its relations
};

}  // namespace quintet::viewer
