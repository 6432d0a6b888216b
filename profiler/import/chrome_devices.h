/// Decides, by the names of processes and threads, which rows of a Chrome trace are streams of
/// devices. For events that no category describes; names may come behind the events.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profiler/import/chrome_event.h"
#include "profiler/import/device_name.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// What the row (process, thread) of a trace carries.
struct DeviceRow {
  enum class Sort : std::uint8_t {
    host,
    host_calls,    ///< calls of a device's API
    stream,        ///< work of a device
    projection,    ///< of a device: ops, modules, steps; never its busy time
    unrecognised,  ///< seems to be a device's
  };
  Sort sort = Sort::host;
  std::int32_t device = 0;
  bool device_told = true;   ///< by a name; else `args` of an event may know better
  bool device_known = true;  ///< false: only `args` of an event may tell
  std::int64_t stream = 0;
  bool stream_told = true;   ///< by a name; else `args` of an event may know better
  std::int64_t process = 0;  ///< tells devices apart that share an ordinal; mostly 0
  WorkSort work = WorkSort::unknown;
  std::string_view direction;  ///< of copies
};

/// What `args` of an event say about the work that it stands for.
struct DeviceWork {
  WorkSort sort = WorkSort::unknown;
  std::optional<LaunchShape> launch;
  std::optional<std::uint64_t> bytes;
  std::optional<std::int64_t> device;
  std::optional<std::int64_t> stream;
  std::string_view direction;   ///< of a copy, as copy_direction()
  std::string_view collective;  ///< as collective_of()

  [[nodiscard]] bool says_anything() const {
    return sort != WorkSort::unknown || launch || bytes || device || stream || !collective.empty();
  }
};
DeviceWork device_work(const ChromeEventArgs& args, const XprofArgs& xprof);

/// Owns the names of processes and threads of one file. The first name of each counts.
class ChromeDevices {
 public:
  void name_process(std::int64_t process, std::string_view name);
  void name_thread(std::int64_t process, std::int64_t thread, std::string_view name);
  /// The row, where no name that is still to come can change it; else null.
  [[nodiscard]] const DeviceRow* known(std::int64_t process, std::int64_t thread);
  /// To be called once, behind the last event.
  void settle();
  /// The row by all names; after settle().
  [[nodiscard]] const DeviceRow& row(std::int64_t process, std::int64_t thread);

  /// Empty where the file does not name it.
  [[nodiscard]] std::string_view process_name(std::int64_t process) const;
  [[nodiscard]] std::string_view thread_name(std::int64_t process, std::int64_t thread) const;

 private:
  using RowId = std::pair<std::int64_t, std::int64_t>;
  struct Process {
    std::string name;
    ProcessMeaning meaning;
    std::int64_t lane_process = 0;
  };

  [[nodiscard]] const Process* process(std::int64_t id) const;
  [[nodiscard]] DeviceRow decide(std::int64_t process, std::int64_t thread) const;
  [[nodiscard]] DeviceRow decide_thread(const DeviceRow& device, std::int64_t thread,
                                        const std::string* name) const;
  [[nodiscard]] DeviceRow decide_host(const Process* process, std::int64_t thread,
                                      const std::string* name) const;
  const DeviceRow& remember(const RowId& id);

  std::map<std::int64_t, Process> processes_;
  std::map<RowId, std::string> threads_;
  std::map<RowId, DeviceRow> rows_;
  std::set<std::int32_t> ordinals_;        ///< of devices that are processes
  std::set<std::int64_t> guessed_;         ///< processes whose device was counted, not told
  std::set<std::int32_t> stream_devices_;  ///< devices of which each stream is a process
  const DeviceRow* last_row_ = nullptr;
  RowId last_id_;
};

}  // namespace quintet
