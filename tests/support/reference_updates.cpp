#include "tests/support/reference_updates.h"

#include <cmath>

namespace quintet::reference {

namespace {

double norm(const Values& values) {
  double sum = 0;
  for (const double value : values)
    sum += value * value;
  return std::sqrt(sum);
}

}  // namespace

void adam(const AdamHyper& hyper, bool decoupled, double lr, const Values& correction,
          const Values& gradients, Values& weights, Values& momentum, Values& variance) {
  const auto beta1 = static_cast<double>(hyper.beta1);
  const auto beta2 = static_cast<double>(hyper.beta2);
  const auto decay = static_cast<double>(hyper.weight_decay);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    double gradient = gradients[i];
    if (decoupled) {
      weights[i] -= lr * decay * weights[i];
    } else {
      gradient += decay * weights[i];
    }
    momentum[i] = beta1 * momentum[i] + (1 - beta1) * gradient;
    variance[i] = beta2 * variance[i] + (1 - beta2) * gradient * gradient;
    const double root = std::sqrt(variance[i] * correction[1]);
    weights[i] -= lr * momentum[i] * correction[0] / (root + static_cast<double>(hyper.epsilon));
  }
}

Values adam_correction(const AdamHyper& hyper, double t) {
  return {1 / (1 - std::pow(static_cast<double>(hyper.beta1), t)),
          1 / (1 - std::pow(static_cast<double>(hyper.beta2), t))};
}

void lars(const LarsHyper& hyper, double lr, const Values& gradients, Values& weights,
          Values& momentum) {
  const double w = norm(weights);
  const double g = norm(gradients);
  const auto decay = static_cast<double>(hyper.weight_decay);
  const double trust = w == 0 || g == 0 ? 1.0
                                        : static_cast<double>(hyper.trust) * w /
                                              (g + decay * w + static_cast<double>(hyper.epsilon));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    momentum[i] =
        static_cast<double>(hyper.momentum) * momentum[i] + gradients[i] + decay * weights[i];
    weights[i] -= lr * trust * momentum[i];
  }
}

}  // namespace quintet::reference
