#include "runtime/cuda/cuda_device.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(CudaDevices, AreListedOrWhatIsMissingIsSaid) {
  const auto devices = list_cuda_devices();
  if (!devices) {
    EXPECT_NE(devices.error().message.find("NVIDIA"), std::string::npos) << devices.error().message;
    EXPECT_NE(devices.error().cure.find("--executor host"), std::string::npos);
    return;
  }
  ASSERT_FALSE(devices->empty());
  for (const CudaDevice& device : *devices) {
    EXPECT_FALSE(device.name.empty());
    EXPECT_GT(device.multiprocessors, 0);
    EXPECT_GT(device.memory_bytes, 0U);
  }
}

TEST(CudaVersions, AreThoseOfTheLibrariesThisBuildFound) {
  const CudaVersions versions = cuda_versions();
  EXPECT_NE(versions.runtime, "none");
  EXPECT_EQ(versions.cudnn.substr(0, 2), "9.");
  EXPECT_NE(versions.cublaslt, "none");
  EXPECT_NE(versions.nccl, "none");
}

}  // namespace
}  // namespace quintet
