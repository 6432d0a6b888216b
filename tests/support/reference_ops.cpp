#include "tests/support/reference_ops.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quintet::reference {

namespace {

/// Calls visit(n, i, j, r, q, y, x) for every output pixel (n,i,j) and cell (r,q) of its window; y
/// and x are pixel indices, x = -1 in the padding.
template <class Visit>
void for_each_cell(const WindowedSizes& s, Visit visit) {
  const Window& k = s.window;
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t i = 0; i < s.out_h; ++i) {
      for (std::int64_t j = 0; j < s.out_w; ++j) {
        for (std::int64_t r = 0; r < k.kernel_h; ++r) {
          for (std::int64_t q = 0; q < k.kernel_w; ++q) {
            const std::int64_t row = i * k.stride_h + r - k.pad_h;
            const std::int64_t column = j * k.stride_w + q - k.pad_w;
            const bool inside = row >= 0 && row < s.h && column >= 0 && column < s.w;
            const std::int64_t x = inside ? (n * s.h + row) * s.w + column : -1;
            visit(r * k.kernel_w + q, (n * s.out_h + i) * s.out_w + j, x);
          }
        }
      }
    }
  }
}

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

Values zeros(std::int64_t count) {
  return Values(at(count), 0.0);
}

double target_of(std::int64_t classes, std::int64_t label, std::int64_t k, double smoothing) {
  return (k == label ? 1 - smoothing : 0.0) + smoothing / static_cast<double>(classes);
}

}  // namespace

Values conv_forward(const WindowedSizes& s, const Values& x, const Values& w, const Values& b) {
  Values y = zeros(s.n * s.out_h * s.out_w * s.out_c);
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = b[i % b.size()];
  for_each_cell(s, [&](std::int64_t cell, std::int64_t to, std::int64_t from) {
    if (from < 0) return;
    for (std::int64_t c = 0; c < s.c; ++c) {
      for (std::int64_t o = 0; o < s.out_c; ++o)
        y[at(to * s.out_c + o)] += x[at(from * s.c + c)] * w[at((cell * s.c + c) * s.out_c + o)];
    }
  });
  return y;
}

Values conv_weight_gradient(const WindowedSizes& s, const Values& x, const Values& dy) {
  Values dw = zeros(s.window.kernel_h * s.window.kernel_w * s.c * s.out_c);
  for_each_cell(s, [&](std::int64_t cell, std::int64_t to, std::int64_t from) {
    if (from < 0) return;
    for (std::int64_t c = 0; c < s.c; ++c) {
      for (std::int64_t o = 0; o < s.out_c; ++o)
        dw[at((cell * s.c + c) * s.out_c + o)] += x[at(from * s.c + c)] * dy[at(to * s.out_c + o)];
    }
  });
  return dw;
}

Values conv_input_gradient(const WindowedSizes& s, const Values& dy, const Values& w) {
  Values dx = zeros(s.n * s.h * s.w * s.c);
  for_each_cell(s, [&](std::int64_t cell, std::int64_t to, std::int64_t from) {
    if (from < 0) return;
    for (std::int64_t c = 0; c < s.c; ++c) {
      for (std::int64_t o = 0; o < s.out_c; ++o)
        dx[at(from * s.c + c)] += dy[at(to * s.out_c + o)] * w[at((cell * s.c + c) * s.out_c + o)];
    }
  });
  return dx;
}

Values bias_gradient(std::int64_t columns, const Values& dy) {
  Values db = zeros(columns);
  for (std::size_t i = 0; i < dy.size(); ++i)
    db[i % db.size()] += dy[i];
  return db;
}

Values fc_forward(const FcSizes& s, const Values& x, const Values& w, const Values& b) {
  Values y = zeros(s.n * s.o);
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t o = 0; o < s.o; ++o) {
      y[at(n * s.o + o)] = b[at(o)];
      for (std::int64_t i = 0; i < s.i; ++i)
        y[at(n * s.o + o)] += x[at(n * s.i + i)] * w[at(i * s.o + o)];
    }
  }
  return y;
}

Values fc_weight_gradient(const FcSizes& s, const Values& x, const Values& dy) {
  Values dw = zeros(s.i * s.o);
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t i = 0; i < s.i; ++i) {
      for (std::int64_t o = 0; o < s.o; ++o)
        dw[at(i * s.o + o)] += x[at(n * s.i + i)] * dy[at(n * s.o + o)];
    }
  }
  return dw;
}

Values fc_input_gradient(const FcSizes& s, const Values& dy, const Values& w) {
  Values dx = zeros(s.n * s.i);
  for (std::int64_t n = 0; n < s.n; ++n) {
    for (std::int64_t i = 0; i < s.i; ++i) {
      for (std::int64_t o = 0; o < s.o; ++o)
        dx[at(n * s.i + i)] += dy[at(n * s.o + o)] * w[at(i * s.o + o)];
    }
  }
  return dx;
}

Values relu_forward(const Values& x) {
  Values y;
  for (const double value : x)
    y.push_back(std::max(value, 0.0));
  return y;
}

Indices relu_mask(const Values& x) {
  Indices mask;
  for (const double value : x)
    mask.push_back(value > 0 ? 1 : 0);
  return mask;
}

Values relu_backward(const Values& dy, const Indices& mask) {
  Values dx;
  for (std::size_t i = 0; i < dy.size(); ++i)
    dx.push_back(mask[i] != 0 ? dy[i] : 0.0);
  return dx;
}

Indices maxpool_argmax(const WindowedSizes& s, const Values& x) {
  const std::size_t outputs = at(s.n * s.out_h * s.out_w * s.c);
  Indices argmax(outputs, -1);
  Values best(outputs, -std::numeric_limits<double>::infinity());
  for_each_cell(s, [&](std::int64_t cell, std::int64_t to, std::int64_t from) {
    if (from < 0) return;
    for (std::int64_t c = 0; c < s.c; ++c) {
      const double value = x[at(from * s.c + c)];
      if (value <= best[at(to * s.c + c)]) continue;
      best[at(to * s.c + c)] = value;
      argmax[at(to * s.c + c)] = cell;
    }
  });
  return argmax;
}

Values maxpool_forward(const WindowedSizes& s, const Values& x) {
  Values y(at(s.n * s.out_h * s.out_w * s.c), -std::numeric_limits<double>::infinity());
  for_each_cell(s, [&](std::int64_t /*cell*/, std::int64_t to, std::int64_t from) {
    if (from < 0) return;
    for (std::int64_t c = 0; c < s.c; ++c)
      y[at(to * s.c + c)] = std::max(y[at(to * s.c + c)], x[at(from * s.c + c)]);
  });
  return y;
}

Values maxpool_backward(const WindowedSizes& s, const Values& dy, const Indices& argmax) {
  Values dx = zeros(s.n * s.h * s.w * s.c);
  for_each_cell(s, [&](std::int64_t cell, std::int64_t to, std::int64_t from) {
    for (std::int64_t c = 0; c < s.c; ++c) {
      if (argmax[at(to * s.c + c)] == cell) dx.at(at(from * s.c + c)) += dy[at(to * s.c + c)];
    }
  });
  return dx;
}

Values softmax(std::int64_t classes, const Values& logits) {
  Values p(logits.size());
  for (std::size_t row = 0; row < logits.size(); row += at(classes)) {
    const auto begin = logits.begin() + static_cast<std::ptrdiff_t>(row);
    const double largest = *std::max_element(begin, begin + classes);
    double sum = 0;
    for (std::size_t k = row; k < row + at(classes); ++k)
      sum += std::exp(logits[k] - largest);
    for (std::size_t k = row; k < row + at(classes); ++k)
      p[k] = std::exp(logits[k] - largest) / sum;
  }
  return p;
}

Values cross_entropy(std::int64_t classes, const Values& logits, const Indices& labels,
                     double smoothing) {
  const Values p = softmax(classes, logits);
  Values losses;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    double loss = 0;
    for (std::int64_t k = 0; k < classes; ++k) {
      const double target = target_of(classes, labels[n], k, smoothing);
      if (target > 0) loss -= target * std::log(p[n * at(classes) + at(k)]);
    }
    losses.push_back(loss);
  }
  return losses;
}

Values softmax_ce_backward(std::int64_t classes, const Values& probabilities, const Indices& labels,
                           double smoothing) {
  Values dz = probabilities;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    for (std::int64_t k = 0; k < classes; ++k)
      dz[n * at(classes) + at(k)] -= target_of(classes, labels[n], k, smoothing);
  }
  for (double& value : dz)
    value /= static_cast<double>(labels.size());
  return dz;
}

Values metrics(std::int64_t classes, const Values& losses, const Values& probabilities,
               const Indices& labels) {
  double sum = 0;
  double hits = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    sum += losses[n];
    std::int64_t guess = 0;
    for (std::int64_t k = 1; k < classes; ++k) {
      const std::size_t row = n * at(classes);
      if (probabilities[row + at(k)] > probabilities[row + at(guess)]) guess = k;
    }
    hits += guess == labels[n] ? 1 : 0;
  }
  return {sum / static_cast<double>(labels.size()), hits};
}

void sgd(const SgdHyper& hyper, double lr, const Values& gradients, Values& weights,
         Values& momentum) {
  const auto mu = static_cast<double>(hyper.momentum);
  const auto decay = static_cast<double>(hyper.weight_decay);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double gradient = gradients[i] + decay * weights[i];
    momentum[i] = mu * momentum[i] + gradient;
    weights[i] -= lr * (hyper.nesterov ? gradient + mu * momentum[i] : momentum[i]);
  }
}

}  // namespace quintet::reference
