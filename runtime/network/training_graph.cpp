#include "runtime/network/training_graph.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "runtime/ops/conv.h"
#include "runtime/ops/fc.h"
#include "runtime/ops/maxpool.h"
#include "runtime/ops/op_catalog.h"

namespace quintet {

namespace {

/// Weights, bias and their gradients of one layer.
struct Parameters {
  TensorId weight, bias, weight_gradient, bias_gradient;
};

/// What forward leaves for the layers after it and for backward.
struct Activation {
  TensorId output;
  std::optional<TensorId> saved;
};

/// Sub-graphs of the article's step that have no work on one rank without AMP, LARS, EMA and
/// BatchNorm.
constexpr std::array kEmptyHere = {GraphId::CAST_DEEP_GRAD_FP16_TO_FP32,
                                   GraphId::DEEP_COMM,
                                   GraphId::CAST_FIRST_GRAD_FP16_TO_FP32,
                                   GraphId::FIRST_COMM,
                                   GraphId::NAN_CHECK_AND_GRAD_SCALING,
                                   GraphId::STATS_COMM,
                                   GraphId::UPDATE_STATS,
                                   GraphId::LARS_FC_OPT,
                                   GraphId::LARS_FIRST_CONV_OPT,
                                   GraphId::LARS_DEEP_CONV_OPT,
                                   GraphId::EMA_UPDATE,
                                   GraphId::CAST_MAIN_FP32_TO_FP16,
                                   GraphId::UPDATE_BN_INF_PARAMS};

bool has_weights(const Layer& layer) {
  return std::holds_alternative<ConvLayer>(layer.kind) ||
         std::holds_alternative<FcLayer>(layer.kind);
}

class Builder {
 public:
  Builder(const NetworkDefinition& network, const TrainingSetup& setup)
      : network_(network), setup_(setup) {}

  Result<TrainingGraph> build() {
    if (auto checked = check_layers(); !checked) return tl::unexpected(checked.error());
    add_shapes();
    if (auto added = add_parameters(); !added) return tl::unexpected(added.error());
    add_scalars();
    add_step_start();
    for (const ShapeVariant& shape : graph_.shapes) {
      if (shape.id == kAnyShape) continue;
      add_input(shape);
      const auto built = shape.training ? add_training(shape) : add_inference(shape);
      if (!built) return tl::unexpected(built.error());
    }
    add_step_end();
    for (const GraphId empty : kEmptyHere)
      graph_.atlas[{empty, kAnyShape, kAnyShape}];
    for (auto& [key, slot] : graph_.atlas)
      slot.graph.key = key;
    for (const Op& op : graph_.ops) {
      if (auto known = find_op(op.kind); !known) {
        Error error = known.error();
        error.message = fmt::format("layer '{}': {}", op.layer, error.message);
        return tl::unexpected(error);
      }
    }
    return std::move(graph_);
  }

 private:
  Result<void> check_layers() {
    std::set<std::string> names;
    for (const Layer& layer : network_.layers) {
      if (!names.insert(layer.name).second) {
        return fail(fmt::format("network {} has two layers named '{}'", network_.name, layer.name),
                    "give each layer its own name");
      }
    }
    const auto first = std::find_if(network_.layers.begin(), network_.layers.end(), has_weights);
    if (first == network_.layers.end()) {
      return fail(fmt::format("network {} has no layer with weights", network_.name),
                  "add a convolution or a fully connected layer");
    }
    first_ = static_cast<std::size_t>(first - network_.layers.begin());
    for (std::size_t index = 0; index < first_; ++index) {
      if (!std::holds_alternative<FlattenLayer>(network_.layers[index].kind)) {
        return fail(fmt::format("layer '{}' stands before the first layer with weights",
                                network_.layers[index].name),
                    "begin the network with flatten, convolution or fully connected layers");
      }
    }
    return {};
  }

  void add_shapes() {
    graph_.shapes.push_back({kAnyShape, "any", 0, false});
    const auto add = [&](const char* name, std::int64_t batch, bool training) {
      if (batch == 0) return;
      const ShapeId id(static_cast<std::uint32_t>(graph_.shapes.size()));
      graph_.shapes.push_back({id, name, batch, training});
    };
    add("train", setup_.train_batch, true);
    add("train_tail", setup_.train_tail, true);
    add("eval", setup_.eval_batch, false);
    add("eval_tail", setup_.eval_tail, false);
  }

  Shape image_shape(std::int64_t batch) const {
    return Shape{batch, network_.height, network_.width, network_.channels};
  }

  /// The shape after a layer; errors name the layer.
  Result<Shape> output_shape(const Layer& layer, const Shape& input) const {
    Result<Shape> shape = std::visit(
        [&](const auto& kind) -> Result<Shape> {
          using Kind = std::decay_t<decltype(kind)>;
          if constexpr (std::is_same_v<Kind, ConvLayer>) {
            return conv_output_shape(input, kind.window, kind.out_channels);
          } else if constexpr (std::is_same_v<Kind, FcLayer>) {
            return fc_output_shape(input, kind.out_features);
          } else if constexpr (std::is_same_v<Kind, MaxPoolLayer>) {
            return pool_output_shape(input, kind.window);
          } else if constexpr (std::is_same_v<Kind, FlattenLayer>) {
            return Shape{input.dim(0), input.elements() / input.dim(0)};
          } else {
            return input;
          }
        },
        layer.kind);
    if (!shape) {
      Error error = shape.error();
      error.message = fmt::format("layer '{}': {}", layer.name, error.message);
      return tl::unexpected(error);
    }
    return shape;
  }

  TensorId add_tensor(std::string name, Shape shape, RegionKind region, TensorRole role,
                      ShapeId variant = kAnyShape, DType dtype = DType::F32) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.shape = std::move(shape);
    tensor.dtype = dtype;
    tensor.region = region;
    tensor.role = role;
    tensor.variant = variant;
    return graph_.tensors.add(std::move(tensor));
  }

  TensorId add_view(std::string name, Shape shape, TensorId of) {
    Tensor tensor = graph_.tensors[of];
    tensor.name = std::move(name);
    tensor.shape = std::move(shape);
    tensor.view_of = of;
    tensor.gradient_of = std::nullopt;
    return graph_.tensors.add(std::move(tensor));
  }

  Op& add_op(OpKind kind, std::string layer, GraphId graph, ShapeId shape,
             std::vector<TensorId> inputs, std::vector<TensorId> outputs) {
    Op op;
    op.id = OpId(static_cast<std::uint32_t>(graph_.ops.size()));
    op.kind = kind;
    op.layer = std::move(layer);
    op.graph = graph;
    op.shape = shape;
    op.inputs = std::move(inputs);
    op.outputs = std::move(outputs);
    graph_.ops.push_back(std::move(op));
    return graph_.ops.back();
  }

  /// Puts the op into the atlas; called when the op is complete.
  void file(const Op& op) { graph_.atlas[{op.graph, op.shape, kAnyShape}].graph.ops.push_back(op); }

  Result<void> add_parameters() {
    parameters_.resize(network_.layers.size());
    Shape shape = image_shape(1);
    for (std::size_t index = 0; index < network_.layers.size(); ++index) {
      const Layer& layer = network_.layers[index];
      const Result<Shape> output = output_shape(layer, shape);
      if (!output) return tl::unexpected(output.error());
      if (has_weights(layer)) {
        Shape weight{shape.elements(), output->dim(-1)};
        if (const auto* conv = std::get_if<ConvLayer>(&layer.kind)) {
          weight = Shape{conv->window.kernel_h, conv->window.kernel_w, shape.dim(-1),
                         conv->out_channels};
        }
        parameters_[index] = add_layer_parameters(layer.name, weight, index == first_);
      }
      shape = *output;
    }
    if (shape.rank() != 2 || shape.dim(1) != network_.classes) {
      return fail(fmt::format("network {} ends in {}, not in {} class scores", network_.name,
                              shape.text(), network_.classes),
                  "end the network with a fully connected layer of that width");
    }
    return {};
  }

  /// Weights, gradients and momentum are added in one order, so that their regions are laid out
  /// alike.
  Parameters add_layer_parameters(const std::string& layer, const Shape& weight, bool first) {
    const Shape bias{weight.dim(-1)};
    const auto add = [&](const char* suffix, RegionKind region, TensorRole role, const Shape& s) {
      return add_tensor(layer + suffix, s, region, role);
    };
    const auto weights = first ? RegionKind::FIRST_WEIGHTS : RegionKind::DEEP_WEIGHTS;
    const auto gradients = first ? RegionKind::FIRST_GRADIENTS : RegionKind::DEEP_GRADIENTS;
    const auto momentum = first ? RegionKind::FIRST_MOMENTUM : RegionKind::DEEP_MOMENTUM;
    Parameters parameters;
    parameters.weight = add("/W", weights, TensorRole::weight, weight);
    parameters.bias = add("/B", weights, TensorRole::weight, bias);
    parameters.weight_gradient = add("/dW", gradients, TensorRole::weight_gradient, weight);
    parameters.bias_gradient = add("/dB", gradients, TensorRole::weight_gradient, bias);
    add("/mW", momentum, TensorRole::optimizer_state, weight);
    add("/mB", momentum, TensorRole::optimizer_state, bias);
    return parameters;
  }

  void add_scalars() {
    for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
      const std::string suffix(name_of(slot));
      host_lr_[index(slot)] =
          add_tensor("host_lr_" + suffix, Shape{1}, RegionKind::HOST_SCALARS, TensorRole::scalar);
      result_[index(slot)] = add_tensor("result_" + suffix, Shape{2}, RegionKind::HOST_RESULTS,
                                        TensorRole::result, kAnyShape, DType::F64);
    }
    lr_ = add_tensor("lr", Shape{1}, RegionKind::SCALARS, TensorRole::scalar);
    counter_ = add_tensor("step_counter", Shape{1}, RegionKind::SCALARS, TensorRole::scalar,
                          kAnyShape, DType::I64);
    lr_table_ = add_tensor("lr_table", Shape{std::max<std::int64_t>(1, setup_.train_steps)},
                           RegionKind::SCHEDULE, TensorRole::table);
  }

  void add_step_start() {
    for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
      file(add_op(ComputeOp::HOST_WRITE_LR, "lr", for_slot(GraphId::HOST_LR_A, slot), kAnyShape, {},
                  {host_lr_[index(slot)]}));
      file(add_op(ComputeOp::H2D_COPY, "lr", for_slot(GraphId::LR_TRANSFER_A, slot), kAnyShape,
                  {host_lr_[index(slot)]}, {lr_}));
    }
    file(add_op(ComputeOp::LR_FROM_TABLE, "lr", GraphId::LR_SELECT, kAnyShape,
                {lr_table_, counter_}, {lr_}));
    file(add_op(ComputeOp::SCALAR_INCREMENT, "step_counter", GraphId::LR_SELECT, kAnyShape, {},
                {counter_}));
    Op& clear = add_op(RangeOp::RANGE_CLEAR, "gradients", GraphId::ZERO_GRAD, kAnyShape, {}, {});
    clear.regions = {RegionKind::FIRST_GRADIENTS, RegionKind::DEEP_GRADIENTS};
    file(clear);
  }

  void add_step_end() {
    const auto sgd = [&](const char* part, RegionKind weights, RegionKind gradients,
                         RegionKind momentum) {
      Op& op = add_op(RangeOp::RANGE_SGD_UPDATE, part, GraphId::OPTIMIZER, kAnyShape, {lr_}, {});
      op.regions = {weights, gradients, momentum};
      op.attributes = setup_.sgd;
      file(op);
    };
    sgd("deep", RegionKind::DEEP_WEIGHTS, RegionKind::DEEP_GRADIENTS, RegionKind::DEEP_MOMENTUM);
    sgd("first", RegionKind::FIRST_WEIGHTS, RegionKind::FIRST_GRADIENTS,
        RegionKind::FIRST_MOMENTUM);
    for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
      file(add_op(ComputeOp::HOST_READ_RESULTS, "results", for_slot(GraphId::HOST_RESULTS_A, slot),
                  kAnyShape, {result_[index(slot)]}, {}));
    }
  }

  /// Pinned batch, its filling and its copy, A and B.
  void add_input(const ShapeVariant& shape) {
    const Shape labels{shape.batch};
    for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
      const std::string suffix(name_of(slot));
      const RegionKind host =
          slot == BufferSlot::A ? RegionKind::HOST_BATCH_A : RegionKind::HOST_BATCH_B;
      const RegionKind device = slot == BufferSlot::A ? RegionKind::BATCH_A : RegionKind::BATCH_B;
      const auto add = [&](const std::string& name, const Shape& s, RegionKind region,
                           TensorRole role, DType dtype) {
        return add_tensor(name + suffix, s, region, role, shape.id, dtype);
      };
      const Shape images = image_shape(shape.batch);
      const TensorId host_images = add("host_images_", images, host, TensorRole::input, DType::F32);
      const TensorId host_labels = add("host_labels_", labels, host, TensorRole::label, DType::I32);
      images_[index(slot)] = add("images_", images, device, TensorRole::input, DType::F32);
      labels_[index(slot)] = add("labels_", labels, device, TensorRole::label, DType::I32);
      file(add_op(ComputeOp::HOST_FILL_BATCH, "batch", for_slot(GraphId::HOST_FILL_A, slot),
                  shape.id, {}, {host_images, host_labels}));
      const GraphId transfer = for_slot(GraphId::TRANSFER_A, slot);
      file(add_op(ComputeOp::H2D_COPY, "images", transfer, shape.id, {host_images},
                  {images_[index(slot)]}));
      file(add_op(ComputeOp::H2D_COPY, "labels", transfer, shape.id, {host_labels},
                  {labels_[index(slot)]}));
    }
  }

  /// One layer's forward op; a training shape keeps what backward needs. `into`: write there
  /// instead of to new tensors.
  Result<Activation> add_forward(std::size_t layer_index, TensorId input, GraphId graph,
                                 const ShapeVariant& shape, const std::string& prefix,
                                 const std::optional<Activation>& into = std::nullopt) {
    const Layer& layer = network_.layers[layer_index];
    const Result<Shape> output_dims = output_shape(layer, graph_.tensors[input].shape);
    if (!output_dims) return tl::unexpected(output_dims.error());
    const auto add = [&](const std::string& name, TensorRole role, DType dtype = DType::F32) {
      return add_tensor(prefix + layer.name + name, *output_dims, RegionKind::FEATURES, role,
                        shape.id, dtype);
    };
    Activation activation;
    if (std::holds_alternative<FlattenLayer>(layer.kind)) {
      activation.output = add_view(prefix + layer.name + "/Y", *output_dims, input);
      file(add_op(ComputeOp::FLATTEN, layer.name, graph, shape.id, {input}, {activation.output}));
      return activation;
    }
    activation.output = into ? into->output : add("/Y", TensorRole::activation);
    std::vector<TensorId> inputs = {input};
    std::vector<TensorId> outputs = {activation.output};
    if (has_weights(layer)) {
      inputs.push_back(parameters_[layer_index].weight);
      inputs.push_back(parameters_[layer_index].bias);
    }
    OpKind kind = ComputeOp::FC_FP32_FWD;
    OpAttributes attributes;
    if (const auto* conv = std::get_if<ConvLayer>(&layer.kind)) {
      kind = ComputeOp::CONV_FP32_FWD;
      attributes = conv->window;
    } else if (const auto* pool = std::get_if<MaxPoolLayer>(&layer.kind)) {
      kind = ComputeOp::MAXPOOL_FP32_FWD;
      attributes = pool->window;
      if (shape.training) activation.saved = add("/argmax", TensorRole::saved, DType::U8);
    } else if (std::holds_alternative<ReluLayer>(layer.kind)) {
      kind = ComputeOp::RELU_FP32_FWD;
      if (shape.training) {
        activation.saved = add("/mask", TensorRole::saved, DType::U8);
      }
    }
    if (activation.saved) outputs.push_back(*activation.saved);
    Op& op = add_op(kind, layer.name, graph, shape.id, std::move(inputs), std::move(outputs));
    op.attributes = attributes;
    file(op);
    return activation;
  }

  /// Forward, loss and backward of one training shape: FIRST_LAYER_FWD_A/B, DEEP_FWD_BWD,
  /// FIRST_LAYER_BWD_A/B, METRICS_A/B.
  Result<void> add_training(const ShapeVariant& shape) {
    const TensorId labels = add_tensor("labels", Shape{shape.batch}, RegionKind::FEATURES,
                                       TensorRole::label, shape.id, DType::I32);
    std::array<TensorId, 2> first_input{};
    std::vector<Activation> activations(network_.layers.size());
    std::optional<Activation> first_output;  // both twins of the first layer write the same one
    for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
      const GraphId graph = for_slot(GraphId::FIRST_LAYER_FWD_A, slot);
      file(add_op(ComputeOp::STAGE_LABELS, "labels", graph, shape.id, {labels_[index(slot)]},
                  {labels}));
      TensorId input = images_[index(slot)];
      for (std::size_t layer = 0; layer < first_; ++layer) {
        const auto view =
            add_forward(layer, input, graph, shape, fmt::format("{}/", name_of(slot)));
        if (!view) return tl::unexpected(view.error());
        input = view->output;
      }
      first_input[index(slot)] = input;
      const auto forward = add_forward(first_, input, graph, shape, "", first_output);
      if (!forward) return tl::unexpected(forward.error());
      first_output = *forward;
    }
    activations[first_] = *first_output;
    for (std::size_t layer = first_ + 1; layer < network_.layers.size(); ++layer) {
      const auto forward =
          add_forward(layer, activations[layer - 1].output, GraphId::DEEP_FWD_BWD, shape, "");
      if (!forward) return tl::unexpected(forward.error());
      activations[layer] = *forward;
    }
    const Loss loss = add_loss(activations.back().output, labels, GraphId::DEEP_FWD_BWD, shape);
    TensorId gradient = add_gradient("loss/dX", activations.back().output, shape);
    file(add_op(ComputeOp::SOFTMAX_CE_FP32_BWD, "loss", GraphId::DEEP_FWD_BWD, shape.id,
                {loss.probabilities, labels}, {gradient}));
    for (std::size_t layer = network_.layers.size() - 1; layer > first_; --layer) {
      gradient =
          add_backward(layer, gradient, activations[layer - 1].output, activations[layer], shape);
    }
    add_first_layer_backward(gradient, first_input, shape);
    for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
      add_metrics(loss, labels, for_slot(GraphId::METRICS_A, slot), slot, shape);
    }
    return {};
  }

  void add_first_layer_backward(TensorId gradient, const std::array<TensorId, 2>& inputs,
                                const ShapeVariant& shape) {
    const Layer& layer = network_.layers[first_];
    const auto* conv = std::get_if<ConvLayer>(&layer.kind);
    for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
      Op& op = add_op(conv != nullptr ? ComputeOp::CONV_FP32_BWD_FIRST_LAYER
                                      : ComputeOp::FC_FP32_BWD_FIRST_LAYER,
                      layer.name, for_slot(GraphId::FIRST_LAYER_BWD_A, slot), shape.id,
                      {gradient, inputs[index(slot)]},
                      {parameters_[first_].weight_gradient, parameters_[first_].bias_gradient});
      if (conv != nullptr) op.attributes = conv->window;
      file(op);
    }
  }

  /// One layer's backward op; returns the gradient of its input.
  TensorId add_backward(std::size_t layer_index, TensorId gradient, TensorId input,
                        const Activation& activation, const ShapeVariant& shape) {
    const Layer& layer = network_.layers[layer_index];
    if (std::holds_alternative<FlattenLayer>(layer.kind)) {
      return add_view(layer.name + "/dX", graph_.tensors[input].shape, gradient);
    }
    const TensorId input_gradient = add_gradient(layer.name + "/dX", input, shape);
    const Parameters& own = parameters_[layer_index];
    if (has_weights(layer)) {
      const auto* conv = std::get_if<ConvLayer>(&layer.kind);
      Op& op = add_op(conv != nullptr ? ComputeOp::CONV_FP32_BWD : ComputeOp::FC_FP32_BWD,
                      layer.name, GraphId::DEEP_FWD_BWD, shape.id, {gradient, input, own.weight},
                      {own.weight_gradient, own.bias_gradient, input_gradient});
      if (conv != nullptr) op.attributes = conv->window;
      file(op);
      return input_gradient;
    }
    const auto* pool = std::get_if<MaxPoolLayer>(&layer.kind);
    Op& op =
        add_op(pool != nullptr ? ComputeOp::MAXPOOL_FP32_BWD : ComputeOp::RELU_FP32_BWD, layer.name,
               GraphId::DEEP_FWD_BWD, shape.id, {gradient, *activation.saved}, {input_gradient});
    if (pool != nullptr) op.attributes = pool->window;
    file(op);
    return input_gradient;
  }

  TensorId add_gradient(std::string name, TensorId of, const ShapeVariant& shape) {
    Tensor tensor;
    tensor.name = std::move(name);
    tensor.shape = graph_.tensors[of].shape;
    tensor.region = RegionKind::FEATURES;
    tensor.role = TensorRole::activation_gradient;
    tensor.variant = shape.id;
    tensor.gradient_of = of;
    return graph_.tensors.add(std::move(tensor));
  }

  struct Loss {
    TensorId probabilities, losses;
  };

  Loss add_loss(TensorId scores, TensorId labels, GraphId graph, const ShapeVariant& shape) {
    const std::string prefix = shape.training ? "" : std::string(name_of(graph)) + "/";
    Loss loss;
    loss.probabilities = add_tensor(prefix + "loss/probabilities", graph_.tensors[scores].shape,
                                    RegionKind::FEATURES, TensorRole::saved, shape.id);
    loss.losses = add_tensor(prefix + "loss/losses", Shape{shape.batch}, RegionKind::FEATURES,
                             TensorRole::saved, shape.id);
    file(add_op(ComputeOp::SOFTMAX_CE_FP32_FWD, "loss", graph, shape.id, {scores, labels},
                {loss.probabilities, loss.losses}));
    return loss;
  }

  void add_metrics(const Loss& loss, TensorId labels, GraphId graph, BufferSlot slot,
                   const ShapeVariant& shape) {
    file(add_op(ComputeOp::METRICS, "metrics", graph, shape.id,
                {loss.losses, loss.probabilities, labels}, {result_[index(slot)]}));
  }

  /// INF_MAIN_A/B: forward, loss and metrics of an evaluation shape.
  Result<void> add_inference(const ShapeVariant& shape) {
    for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
      const GraphId graph = for_slot(GraphId::INF_MAIN_A, slot);
      TensorId output = images_[index(slot)];
      for (std::size_t layer = 0; layer < network_.layers.size(); ++layer) {
        const auto forward =
            add_forward(layer, output, graph, shape, fmt::format("{}/", name_of(graph)));
        if (!forward) return tl::unexpected(forward.error());
        output = forward->output;
      }
      const Loss loss = add_loss(output, labels_[index(slot)], graph, shape);
      add_metrics(loss, labels_[index(slot)], graph, slot, shape);
    }
    return {};
  }

  static std::size_t index(BufferSlot slot) { return static_cast<std::size_t>(slot); }

  const NetworkDefinition& network_;
  const TrainingSetup& setup_;
  TrainingGraph graph_;
  std::size_t first_ = 0;  ///< index of the first layer with weights
  std::vector<Parameters> parameters_;
  std::array<TensorId, 2> host_lr_{}, result_{}, images_{}, labels_{};
  TensorId lr_, counter_, lr_table_;
};

}  // namespace

std::optional<ShapeId> shape_named(const std::vector<ShapeVariant>& shapes, std::string_view name) {
  for (const ShapeVariant& shape : shapes) {
    if (shape.name == name) return shape.id;
  }
  return std::nullopt;
}

Result<TrainingGraph> build_training_graph(const NetworkDefinition& network,
                                           const TrainingSetup& setup) {
  return Builder(network, setup).build();
}

}  // namespace quintet
