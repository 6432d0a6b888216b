/// The ops in double, as naive loops written from their definitions: what kernels are judged by.
/// Gradients are of sum(dy * y), without accumulation.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/model/op.h"

namespace quintet::reference {

using Values = std::vector<double>;
using Indices = std::vector<std::int64_t>;

/// x[n,h,w,c], y[n,out_h,out_w,out_c]; pooling has out_c = c.
struct WindowedSizes {
  std::int64_t n = 1, h = 1, w = 1, c = 1;
  std::int64_t out_h = 1, out_w = 1, out_c = 1;
  Window window;
};

Values conv_forward(const WindowedSizes& s, const Values& x, const Values& w, const Values& b);
Values conv_weight_gradient(const WindowedSizes& s, const Values& x, const Values& dy);
Values conv_input_gradient(const WindowedSizes& s, const Values& dy, const Values& w);
/// Sums dy over all but its last dimension of size `columns`; of fully connected layers too.
Values bias_gradient(std::int64_t columns, const Values& dy);

struct FcSizes {
  std::int64_t n = 1, i = 1, o = 1;
};

Values fc_forward(const FcSizes& s, const Values& x, const Values& w, const Values& b);
Values fc_weight_gradient(const FcSizes& s, const Values& x, const Values& dy);
Values fc_input_gradient(const FcSizes& s, const Values& dy, const Values& w);

Values relu_forward(const Values& x);
/// 1 where x > 0.
Indices relu_mask(const Values& x);
Values relu_backward(const Values& dy, const Indices& mask);

/// For each output the index in its window of the first largest cell.
Indices maxpool_argmax(const WindowedSizes& s, const Values& x);
Values maxpool_forward(const WindowedSizes& s, const Values& x);
Values maxpool_backward(const WindowedSizes& s, const Values& dy, const Indices& argmax);

Values softmax(std::int64_t classes, const Values& logits);
/// -sum(target * log p) of each sample; the target as LossHyper's comment has it.
Values cross_entropy(std::int64_t classes, const Values& logits, const Indices& labels,
                     double smoothing = 0);
/// Gradient of the mean loss with respect to the logits.
Values softmax_ce_backward(std::int64_t classes, const Values& probabilities, const Indices& labels,
                           double smoothing = 0);

/// {mean loss, number of samples whose first largest probability is the label's}.
Values metrics(std::int64_t classes, const Values& losses, const Values& probabilities,
               const Indices& labels);

/// One SGD step in place, as SgdHyper's comment has it.
void sgd(const SgdHyper& hyper, double lr, const Values& gradients, Values& weights,
         Values& momentum);

}  // namespace quintet::reference
