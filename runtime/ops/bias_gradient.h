/// The bias gradient of convolutions and fully connected layers on the host: column sums of dY,
/// added to dB, or put there where the task overwrites it. (oneDNN's reduction has only a reference implementation.)
#pragma once

#include <cstdint>

#include "runtime/host/host_kernel.h"

namespace quintet {

/// dB[column] += sum over the rows of dY[rows, columns], slots {dY, dB}. Sums short runs in float
/// and the runs in double, in a fixed order.
class BiasGradientKernel final : public HostKernel {
 public:
  BiasGradientKernel(std::int64_t rows, std::int64_t columns);
  [[nodiscard]] std::uint64_t workspace_bytes() const override;
  void run(const TaskArgs& args, const RunContext& context) override;

 private:
  std::int64_t rows_;
  std::int64_t columns_;
  std::int64_t fold_;  ///< rows taken as one long row, so that few columns still fill vectors
};

}  // namespace quintet
