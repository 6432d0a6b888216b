/// Tasks + edges + streams of one captured graph: the one structure that capture, proof,
/// prediction, DAG view and diff read.
#pragma once

#include <string>
#include <vector>

#include "runtime/model/graph_id.h"
#include "runtime/model/ids.h"
#include "runtime/model/stream_kind.h"

namespace quintet {

/// Which rule put an edge there.
enum class EdgeRule : std::uint8_t {
  adjacent,     ///< the next op's representative stream waits for the previous op's output stream
  op_internal,  ///< inside one op: its parts start after its entry; dX in place waits for dW
  conflict,     ///< two byte ranges conflict
  manual,       ///< the policy file lists it
};

constexpr std::string_view name_of(EdgeRule rule) {
  switch (rule) {
    case EdgeRule::adjacent:
      return "adjacent";
    case EdgeRule::op_internal:
      return "op_internal";
    case EdgeRule::conflict:
      return "conflict";
    case EdgeRule::manual:
      return "manual";
  }
  return {};
}

/// `to` waits until `from` has finished. Both are in one graph, on different streams, `from`
/// earlier in issue order.
struct Edge {
  TaskId from;
  TaskId to;
  EdgeRule rule = EdgeRule::conflict;
  std::string reason;
};

struct PlacedTask {
  TaskId task;
  StreamKind stream = StreamKind::COMP_1;
  std::string reason;  ///< which line of the policy decided
};

/// Order inside the graph = order of issue on each stream + `edges`. Launching runs the whole as
/// one item of the launch stream: it begins when that stream reaches it (every stream in it starts
/// after that) and ends when all its tasks have.
struct TaskGraph {
  GraphKey key;
  StreamKind primary = StreamKind::COMP_1;  ///< the stream it is launched on
  std::vector<PlacedTask> tasks;            ///< in issue order
  std::vector<Edge> edges;                  ///< across streams only, none implied by the others
};

}  // namespace quintet
