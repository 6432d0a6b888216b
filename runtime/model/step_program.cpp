#include "runtime/model/step_program.h"

namespace quintet {

std::string_view name_of(StepEvent event) {
  switch (event) {
    case StepEvent::batch_readable:
      return "batch_readable";
    case StepEvent::batch_copied:
      return "batch_copied";
    case StepEvent::batch_released:
      return "batch_released";
    case StepEvent::lr_ready:
      return "lr_ready";
    case StepEvent::gradients_zeroed:
      return "gradients_zeroed";
    case StepEvent::first_forward_done:
      return "first_forward_done";
    case StepEvent::deep_done:
      return "deep_done";
    case StepEvent::metrics_done:
      return "metrics_done";
    case StepEvent::gradients_ready:
      return "gradients_ready";
    case StepEvent::lars_fc_done:
      return "lars_fc_done";
    case StepEvent::lars_first_done:
      return "lars_first_done";
    case StepEvent::lars_deep_done:
      return "lars_deep_done";
    case StepEvent::optimizer_done:
      return "optimizer_done";
    case StepEvent::step_done:
      return "step_done";
  }
  return {};
}

std::string_view name_of(CommandKind kind) {
  switch (kind) {
    case CommandKind::launch:
      return "launch";
    case CommandKind::record:
      return "record";
    case CommandKind::wait:
      return "wait";
    case CommandKind::host_record:
      return "host_record";
    case CommandKind::host_wait:
      return "host_wait";
    case CommandKind::host_sync:
      return "host_sync";
    case CommandKind::host_task:
      return "host_task";
  }
  return {};
}

std::string_view name_of(StepPhase phase) {
  switch (phase) {
    case StepPhase::prologue:
      return "prologue";
    case StepPhase::train:
      return "train";
    case StepPhase::evaluate:
      return "evaluate";
    case StepPhase::epilogue:
      return "epilogue";
  }
  return {};
}

}  // namespace quintet
