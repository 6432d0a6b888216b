/// Tells a client what a run does: plan, spans, steps and progress, as they come.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "profiler/wire/frame_sender.h"
#include "profiler/wire/trace_sender.h"
#include "scenarios/cli/run_listener.h"
#include "scenarios/cli/scenario_run.h"

namespace quintet {

/// Lives as long as its run. Threads: as RunListener; ask_stop() from any.
class RunStream final : public RunListener {
 public:
  RunStream(FrameSender& link, std::int64_t run) : link_(link), run_(run), trace_(link, run) {}

  void ask_stop() { stop_asked_ = true; }
  /// True once a signal, and nobody else, has ended the run.
  [[nodiscard]] bool ended_by_signal() const { return ended_by_signal_; }

  void on_phase(RunPhase phase, std::int64_t steps) override;
  void on_untraced_step(std::int64_t step_ns) override { progress_.untraced_step_ns = step_ns; }
  void on_recording(const std::string& path) override;
  void on_step(const StepRun& run) override;
  [[nodiscard]] bool stop_asked() const override { return stop_asked_ || link_.broken(); }
  void on_plan(const Trace& plan) override;
  void on_batch(TraceBatch batch) override;

  // After the run, whose recorder is gone by then:
  void tell_end(const RunOutcome& outcome);
  void tell_error(const Error& error);

 private:
  void tell_progress();

  FrameSender& link_;
  const std::int64_t run_;
  TraceSender trace_;
  std::string recording_;
  bool plan_sent_ = false;
  ProgressMessage progress_;
  std::int64_t told_ns_ = 0;
  std::atomic<bool> stop_asked_ = false;
  std::atomic<bool> ended_by_signal_ = false;
};

}  // namespace quintet
