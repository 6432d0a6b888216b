#include "runtime/policy/step_planner.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace quintet {

namespace {

/// Sub-graphs between the first layer's backward and the optimizer, and after it, in the article's
/// order.
constexpr std::array kBesideFirstBackward = {GraphId::CAST_DEEP_GRAD_FP16_TO_FP32,
                                             GraphId::DEEP_COMM};
constexpr std::array kBeforeMetrics = {GraphId::CAST_FIRST_GRAD_FP16_TO_FP32, GraphId::FIRST_COMM};
constexpr std::array kStatistics = {GraphId::STATS_COMM, GraphId::UPDATE_STATS};
constexpr std::array kBesideOptimizer = {GraphId::LARS_FC_OPT, GraphId::LARS_FIRST_CONV_OPT,
                                         GraphId::LARS_DEEP_CONV_OPT};
constexpr std::array kAfterOptimizer = {GraphId::EMA_UPDATE, GraphId::CAST_MAIN_FP32_TO_FP16};

/// BatchNorm's inference parameters are made once, by the training step before an evaluation.
bool makes_inference_params(const StepVariant& variant, const GraphAtlas& atlas) {
  const auto next = atlas.find({GraphId::INF_MAIN_A, variant.next_shape, kAnyShape});
  return variant.phase == StepPhase::train && ends_update(variant.micro) && next != atlas.end();
}

class StepPlanner {
 public:
  StepPlanner(const StepVariant& variant, StepMode mode, const GraphAtlas& atlas) : atlas_(atlas) {
    program_.variant = variant;
    program_.mode = mode;
  }

  StepProgram plan() {
    switch (variant().phase) {
      case StepPhase::prologue:
        prefetch(variant().slot);
        if (program_.mode == StepMode::host_sync)
          sync_transfers("the first batch is on the device");
        break;
      case StepPhase::train:
        train();
        break;
      case StepPhase::evaluate:
        evaluate();
        break;
      case StepPhase::epilogue:
        epilogue();
        break;
    }
    return std::move(program_);
  }

 private:
  const StepVariant& variant() const { return program_.variant; }
  GraphId own(GraphId a) const { return for_slot(a, variant().slot); }

  Command& add(CommandKind kind, std::string why = {}) {
    Command& command = program_.commands.emplace_back();
    command.kind = kind;
    command.why = std::move(why);
    return command;
  }

  /// The stream a sub-graph is launched on in any shape; nothing where the run has no such
  /// sub-graph.
  std::optional<StreamKind> stream_of(GraphId graph) const {
    const auto slot = atlas_.lower_bound({graph, kAnyShape, kAnyShape});
    if (slot == atlas_.end() || slot->first.graph != graph) return std::nullopt;
    return slot->second.stream_kind;
  }

  bool has_work(const GraphKey& key) const {
    const auto slot = atlas_.find(key);
    return slot != atlas_.end() && !slot->second.graph.ops.empty();
  }

  /// Launches a sub-graph on its stream; one without work is noted instead.
  bool launch(GraphId graph, ShapeId shape = kAnyShape, int steps = 0) {
    const GraphKey key{graph, shape, kAnyShape};
    if (!has_work(key)) {
      program_.empty_graphs.push_back(key);
      return false;
    }
    Command& command = add(CommandKind::launch);
    command.graph = key;
    command.stream = *stream_of(graph);
    command.steps = steps;
    return true;
  }

  template <class Graphs>
  void launch_all(const Graphs& graphs) {
    for (const GraphId graph : graphs)
      launch(graph);
  }

  void record(StepEvent event, StreamKind stream, int steps = 0) {
    Command& command = add(CommandKind::record);
    command.event = {event, steps};
    command.stream = stream;
  }

  /// `stream` waits for an event that `recorder` recorded; nothing to do where they are one stream.
  void wait(StreamKind stream, std::optional<StreamKind> recorder, StepEvent event, int steps,
            std::string why) {
    if (!recorder || *recorder == stream) return;
    Command& command = add(CommandKind::wait, std::move(why));
    command.event = {event, steps};
    command.stream = stream;
  }

  void host_wait(HostActor actor, StepEvent event, int steps, std::string why) {
    Command& command = add(CommandKind::host_wait, std::move(why));
    command.actor = actor;
    command.event = {event, steps};
  }

  void host_task(HostActor actor, GraphId graph, ShapeId shape, int steps) {
    Command& command = add(CommandKind::host_task);
    command.actor = actor;
    command.graph = {graph, shape, kAnyShape};
    command.steps = steps;
  }

  /// Host synchronisation of each distinct stream among those given.
  void host_sync(std::initializer_list<std::optional<StreamKind>> streams, const char* why) {
    std::vector<StreamKind> distinct;
    for (const auto& stream : streams) {
      if (stream && std::find(distinct.begin(), distinct.end(), *stream) == distinct.end()) {
        distinct.push_back(*stream);
      }
    }
    for (const StreamKind stream : distinct)
      add(CommandKind::host_sync, why).stream = stream;
  }
  void sync_transfers(const char* why) {
    host_sync({stream_of(GraphId::LR_TRANSFER_A), stream_of(GraphId::TRANSFER_A)}, why);
  }
  void sync_compute(const char* why) {
    host_sync({StreamKind::COMP_1, StreamKind::COMP_2, StreamKind::COMP_3,
               stream_of(GraphId::FIRST_LAYER_FWD_A), stream_of(GraphId::DEEP_FWD_BWD),
               stream_of(GraphId::FIRST_LAYER_BWD_A)},
              why);
  }
  void sync_update(const char* why) {
    host_sync({stream_of(GraphId::ZERO_GRAD), stream_of(GraphId::METRICS_A),
               stream_of(GraphId::OPTIMIZER)},
              why);
  }

  /// LOADER fills the slot's pinned batch for the next step as soon as the copy that last read it
  /// is done.
  void fill_next(BufferSlot slot) {
    const HostActor loader = HostActor::LOADER;
    host_wait(loader, StepEvent::batch_copied, -1,
              "the slot's last batch has left the pinned buffer");
    host_task(loader, for_slot(GraphId::HOST_FILL_A, slot), variant().next_shape, 1);
    Command& command = add(CommandKind::host_record);
    command.actor = loader;
    command.event = {StepEvent::batch_readable, 1};
  }

  bool prefetches() const { return variant().next_shape != kAnyShape; }

  /// Fill and copy of the next step's batch, by sub-graph launch.
  void prefetch(BufferSlot slot) {
    if (!prefetches()) return;
    fill_next(slot);
    const GraphId transfer = for_slot(GraphId::TRANSFER_A, slot);
    const StreamKind stream = *stream_of(transfer);
    host_wait(HostActor::MAIN, StepEvent::batch_readable, 1, "the next batch is filled");
    if (program_.mode != StepMode::host_sync && variant().phase != StepPhase::prologue) {
      for (const GraphId reader : {GraphId::FIRST_LAYER_BWD_A, GraphId::INF_MAIN_A}) {
        if (stream_of(reader) && *stream_of(reader) != stream) {
          wait(stream, stream_of(reader), StepEvent::batch_released, -1,
               "the step before has read the device batch");
          break;
        }
      }
    }
    launch(transfer, variant().next_shape, 1);
    record(StepEvent::batch_copied, stream, 1);
  }

  /// The run-ahead cap: two steps; then the results of the step two back are read.
  void cap_run_ahead() {
    host_wait(HostActor::MAIN, StepEvent::step_done, -2, "the host runs at most two steps ahead");
    host_task(HostActor::MAIN, own(GraphId::HOST_RESULTS_A), kAnyShape, -2);
  }

  void train() {
    switch (program_.mode) {
      case StepMode::host_sync:
        return train_host_sync();
      case StepMode::event_sync:
        return train_event_sync();
      case StepMode::whole_step:
        return whole_step();
    }
  }

  void train_host_sync() {
    const ShapeId shape = variant().shape;
    if (ends_update(variant().micro)) {
      host_task(HostActor::MAIN, own(GraphId::HOST_LR_A), kAnyShape, 0);
      launch(own(GraphId::LR_TRANSFER_A));
    }
    launch_zero();
    launch(own(GraphId::FIRST_LAYER_FWD_A), shape);
    sync_transfers("the learning rate is on the device");
    prefetch(other(variant().slot));
    sync_compute("first layer forward");
    sync_update("gradients are zero");
    launch(GraphId::DEEP_FWD_BWD, shape);
    sync_compute("deep layers");
    launch(own(GraphId::FIRST_LAYER_BWD_A), shape);
    launch_all(kBesideFirstBackward);
    sync_update("deep gradients are ready");
    sync_compute("first layer backward");
    launch_all(kBeforeMetrics);
    launch(own(GraphId::METRICS_A), shape);
    launch_statistics();
    sync_update("gradients and metrics are ready");
    if (ends_update(variant().micro)) {
      launch(GraphId::OPTIMIZER);
      launch_all(kBesideOptimizer);
      sync_update("weights are updated");
      sync_compute("weights are updated");
      launch_after_update();
      sync_update("weights are cast");
    }
    sync_transfers("the next batch is on the device");
    host_task(HostActor::MAIN, own(GraphId::HOST_RESULTS_A), kAnyShape, 0);
  }

  void train_event_sync() {
    const ShapeId shape = variant().shape;
    const StreamKind lr = *stream_of(GraphId::LR_TRANSFER_A);
    const StreamKind zero = *stream_of(GraphId::ZERO_GRAD);
    const StreamKind first = *stream_of(GraphId::FIRST_LAYER_FWD_A);
    const StreamKind deep = *stream_of(GraphId::DEEP_FWD_BWD);
    const StreamKind backward = *stream_of(GraphId::FIRST_LAYER_BWD_A);
    const StreamKind metrics = *stream_of(GraphId::METRICS_A);
    const StreamKind optimizer = *stream_of(GraphId::OPTIMIZER);
    const auto inference = stream_of(GraphId::INF_MAIN_A);
    cap_run_ahead();
    if (ends_update(variant().micro)) {
      host_task(HostActor::MAIN, own(GraphId::HOST_LR_A), kAnyShape, 0);
      wait(lr, optimizer, StepEvent::optimizer_done, -1,
           "the last update has read its learning rate");
      launch(own(GraphId::LR_TRANSFER_A));
      record(StepEvent::lr_ready, lr);
    }
    wait(zero, optimizer, StepEvent::optimizer_done, -1, "the last update has read its gradients");
    launch_zero();
    record(StepEvent::gradients_zeroed, zero);
    wait(first, stream_of(GraphId::TRANSFER_A), StepEvent::batch_copied, 0, "the batch is there");
    wait(first, optimizer, StepEvent::optimizer_done, -1, "the weights are updated");
    wait(first, metrics, StepEvent::metrics_done, -1, "the metrics have read the last step's loss");
    wait(first, backward, StepEvent::batch_released, -1, "the last step's activations are read");
    wait(first, inference, StepEvent::step_done, -1, "the last evaluation has read its features");
    launch(own(GraphId::FIRST_LAYER_FWD_A), shape);
    record(StepEvent::first_forward_done, first);
    prefetch(other(variant().slot));
    wait(deep, first, StepEvent::first_forward_done, 0, "first layer forward");
    wait(deep, zero, StepEvent::gradients_zeroed, 0, "gradients are zero");
    launch(GraphId::DEEP_FWD_BWD, shape);
    record(StepEvent::deep_done, deep);
    wait(backward, deep, StepEvent::deep_done, 0, "the first layer's output gradient");
    wait(backward, zero, StepEvent::gradients_zeroed, 0, "gradients are zero");
    launch(own(GraphId::FIRST_LAYER_BWD_A), shape);
    record(StepEvent::batch_released, backward);
    wait(metrics, deep, StepEvent::deep_done, 0, "the loss is there");
    launch_all(kBesideFirstBackward);
    wait(metrics, backward, StepEvent::batch_released, 0, "first layer backward");
    launch_all(kBeforeMetrics);
    launch(own(GraphId::METRICS_A), shape);
    record(StepEvent::metrics_done, metrics);
    launch_statistics();
    record(StepEvent::gradients_ready, metrics);
    if (ends_update(variant().micro)) {
      launch_update(GraphId::OPTIMIZER, std::nullopt);
      launch_update(GraphId::LARS_FC_OPT, StepEvent::lars_fc_done);
      launch_update(GraphId::LARS_FIRST_CONV_OPT, StepEvent::lars_first_done);
      launch_update(GraphId::LARS_DEEP_CONV_OPT, StepEvent::lars_deep_done);
      launch_after_update();
    } else {
      wait(optimizer, metrics, StepEvent::gradients_ready, 0, "the step's statistics");
    }
    record(StepEvent::optimizer_done, optimizer);
    record(StepEvent::step_done, optimizer);
  }

  /// All gradients before the first batch of an update; before the others what casting adds from.
  void launch_zero() {
    launch(begins_update(variant().micro) ? GraphId::ZERO_GRAD : GraphId::ZERO_HALF_GRAD);
  }

  void launch_statistics() {
    if (ends_update(variant().micro)) launch(GraphId::NAN_CHECK_AND_GRAD_SCALING);
    launch_all(kStatistics);
  }

  void launch_after_update() {
    launch_all(kAfterOptimizer);
    if (makes_inference_params(variant(), atlas_)) launch(GraphId::UPDATE_BN_INF_PARAMS);
  }

  /// Launches a part of the update once gradients and learning rate are there. A part on another stream than the optimizer's tells
  /// that one by `done`.
  void launch_update(GraphId graph, std::optional<StepEvent> done) {
    const StreamKind stream = *stream_of(graph);
    const StreamKind optimizer = *stream_of(GraphId::OPTIMIZER);
    if (has_work({graph, kAnyShape, kAnyShape}) || !done) {
      wait(stream, stream_of(GraphId::METRICS_A), StepEvent::gradients_ready, 0,
           "gradients are ready");
      wait(stream, stream_of(GraphId::FIRST_LAYER_BWD_A), StepEvent::batch_released, 0,
           "first layer backward");
      wait(stream, stream_of(GraphId::LR_TRANSFER_A), StepEvent::lr_ready, 0,
           "the learning rate is on the device");
    }
    if (launch(graph) && done && stream != optimizer) {
      record(*done, stream);
      wait(optimizer, stream, *done, 0, "its share of the weights is updated");
    }
  }

  /// Training or evaluation as one graph.
  void whole_step() {
    const GraphKey key = whole_step_key(variant());
    const StreamKind stream = *stream_of(key.graph);
    cap_run_ahead();
    if (prefetches()) {
      fill_next(other(variant().slot));
      host_wait(HostActor::MAIN, StepEvent::batch_readable, 1, "the next batch is filled");
    }
    wait(stream, stream_of(GraphId::TRANSFER_A), StepEvent::batch_copied, 0,
         "the prologue's copy; later ones are of this stream");
    Command& command = add(CommandKind::launch);
    command.graph = key;
    command.stream = stream;
    note_empty_parts();
    if (prefetches()) record(StepEvent::batch_copied, stream, 1);
    record(StepEvent::step_done, stream);
  }

  void note_empty_parts() {
    if (variant().phase != StepPhase::train) return;
    const auto note = [&](const auto& graphs) {
      for (const GraphId graph : graphs) {
        const GraphKey key{graph, kAnyShape, kAnyShape};
        if (!has_work(key)) program_.empty_graphs.push_back(key);
      }
    };
    note(kBesideFirstBackward);
    note(kBeforeMetrics);
    note(kStatistics);
    if (!ends_update(variant().micro)) return;
    note(std::array{GraphId::NAN_CHECK_AND_GRAD_SCALING, GraphId::OPTIMIZER});
    note(kBesideOptimizer);
    note(kAfterOptimizer);
  }

  void evaluate() {
    if (program_.mode == StepMode::whole_step) return whole_step();
    const StreamKind inference = *stream_of(GraphId::INF_MAIN_A);
    if (program_.mode == StepMode::event_sync) {
      cap_run_ahead();
      wait(inference, stream_of(GraphId::TRANSFER_A), StepEvent::batch_copied, 0,
           "the batch is there");
      wait(inference, stream_of(GraphId::OPTIMIZER), StepEvent::optimizer_done, -1,
           "the weights are updated");
      wait(inference, stream_of(GraphId::METRICS_A), StepEvent::metrics_done, -1,
           "the metrics have read the last step's loss");
      wait(inference, stream_of(GraphId::FIRST_LAYER_BWD_A), StepEvent::batch_released, -1,
           "the last step's activations are read");
    }
    launch(own(GraphId::INF_MAIN_A), variant().shape);
    if (program_.mode == StepMode::event_sync) {
      record(StepEvent::batch_released, inference);
      record(StepEvent::step_done, inference);
    }
    prefetch(other(variant().slot));
    if (program_.mode == StepMode::host_sync) {
      host_sync({inference, stream_of(GraphId::TRANSFER_A)}, "the evaluation step is done");
      host_task(HostActor::MAIN, own(GraphId::HOST_RESULTS_A), kAnyShape, 0);
    }
  }

  void epilogue() {
    if (program_.mode != StepMode::host_sync) {
      cap_run_ahead();
      host_wait(HostActor::MAIN, StepEvent::step_done, -1, "the last step");
      host_task(HostActor::MAIN, for_slot(GraphId::HOST_RESULTS_A, other(variant().slot)),
                kAnyShape, -1);
    }
    for (const StreamKind stream : kStreamKinds) {
      add(CommandKind::host_sync, "the run ends").stream = stream;
    }
  }

  const GraphAtlas& atlas_;
  StepProgram program_;
};

}  // namespace

StepProgram plan_step(const StepVariant& variant, StepMode mode, const GraphAtlas& atlas) {
  return StepPlanner(variant, mode, atlas).plan();
}

std::vector<GraphKey> whole_step_parts(const StepVariant& variant, const GraphAtlas& atlas) {
  std::vector<GraphKey> parts;
  const auto add = [&](GraphId graph, ShapeId shape = kAnyShape) {
    const GraphKey key{graph, shape, kAnyShape};
    const auto slot = atlas.find(key);
    if (slot != atlas.end() && !slot->second.graph.ops.empty()) parts.push_back(key);
  };
  const auto own = [&](GraphId a) { return for_slot(a, variant.slot); };
  const auto transfer = [&] {
    if (variant.next_shape != kAnyShape) {
      add(for_slot(GraphId::TRANSFER_A, other(variant.slot)), variant.next_shape);
    }
  };
  if (variant.phase == StepPhase::evaluate) {
    add(own(GraphId::INF_MAIN_A), variant.shape);
    transfer();
    return parts;
  }
  if (ends_update(variant.micro)) add(GraphId::LR_SELECT);
  add(begins_update(variant.micro) ? GraphId::ZERO_GRAD : GraphId::ZERO_HALF_GRAD);
  add(own(GraphId::FIRST_LAYER_FWD_A), variant.shape);
  transfer();
  add(GraphId::DEEP_FWD_BWD, variant.shape);
  add(own(GraphId::FIRST_LAYER_BWD_A), variant.shape);
  for (const GraphId graph : kBesideFirstBackward)
    add(graph);
  for (const GraphId graph : kBeforeMetrics)
    add(graph);
  add(own(GraphId::METRICS_A), variant.shape);
  if (ends_update(variant.micro)) add(GraphId::NAN_CHECK_AND_GRAD_SCALING);
  for (const GraphId graph : kStatistics)
    add(graph);
  if (!ends_update(variant.micro)) return parts;
  add(GraphId::OPTIMIZER);
  for (const GraphId graph : kBesideOptimizer)
    add(graph);
  for (const GraphId graph : kAfterOptimizer)
    add(graph);
  if (makes_inference_params(variant, atlas)) add(GraphId::UPDATE_BN_INF_PARAMS);
  return parts;
}

GraphKey whole_step_key(const StepVariant& variant) {
  const GraphId a =
      variant.phase == StepPhase::evaluate ? GraphId::WHOLE_EVAL_A : GraphId::WHOLE_STEP_A;
  return {for_slot(a, variant.slot), variant.shape, variant.next_shape, variant.micro};
}

}  // namespace quintet
