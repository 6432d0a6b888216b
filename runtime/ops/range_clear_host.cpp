#include <cstring>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/range_clear.h"

namespace quintet {

namespace {

class RangeClear final : public HostKernel {
 public:
  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    for (std::size_t slot = 0; slot < args.size(); ++slot) {
      // An empty region (a network of one layer has no DEEP_*) has no address to clear.
      if (args.bytes(slot) > 0) std::memset(args.write<std::byte>(slot), 0, args.bytes(slot));
    }
  }
};

}  // namespace

std::unique_ptr<HostKernel> make_range_clear_host(const Task& /*task*/,
                                                  const TensorTable& /*tensors*/) {
  return std::make_unique<RangeClear>();
}

}  // namespace quintet
