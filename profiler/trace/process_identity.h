/// Who writes a recording, so that a reader can tell a live writer from a dead one.
#pragma once

#include <cstdint>
#include <string>

namespace quintet {

/// Pid, start time and boot together name one process for good: pids alone are reused.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t start_ticks = 0;  ///< clock ticks since boot
  std::string boot_id;
};

ProcessIdentity this_process();
/// True where exactly that process runs now, on this machine, since the same boot.
bool alive(const ProcessIdentity& process);

}  // namespace quintet
