#include "profiler/whatif/calibration.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(Calibration, ReadsBackWhatItWrote) {
  DeviceModel device = shipped_device_model();
  device.fit_error = 0.0123;
  device.contention.least_rate = 0.25;
  const auto read = parse_calibration(calibration_text(device));
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(*read, device);
  const DeviceModel host = host_device_model("some processor", 2);
  EXPECT_EQ(parse_calibration(calibration_text(host)).value(), host);
}

TEST(Calibration, RefusesWhatIsNone) {
  EXPECT_FALSE(parse_calibration(""));
  EXPECT_FALSE(parse_calibration("[]"));
  EXPECT_FALSE(parse_calibration("{\"schema\": \"quintet.calibration\", \"version\": 99}"));
}

TEST(Calibration, NamesTheConstantThatIsWrong) {
  const std::string text = calibration_text(shipped_device_model());
  std::string without = text;
  without.replace(without.find("\"fan_in_ns\""), 11, "\"fan_in_xx\"");
  const auto missing = parse_calibration(without);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("fan_in_ns"), std::string::npos);
  std::string negative = text;
  negative.replace(negative.find("\"graph_ns\":") + 11, 1, "-");
  EXPECT_FALSE(parse_calibration(negative));
}

}  // namespace
}  // namespace quintet
