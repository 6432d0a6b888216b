#include "runtime/ops/bias_gradient.h"

#include <algorithm>
#include <cassert>

namespace quintet {

namespace {

// Long rows of about 64 floats are added as vectors; 32 of them in float before double takes over.
constexpr std::int64_t kRowFloats = 64;
constexpr std::int64_t kRun = 32;

void add_rows(const float* rows, std::int64_t count, std::int64_t width,
              float* __restrict partial) {
  for (std::int64_t row = 0; row < count; ++row) {
    const float* __restrict values = rows + row * width;
    for (std::int64_t i = 0; i < width; ++i)
      partial[i] += values[i];
  }
}

}  // namespace

BiasGradientKernel::BiasGradientKernel(std::int64_t rows, std::int64_t columns)
    : rows_(rows), columns_(columns), fold_(std::max<std::int64_t>(1, kRowFloats / columns)) {}

std::uint64_t BiasGradientKernel::workspace_bytes() const {
  const auto width = static_cast<std::uint64_t>(fold_ * columns_);
  return width * (sizeof(double) + sizeof(float));
}

void BiasGradientKernel::run(const TaskArgs& args, const RunContext& /*context*/) {
  assert(args.workspace().size() >= workspace_bytes());
  const std::int64_t width = fold_ * columns_;
  auto* const total = reinterpret_cast<double*>(args.workspace().data());
  auto* const partial = reinterpret_cast<float*>(total + width);
  std::fill_n(total, width, 0.0);

  const auto* const dy = args.read<float>(0);
  const std::int64_t long_rows = rows_ / fold_;
  for (std::int64_t row = 0; row < long_rows; row += kRun) {
    std::fill_n(partial, width, 0.0F);
    add_rows(dy + row * width, std::min(kRun, long_rows - row), width, partial);
    for (std::int64_t i = 0; i < width; ++i)
      total[i] += static_cast<double>(partial[i]);
  }
  const std::int64_t rest = (rows_ - long_rows * fold_) * columns_;
  for (std::int64_t i = 0; i < rest; ++i)
    total[i] += static_cast<double>(dy[long_rows * width + i]);

  auto* const db = args.write<float>(1);
  for (std::int64_t column = 0; column < columns_; ++column) {
    double sum = 0;
    for (std::int64_t i = column; i < width; i += columns_)
      sum += total[i];
    db[column] = (args.adds(1) ? db[column] : 0.0F) + static_cast<float>(sum);
  }
}

}  // namespace quintet
