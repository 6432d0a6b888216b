#include "viewer/model/mapping/mapping_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "runtime/model/op_kind.h"

namespace quintet {

namespace {

/// The row and the reasons that its tasks have in common.
struct GrowingRow {
  MappingRow row;
  std::vector<std::string> reasons;

  void add(const Result<StreamChoice>& choice, const std::string& reason) {
    if (!choice) {
      ++row.unplaced;
      return;
    }
    ++row.tasks[quintet::index_of(choice->stream)];
    if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
      reasons.push_back(reason);
    }
  }
  [[nodiscard]] MappingRow finished() const {
    constexpr std::size_t kMostReasons = 6;
    MappingRow done = row;
    const std::size_t shown = std::min(reasons.size(), kMostReasons);
    for (std::size_t index = 0; index < shown; ++index)
      done.reason += (index == 0 ? "" : "\n") + reasons[index];
    if (shown < reasons.size()) done.reason += fmt::format("\n{} more", reasons.size() - shown);
    return done;
  }
};

struct PartRows {
  GrowingRow part;
  std::vector<GrowingRow> layers;
  std::map<std::string, std::size_t> layer_index;
};

struct OpRows {
  GrowingRow op;
  std::vector<PartRows> parts;
};

class TableBuilder {
 public:
  explicit TableBuilder(const DraftState& state) : state_(state) {}

  MappingTable build(std::span<const Task> tasks) {
    std::set<std::string_view> seen;
    std::set<GraphId> launched;
    for (const Task& task : tasks) {
      if (runs_on_host(task.graph)) continue;
      launched.insert(task.graph);
      if (seen.insert(task.name).second) add(task);
    }
    for (const GraphId graph : launched)
      add_launch(graph);
    for (const OpRows& op : ops_)
      finish(op);
    return std::move(table_);
  }

 private:
  void add(const Task& task) {
    const Result<StreamChoice> choice = stream_of(state_.policy, task);
    if (!choice && !table_.problem) table_.problem = choice.error();
    const std::string reason = choice ? noted(choice->reason, choice->line) : std::string{};
    OpRows& op = op_of(task);
    PartRows& part = part_of(op, task);
    op.op.add(choice, reason);
    part.part.add(choice, reason);
    layer_of(part, task).add(choice, reason);
  }

  /// The reason with what stands beside the line it cites.
  [[nodiscard]] std::string noted(const std::string& reason, int line) const {
    const auto note = state_.text.notes.find(line);
    return note == state_.text.notes.end() ? reason : fmt::format("{} ({})", reason, note->second);
  }

  static MappingRow row_of(const Task& task, MappingLevel level) {
    MappingRow row;
    row.level = level;
    row.kind = name_of(task.kind);
    row.task = task.id;
    if (level != MappingLevel::op) row.part = name_of(task.part);
    if (level == MappingLevel::layer) row.layer = task.layer;
    row.label = level == MappingLevel::layer ? task.layer : short_name(row.kind, row.part);
    return row;
  }

  OpRows& op_of(const Task& task) {
    const auto [found, fresh] = op_index_.try_emplace(std::string(name_of(task.kind)), ops_.size());
    if (fresh) ops_.push_back({{row_of(task, MappingLevel::op), {}}, {}});
    return ops_[found->second];
  }
  static PartRows& part_of(OpRows& op, const Task& task) {
    for (PartRows& part : op.parts) {
      if (part.part.row.part == name_of(task.part)) return part;
    }
    op.parts.push_back({{row_of(task, MappingLevel::part), {}}, {}, {}});
    return op.parts.back();
  }
  static GrowingRow& layer_of(PartRows& part, const Task& task) {
    const auto [found, fresh] = part.layer_index.try_emplace(task.layer, part.layers.size());
    if (fresh) part.layers.push_back({row_of(task, MappingLevel::layer), {}});
    return part.layers[found->second];
  }

  void add_launch(GraphId graph) {
    LaunchRow row{graph, std::nullopt, {}};
    const auto rule = state_.policy.subgraphs.find(graph);
    if (rule != state_.policy.subgraphs.end()) {
      row.stream = rule->second.stream;
      row.reason = noted(fmt::format("{}:{}: sub-graph {} -> {}", state_.policy.file,
                                     rule->second.line, name_of(graph), name_of(*row.stream)),
                         rule->second.line);
    }
    table_.launches.push_back(std::move(row));
  }

  void finish(const OpRows& op) {
    table_.rows.push_back(op.op.finished());
    for (const PartRows& part : op.parts) {
      if (op.parts.size() > 1) table_.rows.push_back(part.part.finished());
      for (const GrowingRow& layer : part.layers)
        table_.rows.push_back(layer.finished());
    }
  }

  const DraftState& state_;
  std::vector<OpRows> ops_;
  std::map<std::string, std::size_t> op_index_;
  MappingTable table_;
};

}  // namespace

MappingTable mapping_table(std::span<const Task> tasks, const DraftState& state) {
  return TableBuilder(state).build(tasks);
}

MoveReach reach_of(MappingLevel level) {
  switch (level) {
    case MappingLevel::op:
      return MoveReach::op;
    case MappingLevel::part:
      return MoveReach::kind;
    case MappingLevel::layer:
      return MoveReach::layer;
  }
  return MoveReach::kind;
}

}  // namespace quintet
