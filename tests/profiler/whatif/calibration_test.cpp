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
  EXPECT_FALSE(parse_calibration("{\"schema\": 7, \"version\": \"one\"}"));
  EXPECT_FALSE(parse_calibration("{\"schema\": \"quintet.calibration\", \"version\": \"1\"}"));
}

TEST(Calibration, ReadsVersion1ThatLacksWhatCameLater) {
  DeviceModel device = shipped_device_model();
  std::string text = calibration_text(device);
  const std::size_t version = text.find("\"version\":2");
  ASSERT_NE(version, std::string::npos);
  text.replace(version, 11, "\"version\":1");
  const std::size_t begin = text.find("\"leaf_wait_ns\"");
  text.erase(begin, text.find(',', begin) + 1 - begin);
  const auto read = parse_calibration(text);
  ASSERT_TRUE(read) << to_string(read.error());
  device.leaf_wait_ns = 0;
  EXPECT_EQ(*read, device);
  const std::size_t back = text.find("\"version\":1");
  EXPECT_FALSE(parse_calibration(text.replace(back, 11, "\"version\":2")));
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

TEST(Calibration, RefusesConstantsThatNoDeviceHas) {
  const std::string text = calibration_text(shipped_device_model());
  const auto with = [&](const std::string& name, const std::string& value) {
    const std::size_t begin = text.find("\"" + name + "\":") + name.size() + 3;
    std::string changed = text;
    changed.replace(begin, changed.find_first_of(",}", begin) - begin, value);
    return parse_calibration(changed);
  };
  ASSERT_TRUE(with("graph_ns", "1.5"));
  for (const auto& [name, value] : {std::pair{"graph_ns", "1e300"},
                                    {"graph_ns", "1e999"},
                                    {"edge_ns", "NaN"},
                                    {"edge_ns", "null"},
                                    {"edge_ns", "\"5\""},
                                    {"stream_wait_ns", "-0.5"},
                                    {"multiprocessors", "0.5"},
                                    {"capacity", "1e-9"},
                                    {"least_rate", "1.5"},
                                    {"sharing", "\"none\""}}) {
    EXPECT_FALSE(with(name, value)) << name << " = " << value;
  }
}

}  // namespace
}  // namespace quintet
