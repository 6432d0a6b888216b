#include "profiler/whatif/sim_graph.h"

#include <algorithm>

namespace quintet {

void SimGraph::seal() {
  std::stable_sort(edges.begin(), edges.end(),
                   [](const SimEdge& a, const SimEdge& b) { return a.from < b.from; });
  first_edge.assign(nodes.size() + 1, 0);
  for (const SimEdge& edge : edges)
    ++first_edge[edge.from + 1];
  for (std::size_t node = 0; node < nodes.size(); ++node)
    first_edge[node + 1] += first_edge[node];
}

}  // namespace quintet
