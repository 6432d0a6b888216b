#include "scenarios/cli/device_failures.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(DeviceFailures, AreThoseThatARunAdded) {
  const DeviceFailures before = {{"destroying a stream: a", 2}, {"freeing memory: b", 1}};
  DeviceFailures after = before;
  EXPECT_TRUE(failures_since(before, after).empty());
  after["freeing memory: b"] = 4;
  after["destroying an event: c"] = 1;
  EXPECT_EQ(failures_since(before, after),
            (DeviceFailures{{"destroying an event: c", 1}, {"freeing memory: b", 3}}));
}

TEST(DeviceFailures, BecomeOneFindingThatCountsAndNamesThem) {
  EXPECT_FALSE(finding_of({}).has_value());
  const auto one = finding_of({{"destroying an event: c", 1}});
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->message,
            "giving back what was held of the GPU failed once: destroying an event: c");
  const auto many = finding_of({{"destroying an event: c", 1}, {"freeing memory: b", 3}});
  ASSERT_TRUE(many.has_value());
  EXPECT_EQ(many->severity, Severity::error);
  EXPECT_EQ(many->name, "device_failures");
  EXPECT_EQ(many->count, 4);
  EXPECT_EQ(many->message,
            "giving back what was held of the GPU failed 4 times: destroying an event: c; freeing "
            "memory: b (3 times)");
}

}  // namespace
}  // namespace quintet
