// The references of activations, normalisation, average-pooling and dropout are themselves tested.
#include "tests/support/reference_layers.h"

#include <cmath>
#include <gtest/gtest.h>

#include "runtime/ops/avgpool.h"
#include "tests/runtime/ops/slope_check.h"

namespace quintet {

namespace {

using reference::BatchNormSizes;
using reference::GapSizes;
using reference::Indices;
using reference::Values;
using reference::WindowedSizes;

constexpr int kLayerShapes = 25;

constexpr Activation kActivations[] = {
    Activation::RELU6,   Activation::LEAKY_RELU, Activation::TANH, Activation::SILU,
    Activation::SIGMOID, Activation::HARDSWISH,  Activation::ELU};

/// Away from the kinks at -3, 0, 3 and 6.
double smooth_argument(TestRandom& random) {
  for (;;) {
    const double x = random.real(-8, 8);
    const bool near =
        std::abs(x) < 0.05 || std::abs(std::abs(x) - 3) < 0.05 || std::abs(x - 6) < 0.05;
    if (!near) return x;
  }
}

TEST(ReferenceActivation, GradientIsTheSlopeAwayFromTheKinks) {
  TestRandom random(31);
  for (const Activation function : kActivations) {
    for (int i = 0; i < kLayerShapes; ++i) {
      const double alpha = random.real(0.01, 1.5);
      Values x(static_cast<std::size_t>(random.integer(4, 200)));
      for (double& value : x)
        value = smooth_argument(random);
      x[0] = 0.5;  // one at least has a slope
      const Values dy = random.reals(x.size(), 0.1, 1);
      const auto f = [&](const Values& at) {
        return dot(dy, reference::activation_forward(function, at, alpha));
      };
      const Values dx = reference::activation_backward(
          function, dy, reference::activation_saved(function, x, alpha), alpha);
      EXPECT_LE(error_along_a_direction(f, x, dx, 1e-5, random), kSlopeTolerance)
          << static_cast<int>(function);
    }
  }
}

TEST(ReferenceBatchNorm, GradientsAreTheSlopesOfTheForward) {
  TestRandom random(32);
  for (int i = 0; i < kLayerShapes; ++i) {
    const BatchNormSizes s{random.integer(1, 40), random.integer(1, 9)};
    const auto channels = static_cast<std::size_t>(s.channels);
    const double epsilon = random.real(0.01, 0.1);
    const Values x = random.reals(static_cast<std::size_t>(s.rows) * channels, -1, 1);
    const Values gamma = random.reals(channels, 0.5, 1.5);
    const Values beta = random.reals(channels, -1, 1);
    const Values dy = random.reals(x.size(), -1, 1);
    const Values mean = reference::batch_mean(s, x);
    const Values inv_std = reference::batch_inv_std(s, x, epsilon);
    const auto of_x = [&](const Values& at) {
      return dot(dy, batch_norm_forward(s, at, gamma, beta, epsilon));
    };
    const auto of_gamma = [&](const Values& at) {
      return dot(dy, batch_norm_forward(s, x, at, beta, epsilon));
    };
    const auto of_beta = [&](const Values& at) {
      return dot(dy, batch_norm_forward(s, x, gamma, at, epsilon));
    };
    EXPECT_LE(error_along_a_direction(
                  of_x, x, batch_norm_input_gradient(s, dy, x, gamma, mean, inv_std), 1e-5, random),
              kSlopeTolerance);
    EXPECT_LE(error_along_a_direction(
                  of_gamma, gamma, batch_norm_gamma_gradient(s, dy, x, mean, inv_std), 0.5, random),
              kSlopeTolerance);
    EXPECT_LE(error_along_a_direction(of_beta, beta, reference::bias_gradient(s.channels, dy), 0.5,
                                      random),
              kSlopeTolerance);
  }
}

TEST(ReferenceBatchNorm, InferenceWithTheStatisticsOfTheBatchIsTheForward) {
  TestRandom random(33);
  const BatchNormSizes s{7, 3};
  const Values x = random.reals(21, -1, 1);
  const Values gamma = random.reals(3, -1, 1);
  const Values beta = random.reals(3, -1, 1);
  Values running = batch_mean(s, x);
  for (const double variance : batch_variance(s, x, 0))
    running.push_back(variance);
  const Values wanted = batch_norm_forward(s, x, gamma, beta, 0.01);
  const Values got =
      batch_norm_inference(s, x, reference::batch_norm_eq(gamma, beta, running, 0.01));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i], 1e-12);
}

WindowedSizes random_pool(TestRandom& random) {
  for (;;) {
    WindowedSizes s;
    s.n = random.integer(1, 3);
    s.h = random.integer(1, 9);
    s.w = random.integer(1, 9);
    s.c = s.out_c = random.integer(1, 4);
    s.window = {random.integer(1, 4), random.integer(1, 4), random.integer(1, 3),
                random.integer(1, 3), random.integer(0, 2), random.integer(0, 2)};
    const Result<Shape> y = avgpool_output_shape(Shape{s.n, s.h, s.w, s.c}, s.window);
    if (!y) continue;
    s.out_h = y->dim(1);
    s.out_w = y->dim(2);
    return s;
  }
}

TEST(ReferenceAvgpool, GradientIsTheSlopeOfTheForward) {
  TestRandom random(34);
  for (int i = 0; i < kLayerShapes; ++i) {
    const WindowedSizes s = random_pool(random);
    const Values x = random.reals(static_cast<std::size_t>(s.n * s.h * s.w * s.c), -1, 1);
    const Values dy =
        random.reals(static_cast<std::size_t>(s.n * s.out_h * s.out_w * s.c), 0.5, 1.5);
    const auto f = [&](const Values& at) { return dot(dy, avgpool_forward(s, at)); };
    EXPECT_LE(error_along_a_direction(f, x, avgpool_backward(s, dy), 0.5, random), kSlopeTolerance);
  }
}

TEST(ReferenceAvgpool, DoesNotCountThePadding) {
  // 2x2 windows with stride 1 and one column of padding at each side.
  const WindowedSizes s{1, 2, 2, 1, 1, 3, 1, Window{2, 2, 1, 1, 0, 1}};
  EXPECT_EQ(avgpool_forward(s, {1, 2, 3, 4}), (Values{2, 2.5, 3}));
  EXPECT_EQ(avgpool_backward(s, {2, 4, 8}), (Values{1 + 1, 1 + 4, 1 + 1, 1 + 4}));
}

TEST(ReferenceGap, GradientIsTheSlopeOfTheForward) {
  TestRandom random(35);
  for (int i = 0; i < kLayerShapes; ++i) {
    const GapSizes s{random.integer(1, 4), random.integer(1, 60), random.integer(1, 7)};
    const Values x =
        random.reals(static_cast<std::size_t>(s.images * s.pixels * s.channels), -1, 1);
    const Values dy = random.reals(static_cast<std::size_t>(s.images * s.channels), 0.5, 1.5);
    const auto f = [&](const Values& at) { return dot(dy, gap_forward(s, at)); };
    EXPECT_LE(error_along_a_direction(f, x, gap_backward(s, dy), 0.5, random), kSlopeTolerance);
  }
}

TEST(ReferenceDropout, GradientIsTheSlopeUnderOneMask) {
  TestRandom random(36);
  for (int i = 0; i < kLayerShapes; ++i) {
    const DropoutHyper hyper{0.3F, random.engine()()};
    const Values x = random.reals(50, -1, 1);
    const Values dy = random.reals(50, 0.5, 1.5);
    const Indices mask = reference::dropout_mask(hyper, i, x.size());
    const auto f = [&](const Values& at) { return dot(dy, reference::dropout(hyper, at, mask)); };
    EXPECT_LE(error_along_a_direction(f, x, reference::dropout(hyper, dy, mask), 0.5, random),
              kSlopeTolerance);
  }
}

TEST(ReferenceSoftmaxCe, MatchesFiguresOfLabelSmoothingFromNumPy) {
  const Values z = {1.0, -0.5, 2.0, 0.25, 0.75, -1.0};
  const double smoothing = static_cast<double>(0.1F);
  const Values losses = reference::cross_entropy(3, z, {2, 0}, smoothing);
  EXPECT_NEAR(losses[0], 0.48820570025781823, 1e-14);
  EXPECT_NEAR(losses[1], 1.1017844754087625, 1e-14);
}

}  // namespace

}  // namespace quintet
