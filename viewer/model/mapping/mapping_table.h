/// A policy as a table: op kinds, their tasks and layers down, streams across, with the reason of
/// every placement.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/model/task.h"
#include "viewer/model/mapping/policy_draft.h"

namespace quintet {

enum class MappingLevel : std::uint8_t { op, part, layer };

/// A row stands for the tasks that a move of it would move. Counts are of tasks by name: the tails
/// of an epoch run the same ones in another shape.
struct MappingRow {
  MappingLevel level = MappingLevel::op;
  std::string label;  ///< "conv bwd", "conv dW", "conv3_2"
  std::string kind;   ///< "CONV_FP32_BWD"
  std::string part;   ///< "dW"; empty for an op
  std::string layer;  ///< empty unless a layer
  TaskId task;        ///< the first task of the row: what move_task() is told to move
  std::array<std::uint32_t, kStreamCount> tasks{};  ///< on each stream
  /// The rule that placed all of them; several are told apart by line breaks.
  std::string reason;
  std::uint32_t unplaced = 0;  ///< tasks that no rule gives a stream
};

struct LaunchRow {
  GraphId graph = GraphId::DEEP_FWD_BWD;
  std::optional<StreamKind> stream;  ///< nothing: no rule lists it
  std::string reason;
};

struct MappingTable {
  /// An op is followed by its parts, each of which is followed by its layers, in program order. An
  /// op of one part has no row for the part.
  std::vector<MappingRow> rows;
  std::vector<LaunchRow> launches;  ///< of sub-graphs that have work, in the order of GraphId
  std::optional<Error> problem;     ///< the first task that has no stream
};

/// `tasks` in program order; those of host threads take no stream and are left out.
MappingTable mapping_table(std::span<const Task> tasks, const DraftState& state);

/// The reach of a plain move of a row of that level.
MoveReach reach_of(MappingLevel level);

}  // namespace quintet
