/// A stream policy as data: which stream each task, and each launch of a sub-graph, goes to, and
/// how streams wait for each other.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/graph_id.h"
#include "runtime/model/memory_plan.h"
#include "runtime/model/result.h"
#include "runtime/model/step_program.h"
#include "runtime/model/stream_kind.h"
#include "runtime/model/task.h"

namespace quintet {

/// Priorities of a policy's streams go from this, the most urgent, to 0: what CUDA has on most
/// devices.
inline constexpr int kMostUrgentPriority = -5;

enum class SyncRule : std::uint8_t {
  adjacent,            ///< the article's: the next op waits for the previous one in the list
  adjacent_conflicts,  ///< adjacent, plus an edge for every conflict that leaves unordered
  dataflow,            ///< exactly the conflicts, transitively reduced
  manual,              ///< the edges that the file lists
};

/// As policy files write it: "adjacent", "adjacent+conflicts", "dataflow", "manual".
std::string_view name_of(SyncRule rule);

/// An edge listed by the user, by task name ("conv1/CONV_FP32_BWD/dW").
struct ManualEdge {
  std::string from;
  std::string to;
  int line = 0;
  friend bool operator==(const ManualEdge& a, const ManualEdge& b) {
    return a.from == b.from && a.to == b.to;
  }
};

/// A layer glob ('*' and '?') and the stream it gives; the first that matches wins. A glob with a
/// '/' is held against the whole task name instead ("conv*/CONV_FP32_BWD/dW").
struct LayerRule {
  std::string glob;
  StreamKind stream = StreamKind::COMP_1;
  int line = 0;
  std::string reason = {};  ///< why, as the file says; may be empty
  friend bool operator==(const LayerRule& a, const LayerRule& b) {
    return a.glob == b.glob && a.stream == b.stream && a.reason == b.reason;
  }
};

/// Tasks that are issued later than program order would have it: each task of a captured graph
/// whose whole name matches the glob `task` comes after the task called `after`.
struct IssueRule {
  std::string task;   ///< a glob
  std::string after;  ///< a name
  int line = 0;
  std::string reason = {};  ///< why, as the file says; may be empty
  friend bool operator==(const IssueRule& a, const IssueRule& b) {
    return a.task == b.task && a.after == b.after && a.reason == b.reason;
  }
};

/// Keys keep the line they stand on, so that a reason can cite it.
struct StreamRule {
  StreamKind stream = StreamKind::COMP_1;
  int line = 0;
  friend bool operator==(const StreamRule& a, const StreamRule& b) { return a.stream == b.stream; }
};

/// An op kind that takes the stream of the sub-graph it is in.
struct SubgraphKind {
  std::string kind;
  int line = 0;
  friend bool operator==(const SubgraphKind& a, const SubgraphKind& b) { return a.kind == b.kind; }
};

/// Equality ignores the file and the lines: it asks whether two policies do the same.
struct StreamPolicy {
  std::string name;
  std::string description;
  std::string file;  ///< where it was read; cited in reasons and errors
  SyncRule sync = SyncRule::dataflow;
  GradientMode gradients = GradientMode::in_place;
  StepMode step = StepMode::host_sync;
  std::map<std::string, StreamRule, std::less<>> ops;    ///< op kind name -> stream
  std::map<std::string, StreamRule, std::less<>> parts;  ///< "dW" or "CONV_FP32_BWD/dW" -> stream
  std::vector<LayerRule> layers;
  std::vector<SubgraphKind> by_subgraph;       ///< kinds whose stream is that of their sub-graph
  std::map<GraphId, StreamRule> subgraphs;     ///< the stream each sub-graph is launched on
  std::array<int, kStreamCount> priorities{};  ///< CUDA's sense: lower is more urgent
  std::vector<ManualEdge> edges;               ///< sync = manual only
  std::vector<IssueRule> issue;                ///< what is issued later than in program order

  friend bool operator==(const StreamPolicy& a, const StreamPolicy& b);
};

struct StreamChoice {
  StreamKind stream = StreamKind::COMP_1;
  std::string reason;  ///< "renaissance.toml:31: part dW -> COMP_1"
  int line = 0;        ///< of the rule, in StreamPolicy::file
};

/// Parses and validates. Unknown keys, kinds, streams and values are errors with file, line and the
/// nearest known name.
Result<StreamPolicy> parse_policy(std::string_view text, const std::string& file);
/// Reads a policy file.
Result<StreamPolicy> load_policy(const std::string& path);
/// The TOML text of a policy: parse_policy of it gives the same policy.
std::string save_policy(const StreamPolicy& policy);

/// The stream of a task. Precedence: layer glob > part ("KIND/dW", then "dW") > op kind >
/// sub-graph, the last only for kinds that `by_subgraph` lists. A kind that nothing lists is an
/// error, never a default.
Result<StreamChoice> stream_of(const StreamPolicy& policy, const Task& task);
/// '*' = any run of characters, '?' = any one.
bool glob_matches(std::string_view glob, std::string_view text);
/// The stream a sub-graph is launched on; an error where the policy does not list it.
Result<StreamKind> launch_stream_of(const StreamPolicy& policy, GraphId graph);

}  // namespace quintet
