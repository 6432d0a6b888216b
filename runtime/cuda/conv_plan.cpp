#include "runtime/cuda/conv_plan.h"

#include <fmt/format.h>

namespace quintet {

namespace {

/// Uids of the graph's tensors.
enum Uid : std::int64_t { kImage = 1, kFilter, kOutput, kBias, kSum };

/// Tensors lie at multiples of 64 bytes.
constexpr std::int64_t kCudnnAlignment = 16;

cudnnDataType_t cudnn_dtype(DType dtype) {
  return dtype == DType::F16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
}

/// Logical NCHW dimensions laid out as NHWC; of filters KCRS laid out as KRSC.
CudnnDescriptor tensor_of(std::int64_t uid, cudnnDataType_t type, std::int64_t n, std::int64_t c,
                          std::int64_t h, std::int64_t w, bool is_virtual = false) {
  CudnnDescriptor tensor(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, uid);
  tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, type);
  tensor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, kCudnnAlignment);
  tensor.set(CUDNN_ATTR_TENSOR_DIMENSIONS, std::vector<std::int64_t>{n, c, h, w});
  tensor.set(CUDNN_ATTR_TENSOR_STRIDES, std::vector<std::int64_t>{h * w * c, 1, w * c, c});
  tensor.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, is_virtual);
  tensor.finalize("a tensor of a convolution");
  return tensor;
}

CudnnDescriptor convolution_of(const Window& window) {
  CudnnDescriptor convolution(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const std::vector<std::int64_t> padding{window.pad_h, window.pad_w};
  convolution.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, std::int64_t{2});
  convolution.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT);
  convolution.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION);
  convolution.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, padding);
  convolution.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, padding);
  convolution.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, std::vector<std::int64_t>{1, 1});
  convolution.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES,
                  std::vector<std::int64_t>{window.stride_h, window.stride_w});
  convolution.finalize("a convolution");
  return convolution;
}

struct PassAttributes {
  cudnnBackendDescriptorType_t operation;
  cudnnBackendAttributeName_t alpha, beta, convolution, image, filter, output;
};

PassAttributes attributes_of(ConvPass pass) {
  switch (pass) {
    case ConvPass::forward:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y};
    case ConvPass::input_gradient:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY};
    case ConvPass::weight_gradient:
      return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
              CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY};
  }
  return {};
}

/// Y = sum + B, broadcast over the pixels.
CudnnDescriptor bias_of(const CudnnDescriptor& sum, const CudnnDescriptor& bias,
                        const CudnnDescriptor& y) {
  CudnnDescriptor add(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  add.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_POINTWISE_ADD);
  add.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT);
  add.finalize("the addition of a bias");
  CudnnDescriptor operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, add);
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, sum);
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, bias);
  operation.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
  operation.finalize("the addition of a bias to a convolution");
  return operation;
}

CudnnDescriptor graph_of(const CudnnConvProblem& p, KernelPlanner& planner) {
  const cudnnDataType_t type = cudnn_dtype(p.dtype);
  const CudnnDescriptor image = tensor_of(kImage, type, p.batch, p.in_channels, p.in_h, p.in_w);
  const CudnnDescriptor filter =
      tensor_of(kFilter, type, p.out_channels, p.in_channels, p.window.kernel_h, p.window.kernel_w);
  const CudnnDescriptor output =
      tensor_of(kOutput, type, p.batch, p.out_channels, p.out_h, p.out_w);
  std::vector<CudnnDescriptor> operations;
  const PassAttributes names = attributes_of(p.pass);
  CudnnDescriptor& operation = operations.emplace_back(names.operation);
  operation.set(names.alpha, 1.0F);
  operation.set(names.beta, 0.0F);
  operation.set(names.convolution, convolution_of(p.window));
  operation.set(names.image, image);
  operation.set(names.filter, filter);
  if (p.bias) {
    const CudnnDescriptor sum =
        tensor_of(kSum, CUDNN_DATA_FLOAT, p.batch, p.out_channels, p.out_h, p.out_w, true);
    const CudnnDescriptor bias = tensor_of(kBias, type, 1, p.out_channels, 1, 1);
    operation.set(names.output, sum);
    operation.finalize("the operation of a convolution");
    operations.push_back(bias_of(sum, bias, output));
  } else {
    operation.set(names.output, output);
    operation.finalize("the operation of a convolution");
  }
  CudnnDescriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, planner.cudnn());
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operations);
  graph.finalize("the graph of a convolution");
  return graph;
}

std::vector<CudnnBinding> bindings_of(const CudnnConvProblem& p) {
  const auto bytes = [&](std::int64_t elements) {
    return static_cast<std::uint64_t>(elements) * bytes_of(p.dtype);
  };
  const CudnnBinding image{kImage, bytes(p.batch * p.in_h * p.in_w * p.in_channels)};
  const CudnnBinding filter{
      kFilter, bytes(p.out_channels * p.window.kernel_h * p.window.kernel_w * p.in_channels)};
  const CudnnBinding output{kOutput, bytes(p.batch * p.out_h * p.out_w * p.out_channels)};
  switch (p.pass) {
    case ConvPass::forward:
      if (p.bias) return {image, filter, output, {kBias, bytes(p.out_channels)}};
      return {image, filter, output};
    case ConvPass::input_gradient:
      return {output, filter, image};
    case ConvPass::weight_gradient:
      return {image, output, filter};
  }
  return {};
}

std::string key_of(const CudnnConvProblem& p) {
  constexpr const char* kPasses[] = {"fprop", "dgrad", "wgrad"};
  const Window& w = p.window;
  return fmt::format("conv-{}{} {} n={} x={}x{}x{} y={}x{}x{} k={}x{} s={}x{} p={}x{} align={}",
                     kPasses[static_cast<std::size_t>(p.pass)], p.bias ? "+bias" : "",
                     name_of(p.dtype), p.batch, p.in_h, p.in_w, p.in_channels, p.out_h, p.out_w,
                     p.out_channels, w.kernel_h, w.kernel_w, w.stride_h, w.stride_w, w.pad_h,
                     w.pad_w, kCudnnAlignment);
}

}  // namespace

std::optional<CudnnPlan> plan_convolution(const CudnnConvProblem& problem, KernelPlanner& planner) {
  CudnnLimits limits;
  limits.exact_fp32 = problem.dtype == DType::F32;
  return CudnnPlan::make(graph_of(problem, planner), bindings_of(problem), limits, key_of(problem),
                         planner);
}

}  // namespace quintet
