#include "tests/support/reference_layers.h"

#include <algorithm>
#include <cmath>

namespace quintet::reference {

namespace {

std::size_t cell_index(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

Values zero_values(std::int64_t count) {
  return Values(cell_index(count), 0.0);
}

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

bool keeps_mask(Activation function) {
  return function == Activation::RELU6 || function == Activation::LEAKY_RELU;
}

/// Calls visit(window, cells) for every window of every channel: its index in y, and the indices in
/// x of its cells inside the input.
template <class Visit>
void for_each_window(const WindowedSizes& s, Visit visit) {
  const Window& k = s.window;
  for (std::int64_t y = 0; y < s.n * s.out_h * s.out_w * s.c; ++y) {
    const std::int64_t channel = y % s.c;
    const std::int64_t j = y / s.c % s.out_w;
    const std::int64_t i = y / s.c / s.out_w % s.out_h;
    const std::int64_t n = y / s.c / s.out_w / s.out_h;
    std::vector<std::size_t> cells;
    for (std::int64_t row = i * k.stride_h - k.pad_h; row < i * k.stride_h - k.pad_h + k.kernel_h;
         ++row) {
      for (std::int64_t column = j * k.stride_w - k.pad_w;
           column < j * k.stride_w - k.pad_w + k.kernel_w; ++column) {
        if (row < 0 || row >= s.h || column < 0 || column >= s.w) continue;
        cells.push_back(cell_index(((n * s.h + row) * s.w + column) * s.c + channel));
      }
    }
    visit(cell_index(y), cells);
  }
}

/// Philox 4x32-10 from the paper's description, one round cell_index a time on whole words.
std::array<std::uint64_t, 4> philox(std::array<std::uint64_t, 4> counter,
                                    std::array<std::uint64_t, 2> key) {
  constexpr std::uint64_t kWord = 0xFFFFFFFF;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = counter[0] * 0xD2511F53U;
    const std::uint64_t b = counter[2] * 0xCD9E8D57U;
    counter = {(b >> 32) ^ counter[1] ^ key[0], b & kWord, (a >> 32) ^ counter[3] ^ key[1],
               a & kWord};
    key[0] = (key[0] + 0x9E3779B9U) & kWord;
    key[1] = (key[1] + 0xBB67AE85U) & kWord;
  }
  return counter;
}

}  // namespace

double activation(Activation function, double x, double alpha) {
  switch (function) {
    case Activation::RELU6:
      return std::clamp(x, 0.0, 6.0);
    case Activation::LEAKY_RELU:
      return x > 0 ? x : alpha * x;
    case Activation::TANH:
      return std::tanh(x);
    case Activation::SILU:
      return x * logistic(x);
    case Activation::SIGMOID:
      return logistic(x);
    case Activation::HARDSWISH:
      return x * std::clamp(x + 3, 0.0, 6.0) / 6;
    case Activation::ELU:
      return x > 0 ? x : alpha * std::expm1(x);
  }
  return 0;
}

double activation_slope(Activation function, double x, double alpha) {
  const double s = logistic(x);
  switch (function) {
    case Activation::RELU6:
      return x > 0 && x < 6 ? 1 : 0;
    case Activation::LEAKY_RELU:
      return x > 0 ? 1 : alpha;
    case Activation::TANH:
      return 1 / (std::cosh(x) * std::cosh(x));
    case Activation::SILU:
      return s + x * s * (1 - s);
    case Activation::SIGMOID:
      return s * (1 - s);
    case Activation::HARDSWISH:
      if (x <= -3) return 0;
      return x >= 3 ? 1 : (2 * x + 3) / 6;
    case Activation::ELU:
      return x > 0 ? 1 : alpha * std::exp(x);
  }
  return 0;
}

Values activation_forward(Activation function, const Values& x, double alpha) {
  Values y;
  for (const double value : x)
    y.push_back(activation(function, value, alpha));
  return y;
}

Values activation_saved(Activation function, const Values& x, double alpha) {
  Values saved;
  for (const double value : x) {
    const double slope = activation_slope(function, value, alpha);
    const double passes = function == Activation::LEAKY_RELU ? (value > 0 ? 1 : 0) : slope;
    saved.push_back(keeps_mask(function) ? passes : slope);
  }
  return saved;
}

Values activation_backward(Activation function, const Values& dy, const Values& saved,
                           double alpha) {
  Values dx;
  for (std::size_t i = 0; i < dy.size(); ++i) {
    const bool leaks = function == Activation::LEAKY_RELU && saved[i] == 0;
    dx.push_back(dy[i] * (leaks ? alpha : saved[i]));
  }
  return dx;
}

Values batch_mean(const BatchNormSizes& s, const Values& x) {
  Values mean = bias_gradient(s.channels, x);
  for (double& value : mean)
    value /= static_cast<double>(s.rows);
  return mean;
}

Values batch_variance(const BatchNormSizes& s, const Values& x, std::int64_t reduced_by) {
  const Values mean = batch_mean(s, x);
  Values variance = zero_values(s.channels);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double deviation = x[i] - mean[i % mean.size()];
    variance[i % mean.size()] += deviation * deviation;
  }
  for (double& value : variance)
    value = s.rows > reduced_by ? value / static_cast<double>(s.rows - reduced_by) : 0.0;
  return variance;
}

Values batch_inv_std(const BatchNormSizes& s, const Values& x, double epsilon) {
  Values inv_std = batch_variance(s, x, 0);
  for (double& value : inv_std)
    value = 1 / std::sqrt(value + epsilon);
  return inv_std;
}

Values batch_norm_forward(const BatchNormSizes& s, const Values& x, const Values& gamma,
                          const Values& beta, double epsilon) {
  const Values mean = batch_mean(s, x);
  const Values inv_std = batch_inv_std(s, x, epsilon);
  Values y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t c = i % mean.size();
    y.push_back((x[i] - mean[c]) * inv_std[c] * gamma[c] + beta[c]);
  }
  return y;
}

Values batch_norm_input_gradient(const BatchNormSizes& s, const Values& dy, const Values& x,
                                 const Values& gamma, const Values& mean, const Values& inv_std) {
  const auto rows = static_cast<double>(s.rows);
  Values of_variance = zero_values(s.channels);  // dL/d(variance)
  Values of_mean = zero_values(s.channels);      // dL/d(mean), the part through xhat
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t c = i % mean.size();
    const double of_xhat = dy[i] * gamma[c];
    of_variance[c] += of_xhat * (x[i] - mean[c]) * -0.5 * std::pow(inv_std[c], 3);
    of_mean[c] -= of_xhat * inv_std[c];
  }
  Values dx;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t c = i % mean.size();
    dx.push_back(dy[i] * gamma[c] * inv_std[c] + of_variance[c] * 2 * (x[i] - mean[c]) / rows +
                 of_mean[c] / rows);
  }
  return dx;
}

Values batch_norm_gamma_gradient(const BatchNormSizes& s, const Values& dy, const Values& x,
                                 const Values& mean, const Values& inv_std) {
  Values products;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t c = i % mean.size();
    products.push_back(dy[i] * (x[i] - mean[c]) * inv_std[c]);
  }
  return bias_gradient(s.channels, products);
}

Values batch_norm_eq(const Values& gamma, const Values& beta, const Values& running,
                     double epsilon) {
  const std::size_t channels = gamma.size();
  Values eq(2 * channels);
  for (std::size_t c = 0; c < channels; ++c) {
    eq[c] = gamma[c] / std::sqrt(running[channels + c] + epsilon);
    eq[channels + c] = beta[c] - running[c] * eq[c];
  }
  return eq;
}

Values batch_norm_inference(const BatchNormSizes& s, const Values& x, const Values& eq) {
  const std::size_t channels = cell_index(s.channels);
  Values y;
  for (std::size_t i = 0; i < x.size(); ++i)
    y.push_back(x[i] * eq[i % channels] + eq[channels + i % channels]);
  return y;
}

Values avgpool_forward(const WindowedSizes& s, const Values& x) {
  Values y = zero_values(s.n * s.out_h * s.out_w * s.c);
  for_each_window(s, [&](std::size_t to, const std::vector<std::size_t>& cells) {
    for (const std::size_t cell : cells)
      y[to] += x[cell] / static_cast<double>(cells.size());
  });
  return y;
}

Values avgpool_backward(const WindowedSizes& s, const Values& dy) {
  Values dx = zero_values(s.n * s.h * s.w * s.c);
  for_each_window(s, [&](std::size_t from, const std::vector<std::size_t>& cells) {
    for (const std::size_t cell : cells)
      dx[cell] += dy[from] / static_cast<double>(cells.size());
  });
  return dx;
}

Values gap_forward(const GapSizes& s, const Values& x) {
  Values y = zero_values(s.images * s.channels);
  for (std::int64_t i = 0; i < s.images * s.pixels * s.channels; ++i) {
    const std::int64_t image = i / s.channels / s.pixels;
    y[cell_index(image * s.channels + i % s.channels)] +=
        x[cell_index(i)] / static_cast<double>(s.pixels);
  }
  return y;
}

Values gap_backward(const GapSizes& s, const Values& dy) {
  Values dx = zero_values(s.images * s.pixels * s.channels);
  for (std::int64_t i = 0; i < s.images * s.pixels * s.channels; ++i) {
    const std::int64_t image = i / s.channels / s.pixels;
    dx[cell_index(i)] =
        dy[cell_index(image * s.channels + i % s.channels)] / static_cast<double>(s.pixels);
  }
  return dx;
}

Indices dropout_mask(const DropoutHyper& hyper, std::int64_t step, std::size_t count) {
  constexpr std::uint64_t kWord = 0xFFFFFFFF;
  const auto t = static_cast<std::uint64_t>(step);
  Indices mask;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto numbers = philox({(i / 4) & kWord, (i / 4) >> 32, t & kWord, t >> 32},
                                {hyper.seed & kWord, hyper.seed >> 32});
    const double drop_below = static_cast<double>(hyper.probability) * 4294967296.0;
    mask.push_back(static_cast<double>(numbers[i % 4]) >= std::floor(drop_below) ? 1 : 0);
  }
  return mask;
}

Values dropout(const DropoutHyper& hyper, const Values& x, const Indices& mask) {
  Values y;
  for (std::size_t i = 0; i < x.size(); ++i)
    y.push_back(mask[i] != 0 ? x[i] / (1 - static_cast<double>(hyper.probability)) : 0.0);
  return y;
}

}  // namespace quintet::reference
