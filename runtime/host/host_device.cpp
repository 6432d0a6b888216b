#include "runtime/host/host_device.h"

#include <fstream>
#include <sched.h>
#include <sys/sysinfo.h>

#include "runtime/host/onednn.h"

namespace quintet {

namespace {

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown processor";
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace

HostDevice describe_host() {
  HostDevice device;
  device.processor = processor_name();
  device.cores = usable_cores();
  struct sysinfo info {};
  if (sysinfo(&info) == 0) device.memory_bytes = std::uint64_t{info.totalram} * info.mem_unit;
  device.library = onednn_version();
  return device;
}

}  // namespace quintet
