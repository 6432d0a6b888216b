#include "runtime/model/graph_id.h"

namespace quintet {

namespace {

constexpr auto kGraphNames = std::to_array<std::string_view>({
    "HOST_FILL_A",
    "HOST_FILL_B",
    "HOST_LR_A",
    "HOST_LR_B",
    "HOST_RESULTS_A",
    "HOST_RESULTS_B",
    "TRANSFER_A",
    "TRANSFER_B",
    "LR_TRANSFER_A",
    "LR_TRANSFER_B",
    "LR_SELECT",
    "ZERO_GRAD",
    "ZERO_HALF_GRAD",
    "FIRST_LAYER_FWD_A",
    "FIRST_LAYER_FWD_B",
    "DEEP_FWD_BWD",
    "FIRST_LAYER_BWD_A",
    "FIRST_LAYER_BWD_B",
    "CAST_DEEP_GRAD_FP16_TO_FP32",
    "DEEP_COMM",
    "CAST_FIRST_GRAD_FP16_TO_FP32",
    "FIRST_COMM",
    "METRICS_A",
    "METRICS_B",
    "NAN_CHECK_AND_GRAD_SCALING",
    "STATS_COMM",
    "UPDATE_STATS",
    "OPTIMIZER",
    "LARS_FC_OPT",
    "LARS_FIRST_CONV_OPT",
    "LARS_DEEP_CONV_OPT",
    "EMA_UPDATE",
    "CAST_MAIN_FP32_TO_FP16",
    "UPDATE_BN_INF_PARAMS",
    "INF_MAIN_A",
    "INF_MAIN_B",
    "WHOLE_STEP_A",
    "WHOLE_STEP_B",
    "WHOLE_EVAL_A",
    "WHOLE_EVAL_B",
});

}  // namespace

std::string_view name_of(GraphId graph) {
  return kGraphNames.at(static_cast<std::size_t>(graph));
}

std::optional<GraphId> graph_from_name(std::string_view name) {
  for (std::size_t index = 0; index < kGraphNames.size(); ++index) {
    if (kGraphNames[index] == name) return static_cast<GraphId>(index);
  }
  return std::nullopt;
}

std::optional<BufferSlot> slot_of(GraphId graph) {
  const std::string_view name = name_of(graph);
  if (name.ends_with("_A")) return BufferSlot::A;
  if (name.ends_with("_B")) return BufferSlot::B;
  return std::nullopt;
}

std::array<GraphId, static_cast<std::size_t>(GraphId::WHOLE_EVAL_B) + 1> all_graph_ids() {
  std::array<GraphId, static_cast<std::size_t>(GraphId::WHOLE_EVAL_B) + 1> graphs{};
  static_assert(graphs.size() == kGraphNames.size());
  for (std::size_t index = 0; index < graphs.size(); ++index) {
    graphs[index] = static_cast<GraphId>(index);
  }
  return graphs;
}

}  // namespace quintet
