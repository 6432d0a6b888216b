#include "profiler/trace/process_identity.h"

#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace quintet {

namespace {

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  file >> id;
  return id;
}

struct ProcessStat {
  bool running = false;
  std::int64_t start_ticks = 0;
};

ProcessStat stat_of(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  // "pid (name) state ...": the name may itself hold brackets and blanks.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  std::string state;
  fields >> state;
  std::string field;
  constexpr int kFieldsFromStateToStart = 19;
  for (int i = 0; i < kFieldsFromStateToStart; ++i)
    fields >> field;
  ProcessStat stat;
  stat.running = !fields.fail() && state != "Z" && state != "X";
  if (stat.running) stat.start_ticks = std::stoll(field);
  return stat;
}

}  // namespace

ProcessIdentity this_process() {
  const std::int64_t pid = getpid();
  return {pid, stat_of(pid).start_ticks, boot_id()};
}

bool alive(const ProcessIdentity& process) {
  if (process.boot_id != boot_id()) return false;
  const ProcessStat stat = stat_of(process.pid);
  return stat.running && stat.start_ticks == process.start_ticks;
}

}  // namespace quintet
