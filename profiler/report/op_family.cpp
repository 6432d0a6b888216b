#include <algorithm>
#include <array>

#include "profiler/report/report.h"

namespace quintet {

namespace {

bool begins_with_any(const std::string& text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&text](std::string_view prefix) { return text.starts_with(prefix); });
}

}  // namespace

std::string_view name_of(OpFamily family) {
  constexpr std::array<std::string_view, kOpFamilyCount> kNames = {
      "forward", "dW",       "dX",   "dB",    "activation", "pooling, norm",
      "update",  "transfer", "comm", "other", "host"};
  return kNames[static_cast<std::size_t>(family)];
}

OpFamily family_of(const TraceTask& task, SpanClass span_class) {
  switch (span_class) {
    case SpanClass::transfer:
      return OpFamily::transfer;
    case SpanClass::comm:
      return OpFamily::comm;
    case SpanClass::update:
      return OpFamily::update;
    case SpanClass::host:
      return OpFamily::host;
    case SpanClass::compute:
      break;
  }
  if (begins_with_any(task.op_kind, {"FC_", "CONV_"})) {
    if (task.part == "dW") return OpFamily::weight_grad;
    if (task.part == "dX") return OpFamily::input_grad;
    if (task.part == "dB") return OpFamily::bias_grad;
    return OpFamily::forward;
  }
  if (begins_with_any(task.op_kind, {"RELU_", "TANH_", "SILU_", "ADD_", "DROPOUT_"})) {
    return OpFamily::activation;
  }
  if (begins_with_any(task.op_kind, {"MAXPOOL_", "AVGPOOL_", "GAP_", "BN2D_"})) {
    return OpFamily::pooling;
  }
  return OpFamily::other;
}

}  // namespace quintet
