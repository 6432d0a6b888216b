#include "runtime/policy/feature_lifetimes.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "runtime/policy/reachability.h"
#include "runtime/policy/task_conflicts.h"

namespace quintet {

namespace {

constexpr std::uint32_t kNoBuffer = std::numeric_limits<std::uint32_t>::max();

/// The order and the uses of buffers in a step of one slot. Nodes are its tasks in program order.
struct StepUses {
  Reachability order{0};
  std::vector<std::vector<std::uint32_t>> nodes;  ///< per buffer: who touches it, ascending
  std::size_t tasks = 0;
};

class Lifetimes {
 public:
  explicit Lifetimes(const LifetimeInput& input)
      : input_(input), fixed_(input.buffers.size()), buffer_of_(input.owners.size(), kNoBuffer) {
    for (std::uint32_t buffer = 0; buffer < input.buffers.size(); ++buffer)
      buffer_of_[input.buffers[buffer].value()] = buffer;
    steps_.push_back(uses_in_step(BufferSlot::A));
    if (has_twins()) steps_.push_back(uses_in_step(BufferSlot::B));
    fix_touched_from_outside();
  }

  [[nodiscard]] std::size_t count() const { return input_.buffers.size(); }

  /// A row of bits per buffer: with whom it may not share, itself included.
  [[nodiscard]] BitRows apart() const {
    BitRows rows(count());
    for (std::size_t a = 0; a < count(); ++a) {
      rows.set(a, a);
      for (std::size_t b = 0; b < count() && fixed_[a]; ++b)
        rows.set_both(a, b);
    }
    for (const StepUses& step : steps_)
      mark_apart(step, rows);
    return rows;
  }

  [[nodiscard]] std::uint64_t lower_bound(const BitRows& apart) const {
    std::vector<std::size_t> by_size(count());
    std::iota(by_size.begin(), by_size.end(), 0);
    std::stable_sort(by_size.begin(), by_size.end(),
                     [&](std::size_t a, std::size_t b) { return bytes_of(a) > bytes_of(b); });
    std::uint64_t most = 0;
    for (const StepUses& step : steps_) {
      for (std::uint32_t at = 0; at < std::max<std::size_t>(1, step.tasks); ++at) {
        std::vector<std::uint64_t> candidates(apart.row_words(), ~std::uint64_t{0});
        std::uint64_t sum = 0;
        const auto take = [&](std::size_t buffer) {
          sum += bytes_of(buffer);
          for (std::size_t word = 0; word < candidates.size(); ++word)
            candidates[word] &= apart.row(buffer)[word];
        };
        const std::vector<bool> living = living_at(step, at);
        for (std::size_t buffer = 0; buffer < count(); ++buffer) {
          if (living[buffer]) take(buffer);
        }
        for (const std::size_t buffer : by_size) {
          const bool fits = ((candidates[buffer / 64] >> (buffer % 64)) & 1U) != 0;
          if (fits && !living[buffer]) take(buffer);
        }
        most = std::max(most, sum);
      }
    }
    return most;
  }

 private:
  [[nodiscard]] std::uint64_t bytes_of(std::size_t buffer) const {
    return padded_bytes(input_.tensors[input_.buffers[buffer]].bytes());
  }
  /// Buffers between their first and their last task, at a node; no two of them may share.
  [[nodiscard]] std::vector<bool> living_at(const StepUses& step, std::uint32_t node) const {
    std::vector<bool> living(count());
    for (std::size_t buffer = 0; buffer < count(); ++buffer) {
      const std::vector<std::uint32_t>& nodes = step.nodes[buffer];
      living[buffer] =
          fixed_[buffer] || (!nodes.empty() && nodes.front() <= node && node <= nodes.back());
    }
    return living;
  }

  void mark_apart(const StepUses& step, BitRows& rows) const {
    BitRows precedes(count());
    for (std::size_t later = 0; later < count(); ++later) {
      const std::vector<std::uint64_t> before = before_all_of(step, later);
      for (std::size_t earlier = 0; earlier < count(); ++earlier) {
        if (within(step.nodes[earlier], before)) precedes.set(earlier, later);
      }
    }
    for (std::size_t a = 0; a < count(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (step.nodes[a].empty() || step.nodes[b].empty()) continue;
        if (!precedes.test(a, b) && !precedes.test(b, a)) rows.set_both(a, b);
      }
    }
  }

  [[nodiscard]] std::uint32_t buffer_of(const Operand& operand) const {
    const auto* tensor = std::get_if<TensorId>(&operand.target);
    return tensor == nullptr ? kNoBuffer : buffer_of_[input_.owners[tensor->value()].value()];
  }
  [[nodiscard]] bool launched_with_variant(const Task& task) const {
    return task.shape == input_.variant && !runs_on_host(task.graph);
  }
  [[nodiscard]] bool has_twins() const {
    return std::any_of(input_.tasks.begin(), input_.tasks.end(), [&](const Task& task) {
      return launched_with_variant(task) && slot_of(task.graph).has_value();
    });
  }
  [[nodiscard]] bool touches_buffers(const Task& task) const {
    return std::any_of(task.operands.begin(), task.operands.end(),
                       [&](const Operand& operand) { return buffer_of(operand) != kNoBuffer; });
  }

  /// Tasks that touch none of the buffers are left out: a path by way of them might lead through
  /// another launch, and less order is the safe side.
  StepUses uses_in_step(BufferSlot slot) {
    StepUses step;
    step.nodes.resize(count());
    std::vector<std::vector<Access>> accesses;
    for (const Task& task : input_.tasks) {
      if (!launched_with_variant(task) || slot_of(task.graph) == other(slot)) continue;
      if (!touches_buffers(task)) continue;
      add_uses(task, static_cast<std::uint32_t>(accesses.size()), step);
      accesses.push_back(operand_accesses(task, input_.apart));
    }
    step.tasks = accesses.size();
    const std::vector<std::span<const Access>> spans(accesses.begin(), accesses.end());
    std::vector<Arc> arcs;
    for (const TaskConflict& conflict : find_conflicts(spans).pairs) {
      if (conflict.first != conflict.second) arcs.push_back({conflict.first, conflict.second});
    }
    step.order = Reachability(spans.size(), arcs);
    return step;
  }

  void add_uses(const Task& task, std::uint32_t node, StepUses& step) {
    for (const Operand& operand : task.operands) {
      const std::uint32_t buffer = buffer_of(operand);
      if (buffer == kNoBuffer) continue;
      std::vector<std::uint32_t>& nodes = step.nodes[buffer];
      if (!nodes.empty() && nodes.back() == node) continue;
      if (nodes.empty() && !writes_first(task, buffer)) fixed_[buffer] = true;
      nodes.push_back(node);
    }
  }

  /// Whether a task writes every byte of the buffer without having read any, or uses it as scratch.
  [[nodiscard]] bool writes_first(const Task& task, std::uint32_t buffer) const {
    const std::uint64_t bytes = input_.tensors[input_.buffers[buffer]].bytes();
    bool whole = false;
    for (const Operand& operand : task.operands) {
      if (buffer_of(operand) != buffer) continue;
      if (reads(operand.mode)) return false;
      const bool exact = operand.bound == AccessBound::exact &&
                         input_.tensors[std::get<TensorId>(operand.target)].bytes() == bytes;
      whole = whole || exact || operand.mode == AccessMode::scratch;
    }
    return whole;
  }

  void fix_touched_from_outside() {
    for (const Task& task : input_.tasks) {
      for (const Operand& operand : task.operands) {
        const auto* region = std::get_if<RegionKind>(&operand.target);
        if (region != nullptr && *region == RegionKind::FEATURES)
          fixed_.assign(fixed_.size(), true);
        const std::uint32_t buffer = buffer_of(operand);
        if (buffer != kNoBuffer && !launched_with_variant(task)) fixed_[buffer] = true;
      }
    }
  }

  /// The nodes that come before every node that touches the buffer.
  static std::vector<std::uint64_t> before_all_of(const StepUses& step, std::size_t buffer) {
    const std::vector<std::uint32_t>& nodes = step.nodes[buffer];
    if (nodes.empty()) return {};
    const auto first = step.order.ancestors(nodes.front());  // the shortest row
    std::vector<std::uint64_t> common(first.begin(), first.end());
    for (const std::uint32_t node : nodes) {
      const auto row = step.order.ancestors(node);
      for (std::size_t word = 0; word < common.size(); ++word)
        common[word] &= row[word];
    }
    return common;
  }

  static bool within(const std::vector<std::uint32_t>& nodes,
                     const std::vector<std::uint64_t>& bits) {
    return std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) {
      return node / 64 < bits.size() && ((bits[node / 64] >> (node % 64)) & 1U) != 0;
    });
  }

  const LifetimeInput& input_;
  std::vector<bool> fixed_;               ///< per buffer: shares with none
  std::vector<std::uint32_t> buffer_of_;  ///< by TensorId of the owner
  std::vector<StepUses> steps_;           ///< slot A; slot B where the variant has twins
};

}  // namespace

FeatureLifetimes::FeatureLifetimes(const LifetimeInput& input) {
  const Lifetimes lifetimes(input);
  apart_ = lifetimes.apart();
  lower_bound_ = lifetimes.lower_bound(apart_);
}

}  // namespace quintet
