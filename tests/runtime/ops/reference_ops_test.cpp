// The references are themselves tested: each backward against central differences of its forward.
#include "tests/support/reference_ops.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

#include "runtime/ops/conv.h"
#include "runtime/ops/maxpool.h"
#include "tests/runtime/ops/slope_check.h"
#include "tests/support/random.h"

namespace quintet {

namespace {

using reference::FcSizes;
using reference::Indices;
using reference::Values;
using reference::WindowedSizes;

constexpr int kOpShapes = 25;

WindowedSizes random_sizes(TestRandom& random, bool pooling) {
  for (;;) {
    WindowedSizes s;
    s.n = random.integer(1, 3);
    s.h = random.integer(1, 9);
    s.w = random.integer(1, 9);
    s.c = random.integer(1, 4);
    s.window = {random.integer(1, 4), random.integer(1, 4), random.integer(1, 3),
                random.integer(1, 3), random.integer(0, 2), random.integer(0, 2)};
    const Shape x{s.n, s.h, s.w, s.c};
    const Result<Shape> y = pooling ? pool_output_shape(x, s.window)
                                    : conv_output_shape(x, s.window, random.integer(1, 5));
    if (!y) continue;
    s.out_h = y->dim(1);
    s.out_w = y->dim(2);
    s.out_c = y->dim(3);
    return s;
  }
}

std::size_t inputs_of(const WindowedSizes& s) {
  return static_cast<std::size_t>(s.n * s.h * s.w * s.c);
}
std::size_t outputs_of(const WindowedSizes& s) {
  return static_cast<std::size_t>(s.n * s.out_h * s.out_w * s.out_c);
}

TEST(ReferenceConv, GradientsAreTheSlopesOfTheForward) {
  TestRandom random(1);
  for (int i = 0; i < kOpShapes; ++i) {
    const WindowedSizes s = random_sizes(random, false);
    const Values x = random.reals(inputs_of(s), -1, 1);
    const Values w = random.reals(
        static_cast<std::size_t>(s.window.kernel_h * s.window.kernel_w * s.c * s.out_c), -1, 1);
    const Values b = random.reals(static_cast<std::size_t>(s.out_c), -1, 1);
    const Values dy = random.reals(outputs_of(s), 0.5, 1.5);
    const auto of_x = [&](const Values& at) { return dot(dy, conv_forward(s, at, w, b)); };
    const auto of_w = [&](const Values& at) { return dot(dy, conv_forward(s, x, at, b)); };
    const auto of_b = [&](const Values& at) { return dot(dy, conv_forward(s, x, w, at)); };
    // Linear in each argument: a large step has no error of its own.
    EXPECT_LE(error_along_a_direction(of_x, x, conv_input_gradient(s, dy, w), 0.5, random),
              kSlopeTolerance);
    EXPECT_LE(error_along_a_direction(of_w, w, conv_weight_gradient(s, x, dy), 0.5, random),
              kSlopeTolerance);
    EXPECT_LE(error_along_a_direction(of_b, b, reference::bias_gradient(s.out_c, dy), 0.5, random),
              kSlopeTolerance);
  }
}

TEST(ReferenceConv, MatchesAHandComputedExample) {
  // One 2x3 image, one 2x2 kernel, no padding: two outputs.
  const WindowedSizes s{1, 2, 3, 1, 1, 2, 1, Window{2, 2, 1, 1, 0, 0}};
  EXPECT_EQ(conv_forward(s, {1, 2, 3, 4, 5, 6}, {1, 10, 100, 1000}, {7}),
            (Values{7 + 1 + 20 + 400 + 5000, 7 + 2 + 30 + 500 + 6000}));
}

TEST(ReferenceFc, GradientsAreTheSlopesOfTheForward) {
  TestRandom random(2);
  for (int i = 0; i < kOpShapes; ++i) {
    const FcSizes s{random.integer(1, 5), random.integer(1, 20), random.integer(1, 12)};
    const Values x = random.reals(static_cast<std::size_t>(s.n * s.i), -1, 1);
    const Values w = random.reals(static_cast<std::size_t>(s.i * s.o), -1, 1);
    const Values b = random.reals(static_cast<std::size_t>(s.o), -1, 1);
    const Values dy = random.reals(static_cast<std::size_t>(s.n * s.o), 0.5, 1.5);
    const auto of_x = [&](const Values& at) { return dot(dy, fc_forward(s, at, w, b)); };
    const auto of_w = [&](const Values& at) { return dot(dy, fc_forward(s, x, at, b)); };
    const auto of_b = [&](const Values& at) { return dot(dy, fc_forward(s, x, w, at)); };
    EXPECT_LE(error_along_a_direction(of_x, x, fc_input_gradient(s, dy, w), 0.5, random),
              kSlopeTolerance);
    EXPECT_LE(error_along_a_direction(of_w, w, fc_weight_gradient(s, x, dy), 0.5, random),
              kSlopeTolerance);
    EXPECT_LE(error_along_a_direction(of_b, b, reference::bias_gradient(s.o, dy), 0.5, random),
              kSlopeTolerance);
  }
}

TEST(ReferenceRelu, GradientIsTheSlopeAwayFromTheKink) {
  TestRandom random(3);
  for (int i = 0; i < kOpShapes; ++i) {
    Values x = random.reals(static_cast<std::size_t>(random.integer(4, 200)), 0.1, 1);
    for (double& value : x)
      value *= random.integer(0, 1) == 0 ? 1 : -1;
    x[0] = 0.5;  // one at least passes
    const Values dy = random.reals(x.size(), -1, 1);
    const auto f = [&](const Values& at) { return dot(dy, reference::relu_forward(at)); };
    const Values dx = reference::relu_backward(dy, reference::relu_mask(x));
    EXPECT_LE(error_along_a_direction(f, x, dx, 0.05, random), kSlopeTolerance);
  }
}

TEST(ReferenceMaxpool, GradientIsTheSlopeWhereTheLargestIsClear) {
  TestRandom random(4);
  for (int i = 0; i < kOpShapes; ++i) {
    const WindowedSizes s = random_sizes(random, true);
    // Distinct values 0.01 apart, in random order, below zero too: the padding must not win.
    Values x(inputs_of(s));
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k] = 0.01 * static_cast<double>(k) - 1;
    std::shuffle(x.begin(), x.end(), random.engine());
    const Values dy = random.reals(outputs_of(s), -1, 1);
    const auto f = [&](const Values& at) { return dot(dy, maxpool_forward(s, at)); };
    const Values dx = maxpool_backward(s, dy, maxpool_argmax(s, x));
    EXPECT_LE(error_along_a_direction(f, x, dx, 0.004, random), kSlopeTolerance);
  }
}

TEST(ReferenceMaxpool, MatchesAHandComputedExample) {
  // 2x2 windows with stride 1 and one column of padding at each side.
  const WindowedSizes s{1, 2, 2, 1, 1, 3, 1, Window{2, 2, 1, 1, 0, 1}};
  const Values x = {-1, -2, -3, -4};
  EXPECT_EQ(maxpool_forward(s, x), (Values{-1, -1, -2}));
  EXPECT_EQ(maxpool_argmax(s, x), (Indices{1, 0, 0}));
  EXPECT_EQ(maxpool_backward(s, {10, 100, 1000}, {1, 0, 0}), (Values{110, 1000, 0, 0}));
}

TEST(ReferenceSoftmaxCe, GradientIsTheSlopeOfTheMeanLoss) {
  TestRandom random(5);
  for (int i = 0; i < kOpShapes; ++i) {
    const std::int64_t samples = random.integer(1, 8);
    const std::int64_t classes = random.integer(2, 12);
    const Values z = random.reals(static_cast<std::size_t>(samples * classes), -3, 3);
    Indices labels;
    for (std::int64_t n = 0; n < samples; ++n)
      labels.push_back(random.integer(0, classes - 1));
    const double smoothing = i % 2 == 0 ? 0.0 : random.real(0, 0.9);
    const auto mean_loss = [&](const Values& at) {
      const Values losses = reference::cross_entropy(classes, at, labels, smoothing);
      return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(samples);
    };
    const Values dz =
        reference::softmax_ce_backward(classes, reference::softmax(classes, z), labels, smoothing);
    EXPECT_LE(error_along_a_direction(mean_loss, z, dz, 1e-5, random), kSlopeTolerance);
  }
}

TEST(ReferenceSgd, MatchesAHandComputedStep) {
  Values w = {2};
  Values m = {4};
  reference::sgd(SgdHyper{0.5F, 0.25F, false}, 0.125, {3}, w, m);
  EXPECT_EQ(m[0], 0.5 * 4 + 3 + 0.5);
  EXPECT_EQ(w[0], 2 - 0.125 * 5.5);
  w = {2};
  m = {4};
  reference::sgd(SgdHyper{0.5F, 0.25F, true}, 0.125, {3}, w, m);
  EXPECT_EQ(w[0], 2 - 0.125 * (3.5 + 0.5 * 5.5));
}

}  // namespace

}  // namespace quintet
