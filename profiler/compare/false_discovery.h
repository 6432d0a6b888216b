/// Many tests at once: Benjamini and Hochberg's control of the false discovery rate.
#pragma once

#include <vector>

namespace quintet {

/// The adjusted p-value of each test, in the order given: rejecting all that are <= q keeps the
/// expected share of false rejections among the rejections at or below q.
std::vector<double> adjusted_p_values(const std::vector<double>& p_values);

}  // namespace quintet
