/// Who follows a run while it goes on, and may end it.
#pragma once

#include <cstdint>
#include <string>

#include "profiler/capture/trace_listener.h"
#include "profiler/wire/notifications.h"
#include "runtime/observe/observer.h"

namespace quintet {

/// Called on the thread that runs the scenario, but for on_batch. Must not throw.
class RunListener : public TraceListener {
 public:
  /// `steps`: of the whole run; 0 = not known yet.
  virtual void on_phase(RunPhase /*phase*/, std::int64_t /*steps*/) {}
  /// What a step takes without recording; between the phases timing and training, unless the run is too short.
  virtual void on_untraced_step(std::int64_t /*step_ns*/) {}
  /// Where the recording goes; before on_plan.
  virtual void on_recording(const std::string& /*path*/) {}
  /// A step of the recorded run has ended.
  virtual void on_step(const StepRun& /*run*/) {}
  /// Asked between steps.
  [[nodiscard]] virtual bool stop_asked() const { return false; }
};

}  // namespace quintet
