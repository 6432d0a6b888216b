#include "profiler/capture/step_sampling.h"

#include <cassert>

namespace quintet {

StepSampling::StepSampling(DeviceRecording mode, const SamplingWindows& windows)
    : mode_(mode), windows_(windows) {}

StepSampling::Action StepSampling::step(std::int64_t step, std::int64_t now_ns) {
  assert(step == static_cast<std::int64_t>(steps_.size()));
  if (mode_ == DeviceRecording::off || mode_ == DeviceRecording::graph) {
    // A graph's span tells when the step ran, and nothing of what is inside.
    steps_.push_back(StepRecording::none);
    return Action::none;
  }
  if (mode_ == DeviceRecording::node) {
    steps_.push_back(StepRecording::all);
    return Action::none;
  }
  if (open_) {
    const bool over = step - switch_step_ >= windows_.steps;
    steps_.push_back(over ? StepRecording::disturbed : StepRecording::all);
    if (!over) return Action::none;
    open_ = false;
    switch_step_ = step;
    closed_ns_ = now_ns;
    return Action::stop;
  }
  const bool first = started_ == 0;
  const bool due = first ? step >= windows_.first_step
                         : step - switch_step_ >= windows_.period_steps &&
                               now_ns - closed_ns_ >= windows_.period_ns;
  steps_.push_back(due ? StepRecording::disturbed : StepRecording::none);
  if (!due) return Action::none;
  open_ = true;
  ++started_;
  switch_step_ = step;
  return Action::start;
}

StepRecording StepSampling::recording_of(std::int64_t step) const {
  const auto index = static_cast<std::size_t>(step);
  return step >= 0 && index < steps_.size() ? steps_[index] : StepRecording::none;
}

}  // namespace quintet
