#include "profiler/whatif/device_model.h"

namespace quintet {

DeviceModel shipped_device_model() {
  DeviceModel model;
  model.device = "NVIDIA H200";
  model.provenance = "shipped: fitted to scenarios/recorded, 2026-11-30";
  model.multiprocessors = 132;
  model.memory_bytes_per_ns = 4000;
  model.node_gap_ns = 300;
  model.edge_ns = 0;
  model.fan_out_ns = 100;
  model.fan_in_ns = 50;
  model.fill_in_ns = 500;
  model.fill_out_ns = 6000;
  model.graph_ns = 5500;
  model.stream_wait_ns = 2000;
  model.launch_call_ns = 2500;
  model.launch_call_node_ns = 300;
  model.record_call_ns = 700;
  model.wait_call_ns = 700;
  model.host_wake_ns = 4000;
  model.launch_latency_ns = 4000;
  model.contention.capacity = 0.95;
  model.contention.mixed_gain = 0.1;
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
