/// An op run on the host and on the GPU from the same bytes, and what the two made of it.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/runtime/ops/planned_cuda_op.h"
#include "tests/runtime/ops/planned_op.h"

namespace quintet {

struct CudaDuelist {
  OpCase op_case;
  std::vector<Op> ops;  ///< over the tensors of op_case
  Lowering lowering = Lowering::article;
};

/// Plans and runs both. All bits of what no task reads are 1 before (a NaN); the rest makes sense.
class CudaDuel {
 public:
  CudaDuel(CudaDuelist duelist, CudaTestDevice& device, TestRandom& random);
  /// Of one op.
  CudaDuel(const OpCase& op_case, CudaTestDevice& device, TestRandom& random)
      : CudaDuel({op_case, {op_case.op}, Lowering::article}, device, random) {}

  /// Expects agreement in all that the tasks write to their operands before slot `end`: integers
  /// are equal, numbers off by less than 1e-5 in FP32 and 5e-3 in FP16, relative to the norm.
  void expect_agreement(std::size_t end = std::numeric_limits<std::size_t>::max());
  /// Runs again, and kernels planned anew at other addresses, and expects the same bits.
  void expect_same_bits_again();

  [[nodiscard]] PlannedCudaOp& cuda() { return *cuda_; }
  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  void run(PlannedCudaOp& planned);

  CudaDuelist duelist_;
  CudaTestDevice& device_;
  std::string where_;
  std::unique_ptr<PlannedOp> host_;
  std::unique_ptr<PlannedCudaOp> cuda_;
  TaskArena before_;
  TaskArena after_;  ///< on the host
};

}  // namespace quintet
