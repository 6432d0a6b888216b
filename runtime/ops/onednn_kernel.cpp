#include "runtime/ops/onednn_kernel.h"

#include <cassert>
#include <utility>

namespace quintet {

OneDnnKernel::OneDnnKernel(OneDnnCall call, std::vector<std::size_t> inputs, std::size_t output)
    : call_(std::move(call)),
      inputs_(std::move(inputs)),
      output_(output),
      pointers_(inputs_.size()) {}

std::uint64_t OneDnnKernel::workspace_bytes() const {
  return call_.scratch_bytes();
}

std::string OneDnnKernel::implementation() const {
  return call_.implementation();
}

void OneDnnKernel::run(const TaskArgs& args, const RunContext& /*context*/) {
  assert(args.workspace().size() >= workspace_bytes());
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    pointers_[i] = args.read<float>(inputs_[i]);
  call_.run(pointers_, args.write<float>(output_), args.workspace().data());
}

}  // namespace quintet
