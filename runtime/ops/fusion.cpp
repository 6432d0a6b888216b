#include "runtime/ops/fusion.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

constexpr std::array kFusionCatalog = std::to_array<FusionPattern>({
    {ComputeOp::FC_FP32_FWD, ComputeOp::RELU_FP32_FWD, fuse_elementwise},
    {ComputeOp::FC_AMP_FWD, ComputeOp::RELU_AMP_FWD, fuse_elementwise},
    {ComputeOp::CONV_FP32_FWD, ComputeOp::RELU_FP32_FWD, fuse_elementwise},
    {ComputeOp::CONV_AMP_FWD, ComputeOp::RELU_AMP_FWD, fuse_elementwise},
    {ComputeOp::BN1D_FP32_FWD, ComputeOp::RELU_FP32_FWD, fuse_elementwise},
    {ComputeOp::BN1D_FP32_INF, ComputeOp::RELU_FP32_FWD, fuse_elementwise},
    {ComputeOp::BN1D_AMP_FWD, ComputeOp::RELU_AMP_FWD, fuse_elementwise},
    {ComputeOp::BN1D_AMP_INF, ComputeOp::RELU_AMP_FWD, fuse_elementwise},
    {ComputeOp::BN2D_FP32_FWD, ComputeOp::RELU_FP32_FWD, fuse_elementwise},
    {ComputeOp::BN2D_FP32_INF, ComputeOp::RELU_FP32_FWD, fuse_elementwise},
    {ComputeOp::BN2D_AMP_FWD, ComputeOp::RELU_AMP_FWD, fuse_elementwise},
    {ComputeOp::BN2D_AMP_INF, ComputeOp::RELU_AMP_FWD, fuse_elementwise},
    {ComputeOp::ADD_FP32_FWD, ComputeOp::RELU_FP32_FWD, fuse_elementwise},
    {ComputeOp::ADD_AMP_FWD, ComputeOp::RELU_AMP_FWD, fuse_elementwise},
});

const FusionPattern* find_pattern(OpKind producer, OpKind consumer) {
  const auto* const found = std::find_if(
      std::begin(kFusionCatalog), std::end(kFusionCatalog), [&](const FusionPattern& pattern) {
        return pattern.producer == producer && pattern.consumer == consumer;
      });
  return found == std::end(kFusionCatalog) ? nullptr : found;
}

/// Who reads and who writes the bytes of each tensor, as places in the list of ops.
class Uses {
 public:
  Uses(std::span<const Op> ops, const TensorTable& tensors)
      : tensors_(tensors), readers_(tensors.all().size()), writers_(tensors.all().size()) {
    for (std::size_t index = 0; index < ops.size(); ++index) {
      for (const TensorId input : ops[index].inputs)
        readers_[storage(input)].push_back(index);
      for (const TensorId output : ops[index].outputs)
        writers_[storage(output)].push_back(index);
      regions_.insert(ops[index].regions.begin(), ops[index].regions.end());
    }
  }

  /// True where those ops alone write the tensor, and none of its readers comes before `from`.
  [[nodiscard]] bool begins_with(TensorId tensor, const std::vector<std::size_t>& ops,
                                 std::size_t from) const {
    const std::vector<std::size_t>& readers = readers_[storage(tensor)];
    return writers(tensor) == ops && !in_range_op(tensor) &&
           std::all_of(readers.begin(), readers.end(),
                       [&](std::size_t reader) { return reader >= from; });
  }
  /// The ops that write the tensor, in their order.
  [[nodiscard]] const std::vector<std::size_t>& writers(TensorId tensor) const {
    return writers_[storage(tensor)];
  }
  /// The one op that reads the tensor, once; nothing where there are more or none.
  [[nodiscard]] std::optional<std::size_t> only_reader(TensorId tensor) const {
    const std::vector<std::size_t>& readers = readers_[storage(tensor)];
    if (readers.size() != 1) return std::nullopt;
    return readers.front();
  }

 private:
  [[nodiscard]] std::size_t storage(TensorId tensor) const {
    return tensors_.storage_of(tensor).id.value();
  }
  [[nodiscard]] bool in_range_op(TensorId tensor) const {
    return regions_.contains(tensors_.storage_of(tensor).region);
  }

  const TensorTable& tensors_;
  std::vector<std::vector<std::size_t>> readers_, writers_;  ///< by TensorId of the storage
  std::set<RegionKind> regions_;                             ///< worked on as a whole by some op
};

/// True where each run of the consumer follows one of one producer: they lie in one sub-graph, or
/// the producers are the first layer on batch A and on batch B, and the consumer begins the rest.
bool run_together(std::span<const Op> ops, const std::vector<std::size_t>& producers,
                  const Op& consumer) {
  const Op& first = ops[producers.front()];
  if (producers.size() == 1) return first.graph == consumer.graph;
  const Op& second = ops[producers.back()];
  return producers.size() == 2 && first.graph == GraphId::FIRST_LAYER_FWD_A &&
         second.graph == for_slot(first.graph, BufferSlot::B) &&
         consumer.graph == GraphId::DEEP_FWD_BWD && first.kind == second.kind &&
         first.shape == second.shape && first.outputs == second.outputs;
}

}  // namespace

std::span<const FusionPattern> fusion_catalog() {
  return kFusionCatalog;
}

std::vector<std::pair<OpKind, OpKind>> fused_kinds() {
  std::vector<std::pair<OpKind, OpKind>> kinds;
  for (const FusionPattern& pattern : kFusionCatalog)
    kinds.emplace_back(pattern.producer, pattern.consumer);
  kinds.emplace_back(ComputeOp::FC_FP32_BWD, ComputeOp::RELU_FP32_BWD);
  kinds.emplace_back(ComputeOp::FC_AMP_BWD, ComputeOp::RELU_AMP_BWD);
  kinds.emplace_back(ComputeOp::SOFTMAX_CE_FP32_FWD, ComputeOp::SOFTMAX_CE_FP32_BWD);
  kinds.emplace_back(ComputeOp::SOFTMAX_CE_AMP_FWD, ComputeOp::SOFTMAX_CE_AMP_BWD);
  kinds.emplace_back(RangeOp::RANGE_SGD_UPDATE, RangeOp::RANGE_CAST_FP32_TO_FP16);
  return kinds;
}

std::vector<FusedPair> find_fusions(std::span<const Op> ops, const TensorTable& tensors) {
  const Uses uses(ops, tensors);
  std::vector<FusedPair> pairs;
  std::vector<bool> taken(ops.size());
  for (std::size_t index = 0; index < ops.size(); ++index) {
    const Op& producer = ops[index];
    if (producer.outputs.empty()) continue;
    const TensorId y = producer.outputs.front();
    const std::optional<std::size_t> reader = uses.only_reader(y);
    const std::vector<std::size_t>& producers = uses.writers(y);
    if (!reader || *reader <= producers.back() || taken[index] || taken[*reader]) continue;
    const Op& consumer = ops[*reader];
    const FusionPattern* const pattern = find_pattern(producer.kind, consumer.kind);
    const bool fits =
        pattern != nullptr && consumer.shape == producer.shape && consumer.inputs.front() == y &&
        run_together(ops, producers, consumer) && uses.begins_with(y, producers, *reader) &&
        std::all_of(consumer.outputs.begin(), consumer.outputs.end(), [&](TensorId output) {
          return uses.begins_with(output, {*reader}, *reader + 1);
        });
    if (!fits) continue;
    for (const std::size_t one : producers) {
      pairs.push_back({one, *reader, pattern});
      taken[one] = true;
    }
    taken[*reader] = true;
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const FusedPair& a, const FusedPair& b) { return a.producer < b.producer; });
  return pairs;
}

Task fuse_elementwise(Task producer, const Task& consumer, const TensorTable& tensors) {
  assert(consumer.operands.size() >= 2);
  const OperandTarget between = consumer.operands[0].target;
  const auto own = std::find_if(producer.operands.begin(), producer.operands.end(),
                                [&](const Operand& operand) { return operand.target == between; });
  assert(own != producer.operands.end() && own->mode == AccessMode::write);
  own->target = consumer.operands[1].target;
  producer.fused_with = FusedOp{consumer.kind, producer.operands.size()};
  producer.operands.insert(producer.operands.end(), consumer.operands.begin() + 2,
                           consumer.operands.end());
  producer.flops += consumer.flops;
  producer.bytes = 0;
  for (const Operand& operand : producer.operands)
    producer.bytes += bytes_moved(operand, tensors);
  return producer;
}

}  // namespace quintet
