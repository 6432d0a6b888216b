#include "profiler/whatif/device_model.h"

namespace quintet {

DeviceModel shipped_device_model() {
  DeviceModel model;
  model.device = "NVIDIA H200";
  model.provenance = "shipped: fitted to steps of an NVIDIA H200, 2026-11-30";
  model.multiprocessors = 132;
  model.memory_bytes_per_ns = 4000;
  model.node_gap_ns = 300;
  model.edge_ns = 321;
  model.fan_out_ns = 0;
  model.fan_in_ns = 0;
  model.fill_in_ns = 0;
  model.fill_out_ns = 6805;
  model.root_join_ns = 115;
  model.graph_ns = 2736;
  model.graph_root_ns = 3075;
  model.graph_leaf_ns = 0;
  model.stream_wait_ns = 5208;
  model.leaf_wait_ns = 9785;
  model.launch_call_ns = 0;
  model.launch_call_node_ns = 0;
  model.record_call_ns = 700;
  model.wait_call_ns = 700;
  model.host_wake_ns = 6255;
  model.launch_latency_ns = 5255;
  model.contention.capacity = 0.977;
  model.fit_error = 0.008;
  model.worst_error = 0.072;  // the MLP at batch 8 in whole_step; convolutional networks 0.043
  model.host_sync_error = 0.265;
  model.contention.mixed_gain = 0;
  return model;
}

DeviceModel host_device_model(std::string_view cpu, double cores) {
  DeviceModel model;
  model.device = std::string(cpu);
  model.provenance = "threads share the cores; nothing else is counted";
  model.multiprocessors = cores;
  model.memory_bytes_per_ns = 0;
  model.contention.sharing = Sharing::fair;
  return model;
}

}  // namespace quintet
