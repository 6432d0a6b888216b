#include "runtime/network/step_ops.h"

namespace quintet {

namespace {

bool amp(const TrainingSetup& setup) {
  return setup.precision == Precision::amp;
}

Op op_of(OpKind kind, std::string layer, GraphId graph, std::vector<TensorId> inputs,
         std::vector<TensorId> outputs) {
  Op op;
  op.kind = kind;
  op.layer = std::move(layer);
  op.graph = graph;
  op.inputs = std::move(inputs);
  op.outputs = std::move(outputs);
  return op;
}

Op range_of(RangeOp kind, std::string layer, GraphId graph, std::vector<RegionKind> regions,
            std::vector<TensorId> inputs = {}) {
  Op op = op_of(kind, std::move(layer), graph, std::move(inputs), {});
  op.regions = std::move(regions);
  return op;
}

class StepEnd {
 public:
  StepEnd(GraphWriter& writer, const NetworkDefinition& network, const TrainingSetup& setup,
          const StepScalars& scalars, const std::vector<LayerParameters>& parameters,
          std::size_t first)
      : writer_(writer),
        network_(network),
        setup_(setup),
        scalars_(scalars),
        parameters_(parameters),
        first_(first) {}

  void add() {
    if (amp(setup_)) {
      cast_gradients(false, GraphId::CAST_DEEP_GRAD_FP16_TO_FP32);
      cast_gradients(true, GraphId::CAST_FIRST_GRAD_FP16_TO_FP32);
    }
    check_and_scale();
    update_stats();
    optimize();
    if (setup_.ema) average();
    if (amp(setup_)) cast_weights();
    inference_params();
    for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
      writer_.op(op_of(ComputeOp::HOST_READ_RESULTS, "results",
                       for_slot(GraphId::HOST_RESULTS_A, slot),
                       {scalars_.result[static_cast<std::size_t>(slot)]}, {}));
    }
  }

 private:
  /// Every parameter of the first layer, or of the others.
  std::vector<const Parameter*> parameters_of(bool first) const {
    std::vector<const Parameter*> found;
    for (std::size_t layer = 0; layer < parameters_.size(); ++layer) {
      if ((layer == first_) != first) continue;
      for (const Parameter& parameter : parameters_[layer].tensors)
        found.push_back(&parameter);
    }
    return found;
  }

  /// The optional last input of what an overflow skips.
  std::vector<TensorId> with_flag(std::vector<TensorId> inputs) const {
    if (scalars_.found_inf) inputs.push_back(*scalars_.found_inf);
    return inputs;
  }

  void cast_gradients(bool first, GraphId graph) {
    std::vector<TensorId> halves;
    std::vector<TensorId> floats;
    for (const Parameter* parameter : parameters_of(first)) {
      if (!parameter->half_gradient) continue;
      halves.push_back(*parameter->half_gradient);
      floats.push_back(parameter->gradient);
    }
    if (halves.empty()) return;
    writer_.op(
        op_of(RangeOp::RANGE_CAST_FP16_TO_FP32, first ? "first" : "deep", graph, halves, floats));
  }

  void check_and_scale() {
    const bool accumulates = setup_.micro_batches > 1;
    if (!amp(setup_) && !accumulates) return;
    const GraphId graph = GraphId::NAN_CHECK_AND_GRAD_SCALING;
    const std::vector<RegionKind> gradients = {RegionKind::FIRST_GRADIENTS,
                                               RegionKind::DEEP_GRADIENTS};
    std::vector<TensorId> scale_inputs;
    if (amp(setup_)) {
      Op check = range_of(RangeOp::RANGE_CHECK_NAN, "gradients", graph, gradients);
      check.outputs = {*scalars_.found_inf};
      writer_.op(std::move(check));
      scale_inputs = {*scalars_.loss_scale, *scalars_.found_inf};
    }
    Op scale = range_of(RangeOp::RANGE_SCALE_GRADIENTS, "gradients", graph, gradients,
                        std::move(scale_inputs));
    scale.attributes = GradientScaleHyper{setup_.micro_batches};
    writer_.op(std::move(scale));
    if (!amp(setup_)) return;
    Op update = op_of(ComputeOp::LOSS_SCALE_UPDATE, "loss_scale", graph, {*scalars_.found_inf},
                      {*scalars_.loss_scale, *scalars_.good_steps});
    update.attributes = LossScaleHyper{};
    writer_.op(std::move(update));
  }

  void update_stats() {
    writer_.op(op_of(ComputeOp::SCALAR_INCREMENT, "step_counter", GraphId::UPDATE_STATS, {},
                     {scalars_.counter}));
    for (const Layer& layer : network_.layers) {
      const auto* norm = std::get_if<BatchNormLayer>(&layer.kind);
      if (norm == nullptr) continue;
      Op op = range_of(RangeOp::RANGE_BN_STATS_UPDATE, "batch_norm", GraphId::UPDATE_STATS,
                       {RegionKind::BN_RUNNING_STATS, RegionKind::BN_BATCH_STATS});
      op.attributes = norm->hyper;
      writer_.op(std::move(op));
      return;  // one update of the whole region; all layers share their hyper-parameters
    }
  }

  void optimize() {
    if (const auto* sgd = std::get_if<SgdHyper>(&setup_.optimizer)) {
      range_update(RangeOp::RANGE_SGD_UPDATE, *sgd, {}, false);
    } else if (const auto* adamw = std::get_if<AdamWHyper>(&setup_.optimizer)) {
      adam(RangeOp::RANGE_ADAMW_UPDATE, *adamw);
    } else if (const auto* plain = std::get_if<AdamHyper>(&setup_.optimizer)) {
      adam(RangeOp::RANGE_ADAM_UPDATE, *plain);
    } else {
      lars(std::get<LarsHyper>(setup_.optimizer));
    }
  }

  void adam(RangeOp kind, const AdamHyper& hyper) {
    Op correction = op_of(ComputeOp::ADAM_BIAS_CORRECTION, "adam", GraphId::OPTIMIZER,
                          with_flag({}), {*scalars_.adam_t, *scalars_.adam_correction});
    correction.attributes = hyper;
    writer_.op(std::move(correction));
    range_update(kind, hyper, {*scalars_.adam_correction}, true);
  }

  /// One launch over the deep region, one over the first layer's.
  void range_update(RangeOp kind, const OpAttributes& hyper, const std::vector<TensorId>& extra,
                    bool variance) {
    const auto update = [&](const char* part, std::vector<RegionKind> regions, RegionKind v) {
      if (variance) regions.push_back(v);
      std::vector<TensorId> inputs = {scalars_.lr};
      inputs.insert(inputs.end(), extra.begin(), extra.end());
      Op op = range_of(kind, part, GraphId::OPTIMIZER, std::move(regions), with_flag(inputs));
      op.attributes = hyper;
      writer_.op(std::move(op));
    };
    if (!parameters_of(false).empty()) {
      update("deep",
             {RegionKind::DEEP_WEIGHTS, RegionKind::DEEP_GRADIENTS, RegionKind::DEEP_MOMENTUM},
             RegionKind::DEEP_VARIANCE);
    }
    update("first",
           {RegionKind::FIRST_WEIGHTS, RegionKind::FIRST_GRADIENTS, RegionKind::FIRST_MOMENTUM},
           RegionKind::FIRST_VARIANCE);
  }

  /// Fully connected layers, the first layer where it is a convolution, everything else.
  void lars(const LarsHyper& hyper) {
    std::vector<const Parameter*> fc;
    std::vector<const Parameter*> first;
    std::vector<const Parameter*> deep;
    for (std::size_t layer = 0; layer < parameters_.size(); ++layer) {
      const bool is_fc = std::holds_alternative<FcLayer>(network_.layers[layer].kind);
      auto& group = is_fc ? fc : layer == first_ ? first : deep;
      for (const Parameter& parameter : parameters_[layer].tensors)
        group.push_back(&parameter);
    }
    lars_group(ComputeOp::LARS_UPDATE_FC, GraphId::LARS_FC_OPT, "fc", fc, hyper);
    lars_group(ComputeOp::LARS_UPDATE_FIRST, GraphId::LARS_FIRST_CONV_OPT, "first_conv", first,
               hyper);
    lars_group(ComputeOp::LARS_UPDATE_DEEP, GraphId::LARS_DEEP_CONV_OPT, "deep", deep, hyper);
  }

  void lars_group(ComputeOp kind, GraphId graph, const char* layer,
                  const std::vector<const Parameter*>& group, const LarsHyper& hyper) {
    if (group.empty()) return;
    std::vector<TensorId> inputs = {scalars_.lr};
    std::vector<TensorId> outputs;
    for (const Parameter* parameter : group) {
      inputs.push_back(parameter->gradient);
      outputs.push_back(parameter->master);
      outputs.push_back(parameter->momentum);
    }
    Op op = op_of(kind, layer, graph, with_flag(inputs), outputs);
    op.attributes = hyper;
    writer_.op(std::move(op));
  }

  void average() {
    const auto add = [&](const char* part, RegionKind average, RegionKind weights) {
      Op op = range_of(RangeOp::RANGE_EMA_PARAM_UPDATE, part, GraphId::EMA_UPDATE,
                       {average, weights}, with_flag({}));
      op.attributes = *setup_.ema;
      writer_.op(std::move(op));
    };
    if (!parameters_of(false).empty()) add("deep", RegionKind::DEEP_EMA, RegionKind::DEEP_WEIGHTS);
    add("first", RegionKind::FIRST_EMA, RegionKind::FIRST_WEIGHTS);
  }

  void cast_weights() {
    for (const bool first : {false, true}) {
      std::vector<TensorId> floats;
      std::vector<TensorId> halves;
      for (const Parameter* parameter : parameters_of(first)) {
        if (!parameter->half) continue;
        floats.push_back(parameter->master);
        halves.push_back(*parameter->half);
      }
      if (floats.empty()) continue;
      writer_.op(op_of(RangeOp::RANGE_CAST_FP32_TO_FP16, first ? "first" : "deep",
                       GraphId::CAST_MAIN_FP32_TO_FP16, floats, halves));
    }
  }

  void inference_params() {
    for (std::size_t layer = 0; layer < parameters_.size(); ++layer) {
      const LayerParameters& own = parameters_[layer];
      if (!own.running_stats) continue;
      Op op = op_of(ComputeOp::BN_UPDATE_EQ_PARAMS, network_.layers[layer].name,
                    GraphId::UPDATE_BN_INF_PARAMS,
                    {own.tensors[0].evaluated(setup_.evaluate),
                     own.tensors[1].evaluated(setup_.evaluate), *own.running_stats},
                    {*own.inference_params});
      op.attributes = std::get<BatchNormLayer>(network_.layers[layer].kind).hyper;
      writer_.op(std::move(op));
    }
  }

  GraphWriter& writer_;
  const NetworkDefinition& network_;
  const TrainingSetup& setup_;
  const StepScalars& scalars_;
  const std::vector<LayerParameters>& parameters_;
  std::size_t first_;
};

}  // namespace

void add_step_start(GraphWriter& writer, const TrainingSetup& setup, const StepScalars& scalars) {
  for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
    const TensorId host_lr = scalars.host_lr[static_cast<std::size_t>(slot)];
    writer.op(
        op_of(ComputeOp::HOST_WRITE_LR, "lr", for_slot(GraphId::HOST_LR_A, slot), {}, {host_lr}));
    writer.op(op_of(ComputeOp::H2D_COPY, "lr", for_slot(GraphId::LR_TRANSFER_A, slot), {host_lr},
                    {scalars.lr}));
  }
  writer.op(op_of(ComputeOp::LR_FROM_TABLE, "lr", GraphId::LR_SELECT,
                  {scalars.lr_table, scalars.counter}, {scalars.lr}));
  std::vector<RegionKind> gradients = {RegionKind::FIRST_GRADIENTS, RegionKind::DEEP_GRADIENTS};
  const std::vector<RegionKind> halves = {RegionKind::FIRST_GRADIENTS_FP16,
                                          RegionKind::DEEP_GRADIENTS_FP16};
  if (amp(setup)) gradients.insert(gradients.end(), halves.begin(), halves.end());
  writer.op(range_of(RangeOp::RANGE_CLEAR, "gradients", GraphId::ZERO_GRAD, gradients));
  if (amp(setup) && setup.micro_batches > 1) {
    writer.op(range_of(RangeOp::RANGE_CLEAR, "half_gradients", GraphId::ZERO_HALF_GRAD, halves));
  }
}

void add_step_end(GraphWriter& writer, const NetworkDefinition& network, const TrainingSetup& setup,
                  const StepScalars& scalars, const std::vector<LayerParameters>& parameters,
                  std::size_t first) {
  StepEnd(writer, network, setup, scalars, parameters, first).add();
}

}  // namespace quintet
