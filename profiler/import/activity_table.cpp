#include "profiler/import/activity_table.h"

#include <array>
#include <functional>
#include <utility>

#include "profiler/import/device_name.h"

namespace quintet {

namespace {

constexpr std::uint32_t kNoActivity = IndexTable::kNone;

constexpr auto kCopyKinds = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"HtoD", "MEMCPY_HTOD"},
    {"DtoH", "MEMCPY_DTOH"},
    {"DtoD", "MEMCPY_DTOD"},
    {"HtoH", "MEMCPY_HTOH"},
    {"PtoP", "MEMCPY_PTOP"},
    {"HtoA", "MEMCPY_HTOA"},
    {"AtoH", "MEMCPY_ATOH"},
    {"AtoA", "MEMCPY_ATOA"},
    {"AtoD", "MEMCPY_ATOD"},
    {"DtoA", "MEMCPY_DTOA"},
});

/// By the name's own word, else by one of other makes: "MemcpyH2D", "CopyHostToDevice".
std::string_view copy_kind(std::string_view name) {
  for (const std::string_view text : {name, copy_direction(name)}) {
    for (const auto& [word, op_kind] : kCopyKinds) {
      if (text.find(word) != std::string_view::npos) return op_kind;
    }
  }
  return "MEMCPY";
}

bool has_facts(const ActivityFacts& facts) {
  return facts.launch || facts.bytes || facts.graph_node || facts.captured_node;
}

std::uint64_t hash_of(std::uint32_t task, const ActivityFacts& facts) {
  std::uint64_t hash = mix_hash(1, task);
  if (facts.launch) {
    const LaunchShape& launch = *facts.launch;
    hash = mix_hash(hash, (std::uint64_t{launch.grid[0]} << 32U) | launch.grid[1]);
    hash = mix_hash(hash, (std::uint64_t{launch.grid[2]} << 32U) | launch.block[0]);
    hash = mix_hash(hash, (std::uint64_t{launch.block[1]} << 32U) | launch.block[2]);
    hash = mix_hash(hash, launch.registers);
    hash = mix_hash(hash, launch.static_shared_bytes * 31 + launch.dynamic_shared_bytes);
  }
  hash = mix_hash(hash, facts.bytes.value_or(0));
  hash = mix_hash(hash, facts.graph_node.value_or(0));
  return mix_hash(hash, facts.captured_node.value_or(0));
}

}  // namespace

namespace {

std::string_view op_kind_of(RangeSort range) {
  switch (range) {
    case RangeSort::nested:
      return "HOST_RANGE";
    case RangeSort::started:
      return "HOST_STARTED_RANGE";
    case RangeSort::overhead:
      return "HOST_OVERHEAD";
  }
  return {};
}

}  // namespace

std::string_view imported_op_kind(ActivityKind kind, std::string_view name, RangeSort range) {
  switch (kind) {
    case ActivityKind::kernel:
      return "KERNEL";
    case ActivityKind::memcpy:
      return copy_kind(name);
    case ActivityKind::memset:
      return "MEMSET";
    case ActivityKind::graph:
      return "GRAPH";
    case ActivityKind::host_range:
      return op_kind_of(range);
    case ActivityKind::api_call:
      return "API_CALL";
  }
  return {};
}

ActivityTable::Ids ActivityTable::intern(const ActivityFacts& facts) {
  const std::uint32_t task = intern_task(facts);
  return {task, intern_activity(task, facts)};
}

std::uint32_t ActivityTable::intern_task(const ActivityFacts& facts) {
  const std::uint64_t hash = mix_hash(
      std::hash<std::string_view>{}(facts.name),
      static_cast<std::uint64_t>(facts.kind) * 4 + static_cast<std::uint64_t>(facts.range));
  const std::uint32_t known = task_index_.find(hash, [&](std::uint32_t task) {
    return task_kinds_[task] == facts.kind && task_ranges_[task] == facts.range &&
           tasks_[task].name == facts.name;
  });
  if (known != IndexTable::kNone) return known;
  const auto task = static_cast<std::uint32_t>(tasks_.size());
  TraceTask& added = tasks_.emplace_back();
  added.name = facts.name;
  added.op_kind = imported_op_kind(facts.kind, facts.name, facts.range);
  added.placement_reason = "imported";
  task_kinds_.push_back(facts.kind);
  task_ranges_.push_back(facts.range);
  plain_activity_.push_back(kNoActivity);
  task_index_.insert(hash, task);
  return task;
}

std::uint32_t ActivityTable::intern_activity(std::uint32_t task, const ActivityFacts& facts) {
  const bool plain = !has_facts(facts);
  if (plain && plain_activity_[task] != kNoActivity) return plain_activity_[task];
  std::uint64_t hash = 0;
  if (!plain) {
    hash = hash_of(task, facts);
    const std::uint32_t known = activity_index_.find(hash, [&](std::uint32_t index) {
      const TraceActivity& activity = activities_[index];
      return activity_tasks_[index] == task && activity.launch == facts.launch &&
             activity.bytes == facts.bytes && activity.graph_node == facts.graph_node &&
             activity.captured_node == facts.captured_node;
    });
    if (known != IndexTable::kNone) return known;
  }
  const auto index = static_cast<std::uint32_t>(activities_.size());
  activities_.push_back({facts.kind, std::string(facts.name), facts.graph_node, facts.captured_node,
                         facts.launch, facts.bytes});
  activity_tasks_.push_back(task);
  if (plain) {
    plain_activity_[task] = index;
  } else {
    activity_index_.insert(hash, index);
  }
  return index;
}

}  // namespace quintet
