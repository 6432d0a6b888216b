/// The constants of one device, and of the host that feeds it, from which step times are predicted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quintet {

/// Who gets the multiprocessors when more is running than fits.
enum class Sharing : std::uint8_t {
  first_come,  ///< what began first keeps what it wants, the next takes what is left (GPUs)
  fair,        ///< all are slowed alike (threads of a host)
};

constexpr std::string_view name_of(Sharing sharing) {
  return sharing == Sharing::first_come ? "first_come" : "fair";
}

/// What running several tasks at once costs. With one alone nothing.
struct ContentionModel {
  Sharing sharing = Sharing::first_come;
  /// Work that overlapping tasks get done together, of what the device could do for one: below 1
  /// they disturb each other.
  double capacity = 1;
  /// Gain of capacity where one task is bound by memory and another is not: times the difference of
  /// their bandwidth shares.
  double mixed_gain = 0;
  /// Least rate of a task that finds nothing left.
  double least_rate = 0;
  friend bool operator==(const ContentionModel&, const ContentionModel&) = default;
};

/// Times in ns.
struct DeviceModel {
  std::string device;              ///< "NVIDIA H200", or the CPU
  std::string provenance;          ///< what it was fitted to, and when
  double multiprocessors = 1;      ///< of a host its cores
  double memory_bytes_per_ns = 1;  ///< most that one task was seen to move

  // inside an executable graph
  double node_gap_ns = 0;  ///< from the end of a kernel to the begin of the next on its stream
  double edge_ns = 0;      ///< more than that to a task that waits for one of another stream
  double fan_out_ns = 0;   ///< and for each successor that is served before it
  double fan_in_ns = 0;    ///< and where the task waits for several
  double fill_in_ns = 0;   ///< and where it holds a fill or copy: those break a graph's launch up
  double fill_out_ns = 0;  ///< and where the one that it waits for does
  /// And where what it waits for comes from several roots of the graph: each root goes to the device
  /// on a channel of its own, and a task is on that of the longest path to it.
  double root_join_ns = 0;
  /// Of a launch: from what its stream did before to its first task, and from its last task to what
  /// comes next.
  double graph_ns = 0;
  double graph_root_ns = 0;   ///< and for each further root: a task that waits for none of it
  double graph_leaf_ns = 0;   ///< and for each further leaf: a task that none of it waits for
  double stream_wait_ns = 0;  ///< from a record to what waits for it on another stream
  double leaf_wait_ns = 0;    ///< and for each further leaf of the graph before the record

  // the host thread
  double launch_call_ns = 0;       ///< of a graph launch, whatever its size
  double launch_call_node_ns = 0;  ///< and for each of its nodes
  double record_call_ns = 0;
  double wait_call_ns = 0;
  double host_wake_ns = 0;  ///< from the end of what a host waits for to its next call
  double launch_latency_ns =
      0;  ///< from the end of a launch call to the first task on an idle device

  ContentionModel contention;
  /// |predicted - measured| / measured over the runs that the constants were held against.
  double fit_error = 0;    ///< median
  double worst_error = 0;  ///< worst where no host waits inside a step
  double host_sync_error =
      0;  ///< worst of `host_sync`, whose short steps are as long as the host makes them
  friend bool operator==(const DeviceModel&, const DeviceModel&) = default;
};

/// Fitted to the shipped recordings of an NVIDIA H200; the README.md of this folder says to which.
DeviceModel shipped_device_model();

/// A host whose streams are threads: tasks share `cores` fairly, everything else costs nothing.
DeviceModel host_device_model(std::string_view cpu, double cores);

}  // namespace quintet
