/// Tells a client how a search for better mappings stands, and answers with what came of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "profiler/wire/frame_sender.h"
#include "profiler/wire/tune_messages.h"
#include "scenarios/cli/tune_run.h"

namespace quintet {

/// Lives as long as its search. Threads: as TuneListener; ask_stop() from any.
class TuneStream final : public TuneListener {
 public:
  explicit TuneStream(FrameSender& link) : link_(link) {}

  /// The search ends soon, with the best so far.
  void ask_stop() { stop_asked_ = true; }
  /// True once a signal has ended it, whatever it was at: recording, searching or measuring.
  [[nodiscard]] bool ended_by_signal() const { return ended_by_signal_; }

  void on_signal() override { ended_by_signal_ = true; }
  void on_phase(const std::string& what) override;
  void on_progress(const TuneProgress& progress, double seconds) override;
  [[nodiscard]] bool stop_asked() const override { return stop_asked_ || link_.broken(); }

 private:
  void tell();

  FrameSender& link_;
  TuningMessage message_;
  std::int64_t told_ns_ = 0;
  std::atomic<bool> stop_asked_ = false;
  std::atomic<bool> ended_by_signal_ = false;
};

TuneAnswer answer_of(const TuneOutcome& outcome);

}  // namespace quintet
