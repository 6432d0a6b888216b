/// More ops in double, as naive loops written from their definitions: activations, normalisation,
/// average-pooling, dropout. Gradients are of sum(dy * y), without accumulation.
#pragma once

#include "runtime/ops/activation.h"
#include "tests/support/reference_ops.h"

namespace quintet::reference {

/// f(x); `alpha` of LEAKY_RELU and ELU.
double activation(Activation function, double x, double alpha);
/// f'(x); at a kink that of the flat or lower side.
double activation_slope(Activation function, double x, double alpha);
Values activation_forward(Activation function, const Values& x, double alpha);
/// What forward keeps: the mask of RELU6 and LEAKY_RELU, else f'(x).
Values activation_saved(Activation function, const Values& x, double alpha);
Values activation_backward(Activation function, const Values& dy, const Values& saved,
                           double alpha);

/// x[rows, channels].
struct BatchNormSizes {
  std::int64_t rows = 1, channels = 1;
};

Values batch_mean(const BatchNormSizes& s, const Values& x);
/// Sum of squared deviations over (rows - reduced_by); 0 where that is 0.
Values batch_variance(const BatchNormSizes& s, const Values& x, std::int64_t reduced_by);
Values batch_inv_std(const BatchNormSizes& s, const Values& x, double epsilon);
Values batch_norm_forward(const BatchNormSizes& s, const Values& x, const Values& gamma,
                          const Values& beta, double epsilon);
/// By the chain rule through the mean and the variance, from the saved mean and inv_std.
Values batch_norm_input_gradient(const BatchNormSizes& s, const Values& dy, const Values& x,
                                 const Values& gamma, const Values& mean, const Values& inv_std);
Values batch_norm_gamma_gradient(const BatchNormSizes& s, const Values& dy, const Values& x,
                                 const Values& mean, const Values& inv_std);
/// Rows of scale, then of shift.
Values batch_norm_eq(const Values& gamma, const Values& beta, const Values& running,
                     double epsilon);
Values batch_norm_inference(const BatchNormSizes& s, const Values& x, const Values& eq);

Values avgpool_forward(const WindowedSizes& s, const Values& x);
Values avgpool_backward(const WindowedSizes& s, const Values& dy);

/// x[images, pixels, channels].
struct GapSizes {
  std::int64_t images = 1, pixels = 1, channels = 1;
};

Values gap_forward(const GapSizes& s, const Values& x);
Values gap_backward(const GapSizes& s, const Values& dy);

/// 1 where element i of the step is kept.
Indices dropout_mask(const DropoutHyper& hyper, std::int64_t step, std::size_t count);
Values dropout(const DropoutHyper& hyper, const Values& x, const Indices& mask);

}  // namespace quintet::reference
