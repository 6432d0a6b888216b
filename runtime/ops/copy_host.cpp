#include <cassert>
#include <cstring>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/copy.h"

namespace quintet {

namespace {

class Copy final : public HostKernel {
 public:
  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    assert(args.bytes(CopySlots::source) == args.bytes(CopySlots::target));
    std::memcpy(args.write<std::byte>(CopySlots::target), args.read<std::byte>(CopySlots::source),
                args.bytes(CopySlots::target));
  }
};

}  // namespace

std::unique_ptr<HostKernel> make_copy_host(const Task& /*task*/, const TensorTable& /*tensors*/) {
  return std::make_unique<Copy>();
}

}  // namespace quintet
