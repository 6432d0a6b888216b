/// The constants of one device, and of the host that feeds it, from which step times are predicted.
#pragma once

#include <cstdint>
#include <string>

namespace quintet {

/// What running several tasks at once costs. With load L = sum of SM shares of what runs, tasks
/// progress at 1 / max(1, L / sm_capacity), and likewise for bandwidth: the scarcer of the two.
struct ContentionModel {
  double sm_capacity = 1;         ///< work that overlapping kernels do of what each would alone
  double bandwidth_capacity = 1;  ///< the same for memory traffic
  double beside_ns = 0;           ///< a task loses so much each time another begins beside it
};

/// Times in ns.
struct DeviceModel {
  std::string device;      ///< "NVIDIA H200"
  std::string provenance;  ///< "calibrated 2026-11-30T08:30:00Z", "shipped: fitted to ..."

  // inside an executable graph
  double node_gap_ns = 0;  ///< from the end of a task to the begin of the next on its stream
  double edge_gap_ns =
      0;  ///< from the end of a task to the begin of one that waits on another stream
  double fan_in_ns = 0;       ///< for each further task that a task waits for
  double graph_begin_ns = 0;  ///< from the end of what a launch waits for to its first task
  double graph_end_ns = 0;    ///< from its last task to the end of the launch
  double stream_wait_ns =
      0;  ///< from the record of an event to a launch on a stream that waits for it

  // the host thread
  double launch_call_ns = 0;       ///< of a graph launch, whatever its size
  double launch_call_node_ns = 0;  ///< and for each of its nodes
  double record_call_ns = 0;
  double wait_call_ns = 0;
  double host_wake_ns = 0;     ///< from the end of what a host waits for to its next call
  double first_launch_ns = 0;  ///< from a launch call of an idle device to its first task

  ContentionModel contention;
  double fit_error = 0;  ///< median of |predicted - measured| / measured over what it was fitted to
  double worst_error = 0;  ///< the worst of them
};

/// Fitted to the shipped recordings of an NVIDIA H200; README.md of this folder says to which.
DeviceModel shipped_device_model();

}  // namespace quintet
