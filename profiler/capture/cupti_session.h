/// CUPTI's subscription of this process: what the driver tells while it runs, and the records that
/// it leaves.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cupti.h>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "profiler/capture/device_record.h"
#include "profiler/capture/kernel_names.h"
#include "runtime/model/result.h"

namespace quintet {

/// A call into the driver that a running step should not need.
enum class DriverCall : std::uint8_t { allocation, host_sync };

/// Called by the session. Must not throw, nor call CUDA.
class CuptiListener {
 public:
  virtual ~CuptiListener() = default;
  /// On the thread that captures: a node has come to be.
  virtual void node_created(std::uint64_t node) = 0;
  /// While a graph is instantiated: `node` of the executable graph is made of `original`.
  virtual void node_cloned(std::uint64_t original, std::uint64_t node) = 0;
  /// On the launching thread, before the launch: its records will carry this correlation.
  virtual void graph_launched(std::uint32_t correlation) = 0;
  virtual void driver_called(DriverCall call) = 0;
  /// On the session's own thread, buffer by buffer.
  virtual void recorded(std::span<const DeviceRecord> records) = 0;
};

struct CuptiSessionOptions {
  std::size_t buffers = 24;
  std::size_t buffer_bytes = std::size_t{4} << 20;  ///< about 19,000 kernels each
};

/// Owns the subscription, its buffers and one thread that decodes them. One a process: CUPTI has
/// no second, and detaching from a process with live graphs is not safe before CUDA 12.6, so it
/// lives until the process ends its work. Open it before the first capture. Buffers are all
/// allocated at once: where they run out records are dropped, and counted, and no step waits.
class CuptiSession {
 public:
  /// Errors: another profiler holds the driver (with its name); a CUPTI other than the one whose records
  /// this build reads.
  static Result<std::unique_ptr<CuptiSession>> open(CuptiListener& listener,
                                                    const CuptiSessionOptions& options = {});
  ~CuptiSession();
  CuptiSession(const CuptiSession&) = delete;
  CuptiSession& operator=(const CuptiSession&) = delete;

  /// Kernels, copies and fills are recorded from now on. The device should be idle.
  void start_nodes();
  void stop_nodes();
  /// Launches of graphs as a whole. Before any graph is instantiated, and never in a process that has
  /// recorded nodes: else the driver crashes at the next launch of a graph (seen with 580.159).
  void start_graphs();
  void stop_graphs();
  /// Asks for the buffers whose records are complete; `all`: for every buffer, after the device is idle.
  void flush(bool all);
  /// Returns when every buffer handed over so far has been decoded.
  void drain();

  /// Now, on the clock of the records: Unix time in ns.
  [[nodiscard]] static std::int64_t now_ns();
  /// The id of a node of a graph (a cudaGraphNode_t); nothing where the driver does not know it.
  [[nodiscard]] static std::optional<std::uint64_t> node_id(void* node);
  /// The records' name of the legacy default stream; nothing before a context is current.
  [[nodiscard]] static std::optional<std::uint32_t> legacy_stream();

  // After drain():
  [[nodiscard]] std::int64_t dropped() const;  ///< for want of a buffer
  [[nodiscard]] std::int64_t invalid() const;  ///< that CUPTI itself could not read back
  [[nodiscard]] std::vector<std::string> failures() const;  ///< calls of CUPTI that failed

 private:
  struct Buffer {
    std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
  };
  CuptiSession(CuptiListener& listener, const CuptiSessionOptions& options);
  Result<void> subscribe();
  void enable_callbacks();
  void note(CUptiResult status, const char* what);
  static void CUPTIAPI on_callback(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                   const void* data);
  static void CUPTIAPI on_buffer_requested(std::uint8_t** buffer, std::size_t* bytes,
                                           std::size_t* most_records);
  static void CUPTIAPI on_buffer_completed(CUcontext context, std::uint32_t stream,
                                           std::uint8_t* buffer, std::size_t bytes,
                                           std::size_t valid);
  void on_resource(CUpti_CallbackId id, const CUpti_ResourceData& data);
  void hand_out(std::uint8_t** buffer, std::size_t* bytes);
  void take_back(std::uint8_t* buffer, std::size_t valid);
  void decode_buffers();
  void decode(const Buffer& buffer);

  CuptiListener& listener_;
  CuptiSessionOptions options_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::unique_ptr<std::uint64_t[]> memory_;  ///< of all buffers
  KernelNames names_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint8_t*> free_;
  std::deque<Buffer> full_;
  bool decoding_ = false;
  bool closed_ = false;
  std::int64_t dropped_ = 0;
  std::int64_t invalid_ = 0;
  std::vector<std::string> failures_;
  std::thread thread_;
};

}  // namespace quintet
