#include "profiler/import/graph_launches.h"

#include <algorithm>

namespace quintet {

bool is_graph_launch(std::string_view name) {
  return name.starts_with("cudaGraphLaunch") || name.starts_with("cuGraphLaunch");
}

void GraphLaunches::add(std::uint32_t call, std::uint32_t scope, std::int64_t begin_ns) {
  launches_.push_back({scope, begin_ns, call});
}

void GraphLaunches::sort() {
  std::sort(launches_.begin(), launches_.end());
}

std::uint32_t GraphLaunches::latest(std::uint32_t scope, std::uint32_t graph,
                                    std::int64_t before_ns) const {
  auto launch =
      std::upper_bound(launches_.begin(), launches_.end(), Launch{scope, before_ns, kNone});
  while (launch != launches_.begin() && (--launch)->scope == scope) {
    const auto known = graph_of_call_.find(launch->call);
    if (known == graph_of_call_.end() || known->second == graph) return launch->call;
  }
  return kNone;
}

}  // namespace quintet
