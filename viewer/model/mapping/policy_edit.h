/// One change that a hand makes to a policy, as data: what it sets, and its name in the undo list.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "runtime/policy/stream_policy.h"

namespace quintet {

/// Every task of one part of an op kind: a line of [parts].
struct SetKindStream {
  std::string kind;  ///< "CONV_FP32_BWD"
  std::string part;  ///< "dW"
  StreamKind stream = StreamKind::COMP_1;
  /// Also as the first layer rule ("*/CONV_FP32_BWD/dW"): a layer glob would win otherwise.
  bool over_globs = false;
};

/// Every task of an op kind: a line of [ops], and no line of [parts] for that kind.
struct SetOpStream {
  std::string kind;
  StreamKind stream = StreamKind::COMP_1;
  bool over_globs = false;  ///< as of SetKindStream; also where a part of any kind would win
};

/// Layer or task globs, each a [[layers]] rule before all others.
struct SetLayerStreams {
  std::vector<std::string> globs;
  StreamKind stream = StreamKind::COMP_1;
};

struct SetLaunchStream {
  GraphId graph = GraphId::DEEP_FWD_BWD;
  StreamKind stream = StreamKind::COMP_1;
};

struct SetPriority {
  StreamKind stream = StreamKind::COMP_1;
  int priority = 0;  ///< -5 (most urgent) to 0
};

struct SetSync {
  SyncRule rule = SyncRule::dataflow;
  std::vector<ManualEdge> edges;  ///< where manual sync starts; other rules list none
};

struct SetGradients {
  GradientMode mode = GradientMode::in_place;
};

struct SetStep {
  StepMode mode = StepMode::host_sync;
};

/// Manual sync only.
struct AddEdge {
  ManualEdge edge;
};
struct RemoveEdge {
  ManualEdge edge;
};

struct SetName {
  std::string name;
};

/// The whole file, as edited in the text view.
struct ReplaceText {
  std::string toml;
};

using PolicyChange =
    std::variant<SetKindStream, SetOpStream, SetLayerStreams, SetLaunchStream, SetPriority, SetSync,
                 SetGradients, SetStep, AddEdge, RemoveEdge, SetName, ReplaceText>;

struct PolicyEdit {
  PolicyChange change;
  std::string name;  ///< "conv dW -> COMP_2"
};

/// How far a move reaches.
enum class MoveReach : std::uint8_t {
  kind,         ///< every task of its kind and part
  layer,        ///< this layer only
  layer_after,  ///< this layer and all after it in program order
  op,           ///< every task of its op kind
};

/// "conv dW" of CONV_FP32_BWD/dW, "conv fwd" of CONV_FP32_FWD/Y.
std::string short_name(std::string_view kind, std::string_view part);

/// The edit that puts `task` on `stream`. `tasks` in program order, all of the plan; `policy` is
/// what the edit will be applied to, and tells whether a glob would win over it.
PolicyEdit move_task(std::span<const Task> tasks, const StreamPolicy& policy, const Task& task,
                     StreamKind stream, MoveReach reach);
/// Named edits of the knobs.
PolicyEdit launch_on(GraphId graph, StreamKind stream);
PolicyEdit set_priority(StreamKind stream, int priority);
/// `edges` = those that manual sync begins with: what the plan has now.
PolicyEdit set_sync(SyncRule rule, std::vector<ManualEdge> edges = {});
PolicyEdit set_gradients(GradientMode mode);
PolicyEdit set_step(StepMode mode);
PolicyEdit add_edge(ManualEdge edge);
PolicyEdit remove_edge(ManualEdge edge);
PolicyEdit rename_policy(std::string name);
PolicyEdit replace_text(std::string toml);
/// Another policy in place of all that is there.
PolicyEdit begin_with(const StreamPolicy& policy);

/// The policy after the change; lines are those of `policy`, not of a file. Errors: an edge where
/// the rule lists none, an edge that is there already or is not there, text that does not parse
/// (with its line).
Result<StreamPolicy> changed(StreamPolicy policy, const PolicyChange& change);

/// True for edits that put tasks or launches on another stream.
bool is_move(const PolicyEdit& edit);

/// The lines of the policy file that a change writes, as annotated_text() knows them.
std::vector<std::string> lines_of(const PolicyChange& change);
/// What stands beside such a line: "moved by hand: conv dW -> COMP_2".
std::string note_of(const PolicyEdit& edit);

}  // namespace quintet
