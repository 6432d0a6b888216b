/// The sub-graphs that a step is cut into, and the key under which one shape variant of one is
/// captured.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/model/ids.h"

namespace quintet {

/// Index of a shape variant (ExecutionPlan::shapes). 0 = shape-independent.
using ShapeId = Id<struct ShapeVariantTag>;
inline constexpr ShapeId kAnyShape{0};

/// The A/B buffer pair. Batch k of a run uses slot A for even k, B for odd k.
enum class BufferSlot : std::uint8_t { A, B };
constexpr BufferSlot other(BufferSlot slot) {
  return slot == BufferSlot::A ? BufferSlot::B : BufferSlot::A;
}
constexpr std::string_view name_of(BufferSlot slot) {
  return slot == BufferSlot::A ? "A" : "B";
}

enum class GraphId : std::uint8_t {
  HOST_FILL_A,
  HOST_FILL_B,  ///< host actor LOADER
  HOST_LR_A,
  HOST_LR_B,  ///< host actor MAIN
  HOST_RESULTS_A,
  HOST_RESULTS_B,  ///< host actor MAIN
  TRANSFER_A,
  TRANSFER_B,
  LR_TRANSFER_A,
  LR_TRANSFER_B,  ///< the learning rate by way of its pinned slot
  LR_SELECT,      ///< the learning rate from the device table (whole_step)
  ZERO_GRAD,
  ZERO_HALF_GRAD,  ///< AMP with micro-batches: the FP16 gradients alone, before each micro-batch after the first
  FIRST_LAYER_FWD_A,
  FIRST_LAYER_FWD_B,
  DEEP_FWD_BWD,
  FIRST_LAYER_BWD_A,
  FIRST_LAYER_BWD_B,
  CAST_DEEP_GRAD_FP16_TO_FP32,
  DEEP_COMM,
  CAST_FIRST_GRAD_FP16_TO_FP32,
  FIRST_COMM,
  METRICS_A,
  METRICS_B,
  NAN_CHECK_AND_GRAD_SCALING,
  STATS_COMM,
  UPDATE_STATS,
  OPTIMIZER,
  LARS_FC_OPT,
  LARS_FIRST_CONV_OPT,
  LARS_DEEP_CONV_OPT,
  EMA_UPDATE,
  CAST_MAIN_FP32_TO_FP16,
  UPDATE_BN_INF_PARAMS,
  INF_MAIN_A,
  INF_MAIN_B,
  WHOLE_STEP_A,
  WHOLE_STEP_B,  ///< every sub-graph of a training step in one executable graph
  WHOLE_EVAL_A,
  WHOLE_EVAL_B,  ///< the same for an evaluation step
};

std::string_view name_of(GraphId graph);
std::optional<GraphId> graph_from_name(std::string_view name);
/// Every GraphId in the order of the enum.
std::array<GraphId, static_cast<std::size_t>(GraphId::WHOLE_EVAL_B) + 1> all_graph_ids();
/// True for HOST_*: run by a host actor, never launched on a stream.
constexpr bool runs_on_host(GraphId graph) {
  return graph <= GraphId::HOST_RESULTS_B;
}
/// The slot's own twin of a sub-graph that comes in an A and a B form; `a` is the A form.
constexpr GraphId for_slot(GraphId a, BufferSlot slot) {
  return static_cast<GraphId>(static_cast<std::uint8_t>(a) + static_cast<std::uint8_t>(slot));
}
/// The slot of a sub-graph that comes in an A and a B form; nothing for the others.
std::optional<BufferSlot> slot_of(GraphId graph);

/// Where a batch stands among those whose gradients are added up before an update: the only one, or first, middle, last.
enum class MicroBatch : std::uint8_t { single, first, middle, last };

constexpr std::string_view name_of(MicroBatch micro) {
  switch (micro) {
    case MicroBatch::single:
      return "single";
    case MicroBatch::first:
      return "first";
    case MicroBatch::middle:
      return "middle";
    case MicroBatch::last:
      return "last";
  }
  return {};
}
/// True where the gradients of an update begin, or are complete.
constexpr bool begins_update(MicroBatch micro) {
  return micro == MicroBatch::single || micro == MicroBatch::first;
}
constexpr bool ends_update(MicroBatch micro) {
  return micro == MicroBatch::single || micro == MicroBatch::last;
}

/// One captured graph: sub-graph x shape; a whole step also depends on the shape of the batch it
/// prefetches.
struct GraphKey {
  GraphId graph = GraphId::DEEP_FWD_BWD;
  ShapeId shape = kAnyShape;
  ShapeId next_shape = kAnyShape;
  MicroBatch micro = MicroBatch::single;  ///< of whole training steps only
  friend constexpr auto operator<=>(const GraphKey&, const GraphKey&) = default;
};

}  // namespace quintet
