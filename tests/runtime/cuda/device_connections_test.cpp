#include "runtime/cuda/device_connections.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(DeviceConnections, AreWhatTheEnvironmentSaysWhereThatIsANumberOfThem) {
  unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
  EXPECT_EQ(asked_connections(), std::nullopt);
  ask_connections(2);
  EXPECT_EQ(asked_connections(), 2);
  for (const char* none : {"", "two", "0", "33", "-1", "2x", "99999999999999999999"}) {
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", none, 1);
    EXPECT_EQ(asked_connections(), std::nullopt) << none;
  }
  unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
}

}  // namespace
}  // namespace quintet
