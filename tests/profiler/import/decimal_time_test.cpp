#include "profiler/import/decimal_time.h"

#include <gtest/gtest.h>
#include <string>

namespace quintet {
namespace {

struct TimeCase {
  std::string_view text;
  std::int64_t ns;
};

TEST(DecimalTime, KeepsEveryNanosecondOfNineteenDigits) {
  for (const TimeCase& each : {
           TimeCase{"1672924881307000.123", 1672924881307000123},
           TimeCase{"5123964733550.284", 5123964733550284},
           TimeCase{"1672924881307000", 1672924881307000000},
           TimeCase{"9223372036854775.807", 9223372036854775807},
           TimeCase{"0.001", 1},
           TimeCase{"100.7", 100700},
           TimeCase{"0.2", 200},
           TimeCase{"0", 0},
           TimeCase{"-0.0", 0},
           TimeCase{"-12.345", -12345},
           TimeCase{"+7", 7000},
           TimeCase{".5", 500},
           TimeCase{"5.", 5000},
           TimeCase{"000000000000000000000000000001.5", 1500},
       }) {
    const DecimalTime time = nanos_from_micros(each.text);
    EXPECT_EQ(time.state, DecimalTime::State::known) << each.text;
    EXPECT_EQ(time.ns, each.ns) << each.text;
  }
}

TEST(DecimalTime, RoundsWhatIsFinerThanANanosecondToTheNearestOne) {
  for (const TimeCase& each : {
           TimeCase{"0.0004999", 0},
           TimeCase{"0.0005", 1},
           TimeCase{"-0.0005", -1},
           TimeCase{"2.7182818284590452353602874713527", 2718},
           TimeCase{"0.00000000000000000000000000000001", 0},
       }) {
    EXPECT_EQ(nanos_from_micros(each.text).ns, each.ns) << each.text;
  }
}

TEST(DecimalTime, UnderstandsExponents) {
  for (const TimeCase& each : {
           TimeCase{"1.5e3", 1500000},
           TimeCase{"1500E-3", 1500},
           TimeCase{"1e-400", 0},
           TimeCase{"0e999999999999", 0},
           TimeCase{"1.672924881307000123E+15", 1672924881307000123},
       }) {
    EXPECT_EQ(nanos_from_micros(each.text).ns, each.ns) << each.text;
  }
}

TEST(DecimalTime, TellsWhatDoesNotFitRatherThanWrappingAround) {
  for (const std::string_view text :
       {"9223372036854775.808", "1e300", "99999999999999999999999999", "1e999999999999"}) {
    const DecimalTime time = nanos_from_micros(text);
    EXPECT_EQ(time.state, DecimalTime::State::out_of_range) << text;
    EXPECT_EQ(time.ns, INT64_MAX) << text;
  }
  EXPECT_EQ(nanos_from_micros("-1e300").ns, -INT64_MAX);
}

TEST(DecimalTime, CallsMissingWhatIsNoNumber) {
  for (const std::string_view text :
       {"", "NaN", "nan", "Infinity", "inf", "-", ".", "1.2.3", "0x10", "12abc", "1e", "null"}) {
    EXPECT_FALSE(nanos_from_micros(text).told()) << text;
  }
}

TEST(DecimalTime, ReadsWholeNumbersOfSixtyFourBitsExactly) {
  EXPECT_EQ(unsigned_from("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(unsigned_from("18446744073709551616"), std::nullopt);
  EXPECT_EQ(unsigned_from("-1"), std::nullopt);
  EXPECT_EQ(unsigned_from("1.0"), std::nullopt);
  EXPECT_EQ(signed_from("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(signed_from(""), std::nullopt);
}

}  // namespace
}  // namespace quintet
