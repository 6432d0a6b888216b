/// A discrete-event run of a SimGraph: when each node begins and ends, and how long a step takes.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/whatif/device_model.h"
#include "profiler/whatif/sim_graph.h"

namespace quintet {

/// In ns from the begin of the run, per node.
struct SimTimes {
  std::vector<double> begin_ns;
  std::vector<double> end_ns;
};

struct SimResult {
  double makespan_ns = 0;  ///< end of the last node
  double step_ns = 0;      ///< steady state; see SimGraph::step_ends
  bool complete = true;    ///< false: a cycle kept nodes from running; the times mean nothing
};

/// Keeps its scratch memory between runs: no allocation for graphs no larger than the last. One
/// thread.
class Simulator {
 public:
  explicit Simulator(const ContentionModel& contention) : contention_(contention) {}

  /// The graph must be sealed. Same graph, same result, to the bit. `times`, if given, receives
  /// when each node ran.
  SimResult run(const SimGraph& graph, SimTimes* times = nullptr);

 private:
  struct Running {
    SimIndex node = 0;
    float sm_share = 0;
    float bandwidth_share = 0;
    float block_ns = 0;
    std::int8_t priority = 0;
    bool served = false;  ///< it held multiprocessors
    double begin_ns = 0;
    double passes_ns = 0;  ///< when it goes ahead of what is less urgent
    double left_ns = 0;    ///< of its work
    double rate = 1;       ///< work done per time
  };
  struct Pending {
    SimIndex node = 0;
    double begin_ns = 0;
  };

  void prepare(const SimGraph& graph);
  void arrive(SimIndex node, double ready_ns);
  void release(const SimGraph& graph, SimIndex node);
  [[nodiscard]] double next_change() const;
  void finish_due(double passed_ns);
  bool begin_due(const SimGraph& graph, SimTimes* times);
  void admit(const SimNode& node, SimIndex index);
  bool pass_due();
  void set_rates();
  [[nodiscard]] double step_length(const SimGraph& graph) const;

  ContentionModel contention_;
  double now_ns_ = 0;
  std::vector<SimIndex> next_in_queue_;
  std::vector<SimIndex> last_in_queue_;
  std::vector<std::uint32_t> missing_;
  std::vector<double> ready_ns_;      ///< until a node begins; after it ended, its end
  std::vector<std::uint32_t> place_;  ///< of each node in issue order
  std::vector<Running> running_;      ///< who is served first stands first
  std::vector<Pending> pending_;
  std::vector<SimIndex> done_;
};

}  // namespace quintet
