#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/ops/conv.h"
#include "runtime/ops/fc.h"
#include "runtime/ops/flatten.h"
#include "runtime/ops/maxpool.h"

namespace quintet {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const Shape kImages{2, 28, 28, 1};

template <class T>
std::string message_of(const Result<T>& result) {
  return result ? std::string("no error") : to_string(result.error());
}

TEST(ConvOutputShape, FollowsKernelStrideAndPadding) {
  EXPECT_EQ(*conv_output_shape(kImages, Window{5, 5, 1, 1, 2, 2}, 6), (Shape{2, 28, 28, 6}));
  EXPECT_EQ(*conv_output_shape(kImages, Window{5, 3, 1, 2, 0, 1}, 4), (Shape{2, 24, 14, 4}));
  EXPECT_EQ(*conv_output_shape(kImages, Window{3, 3, 2, 2, 0, 0}, 1), (Shape{2, 13, 13, 1}));
  EXPECT_EQ(*conv_output_shape(Shape{1, 3, 3, 8}, Window{3, 3, 1, 1, 0, 0}, 5),
            (Shape{1, 1, 1, 5}));
}

TEST(ConvOutputShape, RefusesAKernelLargerThanThePaddedInput) {
  const auto shape = conv_output_shape(kImages, Window{5, 33, 1, 1, 2, 2}, 6);
  EXPECT_THAT(message_of(shape), AllOf(HasSubstr("kernel 33"), HasSubstr("width 28"),
                                       HasSubstr("padding 2"), HasSubstr("at most 32")));
}

TEST(ConvOutputShape, RefusesFiguresOutOfRangeWithTheNumbers) {
  EXPECT_THAT(message_of(conv_output_shape(kImages, Window{5, 5, 0, 1, 0, 0}, 6)),
              HasSubstr("convolution has stride 0 along the height"));
  EXPECT_THAT(message_of(conv_output_shape(kImages, Window{5, 5, 1, -1, 0, 0}, 6)),
              HasSubstr("stride -1 along the width"));
  EXPECT_THAT(message_of(conv_output_shape(kImages, Window{0, 5, 1, 1, 0, 0}, 6)),
              HasSubstr("kernel 0 along the height"));
  EXPECT_THAT(message_of(conv_output_shape(kImages, Window{5, 5, 1, 1, 0, -3}, 6)),
              HasSubstr("padding -3 along the width"));
  EXPECT_THAT(message_of(conv_output_shape(kImages, Window{5, 5, 1, 1, INT64_MAX, 0}, 6)),
              HasSubstr("padding 9223372036854775807"));
  EXPECT_THAT(message_of(conv_output_shape(kImages, Window{5, 5, 1, 1, 0, 0}, 0)),
              HasSubstr("0 output channels"));
  EXPECT_THAT(message_of(conv_output_shape(kImages, Window{5, 5, 1, 1, 0, 0}, INT64_MAX)),
              HasSubstr("9223372036854775807 output channels"));
}

TEST(ConvOutputShape, RefusesAFlatInput) {
  EXPECT_THAT(message_of(conv_output_shape(Shape{2, 784}, Window{}, 6)), HasSubstr("2x784"));
}

TEST(ConvWeightShape, IsHwio) {
  EXPECT_EQ(conv_weight_shape(Shape{2, 14, 14, 6}, Window{5, 3, 1, 1, 0, 0}, 16),
            (Shape{5, 3, 6, 16}));
}

TEST(PoolOutputShape, DropsWhatDoesNotFillAWindow) {
  EXPECT_EQ(*pool_output_shape(Shape{2, 7, 6, 3}, Window{2, 2, 2, 2, 0, 0}), (Shape{2, 3, 3, 3}));
  EXPECT_EQ(*pool_output_shape(Shape{2, 7, 6, 3}, Window{3, 3, 2, 2, 1, 1}), (Shape{2, 4, 3, 3}));
}

TEST(PoolOutputShape, RefusesAWindowWhoseIndexDoesNotFitTheArgmax) {
  EXPECT_TRUE(pool_output_shape(kImages, Window{15, 17, 1, 1, 0, 0}));
  EXPECT_THAT(message_of(pool_output_shape(kImages, Window{16, 16, 1, 1, 0, 0})),
              AllOf(HasSubstr("16x16 = 256 cells"), HasSubstr("255")));
}

TEST(PoolOutputShape, RefusesPaddingThatFillsAWholeWindow) {
  EXPECT_THAT(message_of(pool_output_shape(kImages, Window{2, 2, 1, 1, 2, 0})),
              HasSubstr("padding 2x0 with a kernel of 2x2"));
}

TEST(PoolOutputShape, RefusesAWindowThatDoesNotFit) {
  EXPECT_THAT(message_of(pool_output_shape(Shape{1, 2, 2, 4}, Window{3, 3, 1, 1, 0, 0})),
              HasSubstr("max-pooling with kernel 3 does not fit the height 2"));
}

TEST(FcOutputShape, TakesAnyRankFromTwo) {
  EXPECT_EQ(*fc_output_shape(Shape{8, 5, 5, 16}, 120), (Shape{8, 120}));
  EXPECT_EQ(fc_weight_shape(Shape{8, 5, 5, 16}, 120), (Shape{400, 120}));
  EXPECT_THAT(message_of(fc_output_shape(Shape{8}, 120)), HasSubstr("got 8"));
  EXPECT_THAT(message_of(fc_output_shape(Shape{8, 4}, 0)), HasSubstr("0 output features"));
}

TEST(FlattenOutputShape, KeepsTheBatchAndMultipliesTheRest) {
  EXPECT_EQ(*flatten_output_shape(Shape{8, 5, 5, 16}), (Shape{8, 400}));
  EXPECT_THAT(message_of(flatten_output_shape(Shape{})), HasSubstr("scalar"));
}

}  // namespace

}  // namespace quintet
