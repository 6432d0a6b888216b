#include "tests/runtime/ops/amp_cases.h"

#include <array>

#include "tests/runtime/ops/case_parts.h"

namespace quintet {

namespace {

bool stays_fp32(const Tensor& tensor) {
  if (tensor.region == RegionKind::BN_BATCH_STATS || tensor.region == RegionKind::BN_INFERENCE ||
      tensor.region == RegionKind::SCALARS) {
    return true;
  }
  constexpr std::array<std::string_view, 9> kNames = {
      "probabilities", "losses", "mean", "inv_std", "saved", "gamma", "beta", "dgamma", "dbeta"};
  return std::find(kNames.begin(), kNames.end(), tensor.name) != kNames.end();
}

RegionKind fp16_twin_of(RegionKind region) {
  constexpr std::array<std::pair<RegionKind, RegionKind>, 4> kTwins = {{
      {RegionKind::FIRST_WEIGHTS, RegionKind::FIRST_WEIGHTS_FP16},
      {RegionKind::DEEP_WEIGHTS, RegionKind::DEEP_WEIGHTS_FP16},
      {RegionKind::FIRST_GRADIENTS, RegionKind::FIRST_GRADIENTS_FP16},
      {RegionKind::DEEP_GRADIENTS, RegionKind::DEEP_GRADIENTS_FP16},
  }};
  for (const auto& [fp32, fp16] : kTwins) {
    if (fp32 == region) return fp16;
  }
  return region;
}

}  // namespace

std::optional<OpKind> fp32_twin_of(OpKind kind) {
  std::string name(name_of(kind));
  const std::size_t at = name.find("_AMP_");
  if (at == std::string::npos) return std::nullopt;
  return op_kind_from_name(name.replace(at, 5, "_FP32_"));
}

OpCase in_amp(const OpCase& fp32, OpKind kind) {
  OpCase made;
  made.op = fp32.op;
  made.op.kind = kind;
  for (Tensor tensor : fp32.tensors.all()) {
    if (tensor.dtype == DType::F32 && !stays_fp32(tensor)) {
      tensor.dtype = DType::F16;
      tensor.region = fp16_twin_of(tensor.region);
      tensor.role = role_in(tensor.region);
    }
    made.tensors.add(std::move(tensor));
  }
  if (kind == OpKind(ComputeOp::SOFTMAX_CE_AMP_BWD)) {
    made.op.inputs.push_back(add(made, "loss_scale", Shape{1}, DType::F32, RegionKind::SCALARS));
  }
  return made;
}

}  // namespace quintet
