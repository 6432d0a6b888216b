/// A device that does what a test says: the driver's side of a recording without a driver.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/capture/device_source.h"
#include "runtime/model/nanos.h"

namespace quintet::test {

/// What a FakeDevice was asked for, and what it answers; outlives it.
struct DeviceScript {
  std::vector<std::string> calls;
  std::vector<std::string> failures;
  DeviceListener* listener = nullptr;  ///< while the device is open
  bool tracing = false;
  std::optional<std::int64_t> dropped = 0;
  std::int64_t clock_shift_ns = 0;  ///< what the device's clock is further ahead
};

inline constexpr std::int64_t kUnixOffsetNs = 1'700'000'000'000'000'000;

class FakeDevice final : public DeviceSource {
 public:
  FakeDevice(DeviceScript& script, DeviceListener& listener) : script_(script) {
    script_.listener = &listener;
  }
  ~FakeDevice() override { script_.listener = nullptr; }

  void start_nodes() override {
    script_.calls.emplace_back("start_nodes");
    script_.tracing = true;
  }
  void stop_nodes() override {
    script_.calls.emplace_back("stop_nodes");
    script_.tracing = false;
  }
  void start_graphs() override { script_.calls.emplace_back("start_graphs"); }
  void stop_graphs() override { script_.calls.emplace_back("stop_graphs"); }
  void synchronize() override { script_.calls.emplace_back("synchronize"); }
  void flush(bool all) override { script_.calls.emplace_back(all ? "flush all" : "flush"); }
  void drain() override { script_.calls.emplace_back("drain"); }
  [[nodiscard]] std::int64_t clock_ns() const override {
    return monotonic_ns() + kUnixOffsetNs + script_.clock_shift_ns;
  }
  [[nodiscard]] std::optional<std::uint32_t> legacy_stream_id() const override { return 7; }
  [[nodiscard]] MultiprocessorLimits limits() const override { return {}; }
  [[nodiscard]] std::optional<std::int64_t> dropped() const override { return script_.dropped; }
  [[nodiscard]] std::int64_t invalid() const override { return 0; }
  [[nodiscard]] std::vector<std::string> failures() const override { return script_.failures; }

 private:
  DeviceScript& script_;
};

inline OpenDeviceSource open_fake(DeviceScript& script) {
  return [&script](DeviceListener& listener) -> Result<std::unique_ptr<DeviceSource>> {
    return std::make_unique<FakeDevice>(script, listener);
  };
}

/// A kernel that ran in the last microseconds.
inline DeviceRecord kernel_of(std::uint32_t correlation, std::uint64_t node = 0) {
  DeviceRecord record;
  record.name = "saxpy";
  record.end_ns = monotonic_ns() + kUnixOffsetNs;
  record.begin_ns = record.end_ns;
  record.stream = 13;
  record.correlation = correlation;
  record.graph_node = node;
  return record;
}

}  // namespace quintet::test
