/// The fixture of tests that run on a GPU: without one they are skipped and say why, or fail where
/// QUINTET_REQUIRE_GPU=1 asks for one.
#pragma once

#include <cstdlib>
#include <gtest/gtest.h>
#include <string_view>

#include "runtime/cuda/cuda_device.h"

namespace quintet {

/// Usage: class CudaPool : public GpuTest {}; a fixture that overrides SetUp() calls this one first
/// and goes on only where has_gpu().
class GpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto devices = list_cuda_devices();
    has_gpu_ = devices.has_value();
    if (has_gpu_) return;
    const char* const required = std::getenv("QUINTET_REQUIRE_GPU");
    if (required != nullptr && std::string_view(required) == "1")
      FAIL() << "QUINTET_REQUIRE_GPU=1, but " << to_string(devices.error());
    GTEST_SKIP() << to_string(devices.error());
  }
  [[nodiscard]] bool has_gpu() const { return has_gpu_; }

 private:
  bool has_gpu_ = false;
};

}  // namespace quintet
