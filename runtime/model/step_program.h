/// One step as data: what is issued, in which order, on which stream or host actor. Executors
/// interpret it, the proof reads it, the recording stores it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "runtime/model/graph_id.h"
#include "runtime/model/lane.h"
#include "runtime/model/stream_kind.h"

namespace quintet {

enum class StepMode : std::uint8_t { host_sync, event_sync, whole_step };

constexpr std::string_view name_of(StepMode mode) {
  switch (mode) {
    case StepMode::host_sync:
      return "host_sync";
    case StepMode::event_sync:
      return "event_sync";
    case StepMode::whole_step:
      return "whole_step";
  }
  return {};
}

/// Events a step program may record. A wait means the latest record issued before it, `lag` steps
/// back.
enum class StepEvent : std::uint8_t {
  batch_readable,  ///< recorded by LOADER: the pinned batch of the step is filled
  batch_copied,    ///< the step's batch is on the device
  batch_released,  ///< the last reader of the step's device batch is done: first-layer backward, or
                   ///< inference
  lr_ready,        ///< the step's learning rate is on the device
  gradients_zeroed,
  first_forward_done,
  deep_done,
  metrics_done,
  gradients_ready,  ///< cast, added up, checked and scaled
  lars_fc_done,
  lars_first_done,
  lars_deep_done,
  optimizer_done,  ///< all weights of the step are written
  step_done,       ///< everything of the step is done, but its prefetch of the next batch
};

std::string_view name_of(StepEvent event);

/// An event of the step that lies `steps` ahead of (positive: the prefetched next batch) or behind
/// (negative) this one.
struct EventOfStep {
  StepEvent event = StepEvent::step_done;
  int steps = 0;
};

enum class CommandKind : std::uint8_t {
  launch,       ///< MAIN launches `graph` on `stream`
  record,       ///< MAIN records `event` on `stream`
  wait,         ///< `stream` waits for `event`
  host_record,  ///< `actor` marks `event` as happened
  host_wait,    ///< `actor` blocks until `event` has happened
  host_sync,    ///< MAIN blocks until everything issued on `stream` so far is done
  host_task,    ///< `actor` runs the host tasks of `graph`
};

std::string_view name_of(CommandKind kind);

/// One command. A wait for an event that was never recorded (the first steps of a run) passes at
/// once.
struct Command {
  CommandKind kind = CommandKind::launch;
  HostActor actor = HostActor::MAIN;       ///< who issues or blocks
  StreamKind stream = StreamKind::COMP_1;  ///< launch, record, wait, host_sync
  GraphKey graph;                          ///< launch, host_task
  EventOfStep event;                       ///< record, wait, host_record, host_wait
  int steps = 0;    ///< launch, host_task: which step it serves, relative to the program's own
  std::string why;  ///< one clause; empty where the kind says it all
};

enum class StepPhase : std::uint8_t { prologue, train, evaluate, epilogue };

std::string_view name_of(StepPhase phase);

/// Which variant of a step it is. `next_shape` = kAnyShape: nothing is prefetched.
struct StepVariant {
  StepPhase phase = StepPhase::train;
  BufferSlot slot = BufferSlot::A;
  ShapeId shape = kAnyShape;
  ShapeId next_shape = kAnyShape;
  MicroBatch micro = MicroBatch::single;  ///< of training steps
  friend constexpr auto operator<=>(const StepVariant&, const StepVariant&) = default;
};

/// The step that a task serves, relative to the step whose program launched it: the batch transfer
/// inside a whole-step graph serves the next step, everything else the command's own.
constexpr int step_offset_of(GraphId task_graph, const Command& command) {
  const bool whole = command.graph.graph >= GraphId::WHOLE_STEP_A;
  const bool transfer = task_graph == GraphId::TRANSFER_A || task_graph == GraphId::TRANSFER_B;
  return command.steps + (whole && transfer ? 1 : 0);
}

/// Commands of MAIN and LOADER, each actor's in its own order; between actors only events order.
struct StepProgram {
  StepVariant variant;
  StepMode mode = StepMode::host_sync;
  std::vector<Command> commands;
  std::vector<GraphKey> empty_graphs;  ///< sub-graphs of the article's step that have no work here
                                       ///< (one rank, no AMP, ...)
};

}  // namespace quintet
