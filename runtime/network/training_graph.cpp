#include "runtime/network/training_graph.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "runtime/network/layer_expansion.h"
#include "runtime/network/step_ops.h"
#include "runtime/ops/op_catalog.h"

namespace quintet {

namespace {

/// Sub-graphs of the article's step that have no work on one rank, whatever is trained.
constexpr std::array kCommunication = {GraphId::DEEP_COMM, GraphId::FIRST_COMM,
                                       GraphId::STATS_COMM};
/// Sub-graphs that have work only in some runs (AMP, LARS, EMA, BatchNorm, micro-batches).
constexpr std::array kOptional = {GraphId::CAST_DEEP_GRAD_FP16_TO_FP32,
                                  GraphId::CAST_FIRST_GRAD_FP16_TO_FP32,
                                  GraphId::NAN_CHECK_AND_GRAD_SCALING,
                                  GraphId::OPTIMIZER,
                                  GraphId::LARS_FC_OPT,
                                  GraphId::LARS_FIRST_CONV_OPT,
                                  GraphId::LARS_DEEP_CONV_OPT,
                                  GraphId::EMA_UPDATE,
                                  GraphId::CAST_MAIN_FP32_TO_FP16,
                                  GraphId::UPDATE_BN_INF_PARAMS};

/// What is wrong with the list of layers, if anything; `first` becomes the first layer with weights.
Result<void> check_layers(const NetworkDefinition& network, std::size_t& first) {
  std::set<std::string> names;
  std::vector<bool> read(network.layers.size(), false);
  for (std::size_t index = 0; index < network.layers.size(); ++index) {
    const Layer& layer = network.layers[index];
    if (!names.insert(layer.name).second) {
      return fail(fmt::format("network {} has two layers named '{}'", network.name, layer.name),
                  "give each layer its own name");
    }
    for (const LayerIndex input : layer.inputs) {
      if (input >= static_cast<LayerIndex>(index) || input < kImage) {
        return fail(
            fmt::format("layer '{}' reads a layer that does not come before it", layer.name),
            "list layers in an order of computation");
      }
      if (input != kImage) read[static_cast<std::size_t>(input)] = true;
    }
  }
  const auto found = std::find_if(network.layers.begin(), network.layers.end(),
                                  [](const Layer& layer) { return has_weights(layer.kind); });
  if (found == network.layers.end()) {
    return fail(fmt::format("network {} has no layer with weights", network.name),
                "add a convolution or a fully connected layer");
  }
  first = static_cast<std::size_t>(found - network.layers.begin());
  for (std::size_t index = 0; index < network.layers.size(); ++index) {
    const Layer& layer = network.layers[index];
    if (index < first && !std::holds_alternative<FlattenLayer>(layer.kind)) {
      return fail(fmt::format("layer '{}' stands before the first layer with weights", layer.name),
                  "begin the network with flatten, convolution or fully connected layers");
    }
    for (const LayerIndex input : layer.inputs) {
      if (index > first && input < static_cast<LayerIndex>(first)) {
        return fail(
            fmt::format("layer '{}' reads the image past the first layer with weights", layer.name),
            "let it read a later layer");
      }
    }
    if (!read[index] && index + 1 < network.layers.size()) {
      return fail(fmt::format("nothing reads layer '{}'", layer.name), "use its output or drop it");
    }
  }
  return {};
}

/// The shape of each layer's input for one image, or what does not fit.
Result<std::vector<Shape>> input_shapes(const NetworkDefinition& network) {
  const Shape image{1, network.height, network.width, network.channels};
  std::vector<Shape> inputs;
  std::vector<Shape> outputs;
  const auto shape_of = [&](LayerIndex layer) {
    return layer == kImage ? image : outputs[static_cast<std::size_t>(layer)];
  };
  for (const Layer& layer : network.layers) {
    const Shape input = shape_of(layer.inputs[0]);
    const Result<Shape> output = output_shape(layer, input);
    if (!output) return tl::unexpected(output.error());
    if (layer.inputs.size() > 1 && !(shape_of(layer.inputs[1]) == input)) {
      return fail(fmt::format("layer '{}' adds {} to {}", layer.name, input.text(),
                              shape_of(layer.inputs[1]).text()),
                  "make both branches end in one shape");
    }
    inputs.push_back(input);
    outputs.push_back(*output);
  }
  if (outputs.back().rank() != 2 || outputs.back().dim(1) != network.classes) {
    return fail(fmt::format("network {} ends in {}, not in {} class scores", network.name,
                            outputs.back().text(), network.classes),
                "end the network with a fully connected layer of that width");
  }
  return inputs;
}

std::vector<ShapeVariant> shapes_of(const TrainingSetup& setup) {
  std::vector<ShapeVariant> shapes = {{kAnyShape, "any", 0, false}};
  const auto add = [&](const char* name, std::int64_t batch, bool training) {
    if (batch == 0) return;
    shapes.push_back({ShapeId(static_cast<std::uint32_t>(shapes.size())), name, batch, training});
  };
  add("train", setup.train_batch, true);
  add("train_tail", setup.train_tail, true);
  add("eval", setup.eval_batch, false);
  add("eval_tail", setup.eval_tail, false);
  return shapes;
}

/// Pinned batch, its filling and its copy, A and B.
BatchTensors add_input(GraphWriter& writer, const NetworkDefinition& network,
                       const TrainingSetup& setup, const ShapeVariant& shape) {
  BatchTensors batch;
  const Shape images{shape.batch, network.height, network.width, network.channels};
  const Shape labels{shape.batch};
  const DType dtype = setup.precision == Precision::amp ? DType::F16 : DType::F32;
  for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
    const std::string suffix(name_of(slot));
    const bool a = slot == BufferSlot::A;
    const RegionKind host = a ? RegionKind::HOST_BATCH_A : RegionKind::HOST_BATCH_B;
    const RegionKind device = a ? RegionKind::BATCH_A : RegionKind::BATCH_B;
    const auto index = static_cast<std::size_t>(slot);
    const auto image_tensor = [&](const std::string& name, RegionKind region) {
      return writer.tensor(name + suffix, images, dtype, region, TensorRole::input, shape.id);
    };
    const auto label_tensor = [&](const std::string& name, RegionKind region) {
      return writer.tensor(name + suffix, labels, DType::I32, region, TensorRole::label, shape.id);
    };
    const TensorId host_images = image_tensor("host_images_", host);
    const TensorId host_labels = label_tensor("host_labels_", host);
    batch.images[index] = image_tensor("images_", device);
    batch.labels[index] = label_tensor("labels_", device);
    const auto add = [&](OpKind kind, const char* layer, GraphId graph,
                         std::vector<TensorId> inputs, std::vector<TensorId> outputs) {
      Op op;
      op.kind = kind;
      op.layer = layer;
      op.graph = graph;
      op.shape = shape.id;
      op.inputs = std::move(inputs);
      op.outputs = std::move(outputs);
      writer.op(std::move(op));
    };
    add(ComputeOp::HOST_FILL_BATCH, "batch", for_slot(GraphId::HOST_FILL_A, slot), {},
        {host_images, host_labels});
    const GraphId transfer = for_slot(GraphId::TRANSFER_A, slot);
    add(ComputeOp::H2D_COPY, "images", transfer, {host_images}, {batch.images[index]});
    add(ComputeOp::H2D_COPY, "labels", transfer, {host_labels}, {batch.labels[index]});
  }
  return batch;
}

/// Every op must be implemented; the first that is not is the error.
Result<void> check_ops(const std::vector<Op>& ops) {
  for (const Op& op : ops) {
    if (const auto known = find_op(op.kind); !known) {
      Error error = known.error();
      error.message = fmt::format("layer '{}': {}", op.layer, error.message);
      return tl::unexpected(error);
    }
  }
  return {};
}

}  // namespace

std::optional<ShapeId> shape_named(const std::vector<ShapeVariant>& shapes, std::string_view name) {
  for (const ShapeVariant& shape : shapes) {
    if (shape.name == name) return shape.id;
  }
  return std::nullopt;
}

Result<TrainingGraph> build_training_graph(const NetworkDefinition& network,
                                           const TrainingSetup& setup) {
  std::size_t first = 0;
  if (auto checked = check_layers(network, first); !checked) {
    return tl::unexpected(checked.error());
  }
  const Result<std::vector<Shape>> inputs = input_shapes(network);
  if (!inputs) return tl::unexpected(inputs.error());

  TrainingGraph graph;
  graph.shapes = shapes_of(setup);
  GraphWriter writer(graph);
  const std::vector<LayerParameters> parameters =
      add_parameters(writer, network, *inputs, first, setup);
  const StepScalars scalars = add_scalars(writer, setup);
  const NetworkParts parts{network, setup, parameters, scalars, first};
  add_step_start(writer, setup, scalars);
  for (const ShapeVariant& shape : graph.shapes) {
    if (shape.id == kAnyShape) continue;
    const BatchTensors batch = add_input(writer, network, setup, shape);
    if (shape.training) {
      add_training_ops(writer, parts, shape, batch);
    } else {
      add_inference_ops(writer, parts, shape, batch);
    }
  }
  add_step_end(writer, network, setup, scalars, parameters, first);
  for (const GraphId empty : kCommunication)
    graph.atlas[{empty, kAnyShape, kAnyShape}];
  for (const GraphId maybe_empty : kOptional)
    graph.atlas[{maybe_empty, kAnyShape, kAnyShape}];
  for (auto& [key, slot] : graph.atlas)
    slot.graph.key = key;
  if (auto checked = check_ops(graph.ops); !checked) return tl::unexpected(checked.error());
  return graph;
}

}  // namespace quintet
