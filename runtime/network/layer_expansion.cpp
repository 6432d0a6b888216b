#include "runtime/network/layer_expansion.h"

#include <cassert>
#include <string>

#include "runtime/network/weight_init.h"

namespace quintet {

namespace {

constexpr std::array kSlots = {BufferSlot::A, BufferSlot::B};

std::size_t index_of(BufferSlot slot) {
  return static_cast<std::size_t>(slot);
}

/// What one layer's forward leaves.
struct LayerOutput {
  TensorId output;
  std::vector<TensorId> saved;  ///< in the order of the forward op's outputs after Y
};

/// One pass over the layers in one shape; forward and backward share what they learn of each layer.
class Expansion {
 public:
  Expansion(GraphWriter& writer, const NetworkParts& parts, const ShapeVariant& shape)
      : writer_(writer),
        parts_(parts),
        shape_(shape),
        activations_(parts.network.layers.size()),
        gradients_(parts.network.layers.size()) {}

  /// Layers [begin, end) forward; the image is `image`. Names of tensors begin with `prefix`.
  void forward(std::size_t begin, std::size_t end, TensorId image, GraphId graph,
               const std::string& prefix) {
    for (std::size_t layer = begin; layer < end; ++layer) {
      activations_[layer] = layer_forward(layer, image, graph, prefix, std::nullopt);
    }
  }

  /// FIRST_LAYER_FWD_A and _B: the same output from the one or the other batch.
  void first_layer_forward(const BatchTensors& batch, TensorId labels) {
    std::optional<LayerOutput> output;
    for (const BufferSlot slot : kSlots) {
      const GraphId graph = for_slot(GraphId::FIRST_LAYER_FWD_A, slot);
      add(ComputeOp::STAGE_LABELS, "labels", graph, {batch.labels[index_of(slot)]}, {labels});
      const TensorId image = batch.images[index_of(slot)];
      forward(0, parts_.first, image, graph, std::string(name_of(slot)) + "/");
      first_inputs_[index_of(slot)] = input_of(parts_.first, 0, image);
      output = layer_forward(parts_.first, image, graph, "", output);
    }
    activations_[parts_.first] = *output;
  }

  /// Backward of every layer after the first, from the gradient of the class scores.
  void deep_backward(TensorId scores_gradient) {
    gradients_.back().push_back(scores_gradient);
    for (std::size_t layer = parts_.network.layers.size() - 1; layer > parts_.first; --layer) {
      layer_backward(layer, summed_gradient(layer));
    }
  }

  void first_layer_backward() {
    const std::size_t first = parts_.first;
    const TensorId gradient = summed_gradient(first);
    const Layer& layer = parts_.network.layers[first];
    for (const BufferSlot slot : kSlots) {
      std::vector<TensorId> outputs;
      for (const Parameter& parameter : parts_.parameters[first].tensors) {
        outputs.push_back(parameter.written());
      }
      add(*ops(first).backward_first, layer.name, for_slot(GraphId::FIRST_LAYER_BWD_A, slot),
          {gradient, first_inputs_[index_of(slot)]}, std::move(outputs),
          attributes_of(layer.kind, 0));
    }
  }

  [[nodiscard]] TensorId scores() const { return activations_.back().output; }

  void add(OpKind kind, std::string layer, GraphId graph, std::vector<TensorId> inputs,
           std::vector<TensorId> outputs, OpAttributes attributes = {}) {
    Op op;
    op.kind = kind;
    op.layer = std::move(layer);
    op.graph = graph;
    op.shape = shape_.id;
    op.inputs = std::move(inputs);
    op.outputs = std::move(outputs);
    op.attributes = attributes;
    writer_.op(std::move(op));
  }

  TensorId feature(std::string name, Shape shape, DType dtype, TensorRole role) {
    return writer_.tensor(std::move(name), std::move(shape), dtype, RegionKind::FEATURES, role,
                          shape_.id);
  }

 private:
  bool amp() const { return parts_.setup.precision == Precision::amp; }
  DType activation_dtype() const { return amp() ? DType::F16 : DType::F32; }

  TensorId input_of(std::size_t layer, std::size_t position, TensorId image) const {
    const LayerIndex input = parts_.network.layers[layer].inputs[position];
    return input == kImage ? image : activations_[static_cast<std::size_t>(input)].output;
  }

  LayerOps ops(std::size_t layer) const {
    const LayerIndex input = parts_.network.layers[layer].inputs[0];
    const bool image =
        input != kImage &&
        writer_[activations_[static_cast<std::size_t>(input)].output].shape.rank() == 4;
    return ops_of(parts_.network.layers[layer].kind, parts_.setup.precision, image);
  }

  /// `into`: write there instead of to new tensors.
  LayerOutput layer_forward(std::size_t index, TensorId image, GraphId graph,
                            const std::string& prefix, const std::optional<LayerOutput>& into) {
    const Layer& layer = parts_.network.layers[index];
    const TensorId input = input_of(index, 0, image);
    const Shape shape = *output_shape(layer, writer_[input].shape);
    LayerOutput result;
    if (std::holds_alternative<DropoutLayer>(layer.kind) && !shape_.training) {
      return {input, {}};
    }
    if (std::holds_alternative<FlattenLayer>(layer.kind)) {
      result.output = writer_.view(prefix + layer.name + "/Y", shape, input);
      add(ComputeOp::FLATTEN, layer.name, graph, {input}, {result.output});
      return result;
    }
    std::vector<TensorId> inputs = {input};
    if (layer.inputs.size() > 1) inputs.push_back(input_of(index, 1, image));
    append_parameters(index, inputs);
    if (std::holds_alternative<DropoutLayer>(layer.kind)) inputs.push_back(parts_.scalars.counter);
    if (into) {
      result = *into;
    } else {
      result.output =
          feature(prefix + layer.name + "/Y", shape, activation_dtype(), TensorRole::activation);
      if (shape_.training) save(index, prefix, result);
    }
    std::vector<TensorId> outputs = {result.output};
    outputs.insert(outputs.end(), result.saved.begin(), result.saved.end());
    const LayerOps kinds = ops(index);
    add(shape_.training ? kinds.forward : kinds.inference, layer.name, graph, std::move(inputs),
        std::move(outputs), attributes_of(layer.kind, dropout_seed(layer.name)));
    return result;
  }

  std::uint64_t dropout_seed(const std::string& layer) const {
    return key_of(layer, parts_.setup.seed);
  }

  void append_parameters(std::size_t index, std::vector<TensorId>& inputs) const {
    const LayerParameters& own = parts_.parameters[index];
    if (!shape_.training && own.inference_params) {
      inputs.push_back(*own.inference_params);
      return;
    }
    for (const Parameter& parameter : own.tensors) {
      inputs.push_back(shape_.training ? parameter.used()
                                       : parameter.evaluated(parts_.setup.evaluate));
    }
  }

  /// Adds what the layer's forward keeps for its backward.
  void save(std::size_t index, const std::string& prefix, LayerOutput& activation) {
    const Layer& layer = parts_.network.layers[index];
    const Shape shape = writer_[activation.output].shape;
    if (std::holds_alternative<BatchNormLayer>(layer.kind)) {
      const Shape channels{shape.dim(-1)};
      for (const char* suffix : {"/mean", "/inv_std"}) {
        activation.saved.push_back(
            feature(prefix + layer.name + suffix, channels, DType::F32, TensorRole::saved));
      }
      activation.saved.push_back(*parts_.parameters[index].batch_stats);
    } else if (const auto saved = saved_by(layer.kind)) {
      activation.saved.push_back(
          feature(prefix + layer.name + saved->suffix, shape, saved->dtype, TensorRole::saved));
    }
  }

  /// The gradient of a layer's output: the sum of what its consumers gave, in the order in which they gave it.
  TensorId summed_gradient(std::size_t index) {
    const std::vector<TensorId>& given = gradients_[index];
    assert(!given.empty() && "a layer that nothing reads");
    TensorId sum = given.front();
    for (std::size_t next = 1; next < given.size(); ++next) {
      const std::string& layer = parts_.network.layers[index].name;
      const std::string number = given.size() > 2 ? std::to_string(next) : "";
      const TensorId added = writer_.gradient(layer + "/dY" + number, activations_[index].output);
      add(amp() ? ComputeOp::ADD_AMP_BWD : ComputeOp::ADD_FP32_BWD, layer + number,
          GraphId::DEEP_FWD_BWD, {sum, given[next]}, {added});
      sum = added;
    }
    return sum;
  }

  void give(LayerIndex layer, TensorId gradient) {
    gradients_[static_cast<std::size_t>(layer)].push_back(gradient);
  }

  void layer_backward(std::size_t index, TensorId gradient) {
    const Layer& layer = parts_.network.layers[index];
    const LayerIndex source = layer.inputs[0];
    const TensorId input = activations_[static_cast<std::size_t>(source)].output;
    if (std::holds_alternative<AddLayer>(layer.kind)) {
      for (const LayerIndex branch : layer.inputs)
        give(branch, gradient);
      return;
    }
    if (std::holds_alternative<FlattenLayer>(layer.kind)) {
      give(source, writer_.view(layer.name + "/dX", writer_[input].shape, gradient));
      return;
    }
    const TensorId input_gradient = writer_.gradient(layer.name + "/dX", input);
    std::vector<TensorId> inputs = {gradient};
    std::vector<TensorId> outputs;
    const LayerParameters& own = parts_.parameters[index];
    if (has_weights(layer.kind)) {
      inputs.insert(inputs.end(), {input, own.tensors[0].used()});
    } else if (std::holds_alternative<BatchNormLayer>(layer.kind)) {
      const std::vector<TensorId>& saved = activations_[index].saved;
      inputs.insert(inputs.end(), {input, own.tensors[0].used(), saved[0], saved[1]});
    } else {
      const std::vector<TensorId>& saved = activations_[index].saved;
      inputs.insert(inputs.end(), saved.begin(), saved.end());
    }
    for (const Parameter& parameter : own.tensors)
      outputs.push_back(parameter.written());
    outputs.push_back(input_gradient);
    add(*ops(index).backward, layer.name, GraphId::DEEP_FWD_BWD, std::move(inputs),
        std::move(outputs), attributes_of(layer.kind, dropout_seed(layer.name)));
    give(source, input_gradient);
  }

  GraphWriter& writer_;
  const NetworkParts& parts_;
  const ShapeVariant& shape_;
  std::vector<LayerOutput> activations_;
  std::vector<std::vector<TensorId>> gradients_;  ///< of each layer's output, one per consumer
  std::array<TensorId, 2> first_inputs_{};
};

struct Loss {
  TensorId probabilities, losses;
};

Loss add_loss(Expansion& expansion, Shape scores_shape, TensorId labels, GraphId graph,
              const NetworkParts& parts, const std::string& prefix) {
  Loss loss;
  loss.probabilities =
      expansion.feature(prefix + "loss/probabilities", scores_shape, DType::F32, TensorRole::saved);
  loss.losses = expansion.feature(prefix + "loss/losses", Shape{scores_shape.dim(0)}, DType::F32,
                                  TensorRole::saved);
  const OpKind kind = parts.setup.precision == Precision::amp ? ComputeOp::SOFTMAX_CE_AMP_FWD
                                                              : ComputeOp::SOFTMAX_CE_FP32_FWD;
  expansion.add(kind, "loss", graph, {expansion.scores(), labels},
                {loss.probabilities, loss.losses}, parts.setup.loss);
  return loss;
}

}  // namespace

void add_training_ops(GraphWriter& writer, const NetworkParts& parts, const ShapeVariant& shape,
                      const BatchTensors& batch) {
  Expansion expansion(writer, parts, shape);
  const TensorId labels =
      expansion.feature("labels", Shape{shape.batch}, DType::I32, TensorRole::label);
  expansion.first_layer_forward(batch, labels);
  const GraphId deep = GraphId::DEEP_FWD_BWD;
  expansion.forward(parts.first + 1, parts.network.layers.size(), {}, deep, "");
  const TensorId scores = expansion.scores();
  const Loss loss = add_loss(expansion, writer[scores].shape, labels, deep, parts, "");
  const bool amp = parts.setup.precision == Precision::amp;
  const TensorId gradient = writer.gradient("loss/dX", scores);
  std::vector<TensorId> inputs = {loss.probabilities, labels};
  if (amp) inputs.push_back(*parts.scalars.loss_scale);
  expansion.add(amp ? ComputeOp::SOFTMAX_CE_AMP_BWD : ComputeOp::SOFTMAX_CE_FP32_BWD, "loss", deep,
                std::move(inputs), {gradient}, parts.setup.loss);
  expansion.deep_backward(gradient);
  expansion.first_layer_backward();
  for (const BufferSlot slot : kSlots) {
    expansion.add(ComputeOp::METRICS, "metrics", for_slot(GraphId::METRICS_A, slot),
                  {loss.losses, loss.probabilities, labels},
                  {parts.scalars.result[index_of(slot)]});
  }
}

void add_inference_ops(GraphWriter& writer, const NetworkParts& parts, const ShapeVariant& shape,
                       const BatchTensors& batch) {
  for (const BufferSlot slot : kSlots) {
    Expansion expansion(writer, parts, shape);
    const GraphId graph = for_slot(GraphId::INF_MAIN_A, slot);
    const std::string prefix = std::string(name_of(graph)) + "/";
    expansion.forward(0, parts.network.layers.size(), batch.images[index_of(slot)], graph, prefix);
    const TensorId labels = batch.labels[index_of(slot)];
    const Loss loss =
        add_loss(expansion, writer[expansion.scores()].shape, labels, graph, parts, prefix);
    expansion.add(ComputeOp::METRICS, "metrics", graph, {loss.losses, loss.probabilities, labels},
                  {parts.scalars.result[index_of(slot)]});
  }
}

}  // namespace quintet
