#include "runtime/network/parameters.h"

#include "runtime/ops/conv.h"

namespace quintet {

namespace {

/// The regions of one family: first layer or deep.
struct ParameterRegions {
  RegionKind weights, gradients, momentum, variance, average, half_weights, half_gradients;
};

constexpr ParameterRegions kFirst = {
    RegionKind::FIRST_WEIGHTS,       RegionKind::FIRST_GRADIENTS, RegionKind::FIRST_MOMENTUM,
    RegionKind::FIRST_VARIANCE,      RegionKind::FIRST_EMA,       RegionKind::FIRST_WEIGHTS_FP16,
    RegionKind::FIRST_GRADIENTS_FP16};
constexpr ParameterRegions kDeep = {RegionKind::DEEP_WEIGHTS,       RegionKind::DEEP_GRADIENTS,
                                    RegionKind::DEEP_MOMENTUM,      RegionKind::DEEP_VARIANCE,
                                    RegionKind::DEEP_EMA,           RegionKind::DEEP_WEIGHTS_FP16,
                                    RegionKind::DEEP_GRADIENTS_FP16};

bool is_adam(const OptimizerHyper& optimizer) {
  return std::holds_alternative<AdamHyper>(optimizer) ||
         std::holds_alternative<AdamWHyper>(optimizer);
}

class ParameterBuilder {
 public:
  ParameterBuilder(GraphWriter& writer, const TrainingSetup& setup)
      : writer_(writer), setup_(setup) {}

  /// `halved`: in AMP it has an FP16 copy.
  Parameter add(const std::string& name, const char* weight, const char* gradient,
                const Shape& shape, bool first, bool halved) {
    const ParameterRegions& regions = first ? kFirst : kDeep;
    const auto tensor = [&](const std::string& suffix, DType dtype, RegionKind region,
                            TensorRole role) {
      return writer_.tensor(name + suffix, shape, dtype, region, role);
    };
    const bool half = halved && setup_.precision == Precision::amp;
    Parameter parameter;
    parameter.master = tensor(weight, DType::F32, regions.weights, TensorRole::weight);
    parameter.gradient =
        tensor(gradient, DType::F32, regions.gradients, TensorRole::weight_gradient);
    parameter.momentum = tensor(std::string(weight) + "_m", DType::F32, regions.momentum,
                                TensorRole::optimizer_state);
    if (is_adam(setup_.optimizer)) {
      tensor(std::string(weight) + "_v", DType::F32, regions.variance, TensorRole::optimizer_state);
    }
    if (half) {
      parameter.half =
          writer_.copy_of(parameter.master, name + weight + "16", DType::F16, regions.half_weights);
      parameter.half_gradient = tensor(std::string(gradient) + "16", DType::F16,
                                       regions.half_gradients, TensorRole::weight_gradient);
    }
    if (setup_.ema) {
      parameter.average =
          writer_.copy_of(parameter.master, name + weight + "_ema", DType::F32, regions.average);
    }
    return parameter;
  }

  LayerParameters of(const Layer& layer, const Shape& input, bool first) {
    LayerParameters parameters;
    if (const auto* conv = std::get_if<ConvLayer>(&layer.kind)) {
      const Shape weight = conv_weight_shape(input, conv->window, conv->out_channels);
      parameters.tensors.push_back(add(layer.name, "/W", "/dW", weight, first, true));
      if (conv->bias) {
        parameters.tensors.push_back(
            add(layer.name, "/B", "/dB", Shape{conv->out_channels}, first, true));
      }
    } else if (const auto* fc = std::get_if<FcLayer>(&layer.kind)) {
      const Shape weight{input.elements() / input.dim(0), fc->out_features};
      parameters.tensors.push_back(add(layer.name, "/W", "/dW", weight, first, true));
      parameters.tensors.push_back(
          add(layer.name, "/B", "/dB", Shape{fc->out_features}, first, true));
    } else if (std::holds_alternative<BatchNormLayer>(layer.kind)) {
      const Shape channels{input.dim(-1)};
      const Shape stats{2, input.dim(-1)};
      parameters.tensors.push_back(add(layer.name, "/gamma", "/dgamma", channels, first, false));
      parameters.tensors.push_back(add(layer.name, "/beta", "/dbeta", channels, first, false));
      const auto statistics = [&](const char* suffix, RegionKind region) {
        return writer_.tensor(layer.name + suffix, stats, DType::F32, region,
                              TensorRole::statistics);
      };
      parameters.batch_stats = statistics("/batch_stats", RegionKind::BN_BATCH_STATS);
      parameters.running_stats = statistics("/running_stats", RegionKind::BN_RUNNING_STATS);
      parameters.inference_params = statistics("/inference_params", RegionKind::BN_INFERENCE);
    }
    return parameters;
  }

 private:
  GraphWriter& writer_;
  const TrainingSetup& setup_;
};

}  // namespace

std::vector<LayerParameters> add_parameters(GraphWriter& writer, const NetworkDefinition& network,
                                            const std::vector<Shape>& inputs, std::size_t first,
                                            const TrainingSetup& setup) {
  ParameterBuilder builder(writer, setup);
  std::vector<LayerParameters> all;
  for (std::size_t index = 0; index < network.layers.size(); ++index) {
    all.push_back(builder.of(network.layers[index], inputs[index], index == first));
  }
  return all;
}

}  // namespace quintet
