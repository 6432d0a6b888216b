/// Where records of a device come from, and who is told of them: the border to a driver's own
/// interface.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profiler/capture/device_record.h"
#include "profiler/capture/occupancy_limit.h"
#include "runtime/model/result.h"

namespace quintet {

/// A call into the driver that a running step should not need.
enum class DriverCall : std::uint8_t { allocation, host_sync };

/// Called by the source. Must not throw, nor call the driver.
class DeviceListener {
 public:
  virtual ~DeviceListener() = default;
  /// On the thread that captures: a node has come to be.
  virtual void node_created(std::uint64_t node) = 0;
  /// While a graph is instantiated: `node` of the executable graph is made of `original`.
  virtual void node_cloned(std::uint64_t original, std::uint64_t node) = 0;
  /// On the launching thread, before the launch: its records will carry this correlation.
  virtual void graph_launched(std::uint32_t correlation) = 0;
  /// On the calling thread, before a call that puts a kernel, copy or fill on a stream, or into a capture.
  /// Only from a source that was asked to watch such calls.
  virtual void work_enqueued(std::uint32_t /*correlation*/) {}
  virtual void driver_called(DriverCall call) = 0;
  /// On the source's own thread, buffer by buffer.
  virtual void recorded(std::span<const DeviceRecord> records) = 0;
  /// Likewise, of what may have held up the host.
  virtual void overhead(std::span<const OverheadRecord> /*records*/) {}
};

/// A device that is recorded. Threads: start and stop from one at a time. Throws nothing.
class DeviceSource {
 public:
  virtual ~DeviceSource() = default;
  /// Kernels, copies and fills are recorded from now on. The device should be idle.
  virtual void start_nodes() = 0;
  virtual void stop_nodes() = 0;
  /// Launches of graphs as a whole. Before any graph is instantiated, and never in a process that has
  /// recorded nodes.
  virtual void start_graphs() = 0;
  virtual void stop_graphs() = 0;
  /// Returns when the device has nothing more to do.
  virtual void synchronize() = 0;
  /// Asks for the records that are complete; `all`: for every one, after the device is idle.
  virtual void flush(bool all) = 0;
  /// Returns when the listener has been told of every record handed over so far.
  virtual void drain() = 0;

  /// Unix time in ns, as the records count it.
  [[nodiscard]] virtual std::int64_t clock_ns() const = 0;
  /// The records' name of the legacy default stream; nothing where it is not known yet.
  [[nodiscard]] virtual std::optional<std::uint32_t> legacy_stream_id() const = 0;
  /// Of the device that is current; all 0 where there is none.
  [[nodiscard]] virtual MultiprocessorLimits limits() const = 0;

  // After drain():
  /// Records, for want of a buffer; nothing where the driver could not say, which is not none.
  [[nodiscard]] virtual std::optional<std::int64_t> dropped() const = 0;
  [[nodiscard]] virtual std::int64_t invalid() const = 0;  ///< buffers that could not be read back
  [[nodiscard]] virtual std::vector<std::string> failures() const = 0;  ///< calls that failed
};

/// Opens the one source of this process; the listener outlives it.
using OpenDeviceSource = std::function<Result<std::unique_ptr<DeviceSource>>(DeviceListener&)>;

}  // namespace quintet
