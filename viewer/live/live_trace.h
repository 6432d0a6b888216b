/// A trace that grows while others look at it, without ever being copied as a whole for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "profiler/trace/batch_check.h"
#include "profiler/trace/trace.h"
#include "profiler/trace/trace_batch.h"
#include "viewer/live/live_snapshot.h"

namespace quintet {

/// What a run leaves when it has ended.
struct TraceEnding {
  RecordingState state = RecordingState::complete;
  Provenance provenance;  ///< over what the plan said
  /// In place of those of the plan: the recording lists them all; nothing = they stay.
  std::optional<std::vector<Finding>> findings;
  std::vector<Finding> more_findings;  ///< of the way here
};

/// Two copies of the trace, of which one can be looked at while the other takes what is new; then they swap. A
/// third is made where somebody looks at an older one for long. So new spans are written two or three times, old
/// ones never, and the memory is that of two or three traces while it grows; of one once it has ended.
/// One thread writes (begin, append, end, publish); any thread takes snapshots. Snapshots may outlive it.
///
///   live.begin(plan);
///   live.append(batch); live.publish();   // again and again
///   live.end({...}); live.publish();
class LiveTrace {
 public:
  explicit LiveTrace(std::size_t most_spans) : most_spans_(most_spans) {}

  /// Starts over with the static half of a trace, or with one that holds more already; it can be seen at once.
  void begin(Trace plan);
  /// Nothing can be seen until the next begin().
  void clear();
  /// Takes what makes sense, and of spans no more than the limit; the rest is counted.
  void append(TraceBatch batch);
  void end(TraceEnding ending);
  /// Lets what was appended be seen. False: all copies are being looked at; call again a little later.
  bool publish();

  [[nodiscard]] LiveSnapshot snapshot() const;
  /// True between begin() and clear(). Writer only, as the counts below.
  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] const SenselessParts& senseless() const { return senseless_; }
  /// Beyond the limit.
  [[nodiscard]] std::int64_t left_out_spans() const { return left_out_spans_; }

 private:
  /// A batch or the ending.
  struct Entry {
    TraceBatch batch;
    std::optional<TraceEnding> ending;
  };
  struct Copy {
    Trace trace;
    std::size_t applied = 0;  ///< how many entries since begin() it holds
  };
  class Copies;

  static void apply(Trace& trace, const Entry& entry);
  void add(Entry entry);
  void bring_up_to_date(Copy& copy) const;
  /// The leading spans of a copy that are those of what is shown.
  [[nodiscard]] std::size_t unchanged_spans(const Trace& trace) const;
  void show(std::unique_ptr<Copy> copy);
  void forget_applied();

  std::size_t most_spans_;
  bool begun_ = false;
  bool ended_ = false;
  std::size_t spans_ = 0;
  SenselessParts senseless_;
  std::int64_t left_out_spans_ = 0;
  Trace tables_;  ///< the tables of the trace with nothing else: what batches are checked against
  std::vector<std::shared_ptr<const Entry>> entries_;  ///< that some copy still lacks
  std::size_t first_entry_ = 0;                        ///< number of entries_.front() since begin()
  std::size_t shown_entries_ = 0;
  SpanHistory history_;  ///< of what is shown

  std::shared_ptr<Copies> copies_;  ///< of this run; snapshots hold it too
  mutable std::mutex mutex_;        ///< of shown_
  LiveSnapshot shown_;
};

}  // namespace quintet
