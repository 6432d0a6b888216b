#include "profiler/report/format.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

TEST(Format, DurationsTakeTheUnitThatGivesThreeDigits) {
  EXPECT_EQ(format_duration(0), "0 ns");
  EXPECT_EQ(format_duration(950), "950 ns");
  EXPECT_EQ(format_duration(1500), "1.50 us");
  EXPECT_EQ(format_duration(999'600), "1.00 ms");
  EXPECT_EQ(format_duration(18'400'000), "18.4 ms");
  EXPECT_EQ(format_duration(2.5e9), "2.50 s");
}

TEST(Format, OtherHints) {
  EXPECT_EQ(format_value(MetricHint::percentage, 0.4834), "48.3 %");
  EXPECT_EQ(format_value(MetricHint::percentage, 0.0001), "< 0.1 %");
  EXPECT_EQ(format_value(MetricHint::factor, 1.1875), "1.19x");
  EXPECT_EQ(format_value(MetricHint::rate, 34800.4), "34,800/s");
  EXPECT_EQ(format_value(MetricHint::bandwidth, 3.35e12), "3.35 TB/s");
  EXPECT_EQ(format_value(MetricHint::bandwidth, 64), "64 B/s");
  EXPECT_EQ(format_value(MetricHint::flop_rate, 8.5e11), "850 GFLOP/s");
  EXPECT_EQ(format_value(MetricHint::bytes, 64), "64 B");
  EXPECT_EQ(format_value(MetricHint::bytes, 7401472), "7.06 MiB");
  EXPECT_EQ(format_value(MetricHint::count, 7), "7");
  EXPECT_EQ(format_value(MetricHint::count, 1234567), "1,234,567");
}

TEST(Format, AnUnknownMetricIsNeverANumber) {
  EXPECT_EQ(format_metric(unknown_metric({}, "because")), "unknown");
  EXPECT_EQ(format_metric(absent_metric({}, "because")), "absent");
}

TEST(Format, KernelsAreCalledByWhatTellsThemApart) {
  EXPECT_EQ(short_kernel_name("void blas::(anonymous namespace)::gemm<float, 4>(blas::Args)"),
            "gemm<float, 4>");
  EXPECT_EQ(short_kernel_name("sm90_xmma_dgrad_implicit_gemm_f16f16"),
            "sm90_xmma_dgrad_implicit_gemm_f16f16");
  EXPECT_EQ(short_kernel_name("void at::native::vectorized<4, at::native::Add<float> >(int, F)"),
            "vectorized<4, at::native::Add<float> >");
  EXPECT_EQ(short_kernel_name(""), "");
  EXPECT_EQ(short_kernel_name("odd("), "odd");
  EXPECT_EQ(short_kernel_name("a::"), "a::");
}

TEST(Format, WidthsCountCodePointsNotBytes) {
  EXPECT_EQ(display_width("\u2588\u2588"), 2U);
  EXPECT_EQ(shorten("abcdef", 4), "abc\u2026");
  EXPECT_EQ(shorten("abcdef", 4, false), "abc~");
  EXPECT_EQ(shorten("\u2588\u2588\u2588", 2), "\u2588\u2026");
  EXPECT_EQ(shorten("abc", 3), "abc");
  EXPECT_EQ(pad_left("\u2588", 3), "  \u2588");
  EXPECT_EQ(pad_right("ab", 1), "ab");
}

}  // namespace
}  // namespace quintet
