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
#include <string>
#include <thread>
#include <vector>

#include "profiler/capture/device_source.h"
#include "profiler/capture/kernel_names.h"
#include "runtime/model/result.h"

namespace quintet {

struct CuptiSessionOptions {
  std::size_t buffers = 24;
  std::size_t buffer_bytes = std::size_t{4} << 20;  ///< about 19,000 kernels each
  /// Tell the listener of every launch, copy and fill outside a graph; each such call then costs one
  /// callback more.
  bool watch_work = false;
};

/// Owns the subscription, its buffers and one thread that decodes them. One a process: CUPTI has
/// no second, and detaching from a process with live graphs is not safe before CUDA 12.6, so it
/// lives until the process ends its work. Open it before the first capture. Buffers are all
/// allocated at once: where they run out records are dropped, and counted, and no step waits.
class CuptiSession final : public DeviceSource {
 public:
  /// Errors: another profiler holds the driver (with its name); a CUPTI other than the one whose records
  /// this build reads.
  static Result<std::unique_ptr<CuptiSession>> open(DeviceListener& listener,
                                                    const CuptiSessionOptions& options = {});
  ~CuptiSession() override;
  CuptiSession(const CuptiSession&) = delete;
  CuptiSession& operator=(const CuptiSession&) = delete;

  void start_nodes() override;
  void stop_nodes() override;
  /// Out of order the driver crashes at the next launch of a graph (seen with 580.159).
  void start_graphs() override;
  void stop_graphs() override;
  void synchronize() override;
  void flush(bool all) override;
  void drain() override;
  [[nodiscard]] std::int64_t clock_ns() const override;
  /// Nothing before a context is current.
  [[nodiscard]] std::optional<std::uint32_t> legacy_stream_id() const override;
  [[nodiscard]] MultiprocessorLimits limits() const override;
  [[nodiscard]] std::optional<std::int64_t> dropped() const override;
  [[nodiscard]] std::int64_t invalid() const override;
  [[nodiscard]] std::vector<std::string> failures() const override;

  /// The id of a node of a graph (a cudaGraphNode_t); nothing where the driver does not know it.
  [[nodiscard]] static std::optional<std::uint64_t> node_id(void* node);

 private:
  struct Buffer {
    std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
  };
  CuptiSession(DeviceListener& listener, const CuptiSessionOptions& options);
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
  void on_driver_call(CUpti_CallbackId id, std::uint32_t correlation);
  void on_resource(CUpti_CallbackId id, const CUpti_ResourceData& data);
  void hand_out(std::uint8_t** buffer, std::size_t* bytes);
  void take_back(std::uint8_t* buffer, std::size_t valid);
  void decode_buffers();
  void decode(const Buffer& buffer);

  DeviceListener& listener_;
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
  std::optional<std::int64_t> dropped_ = 0;  ///< nothing once the driver would not say
  std::int64_t invalid_ = 0;
  std::vector<std::string> failures_;
  std::thread thread_;
};

}  // namespace quintet
