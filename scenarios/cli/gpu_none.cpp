#include "scenarios/cli/gpu.h"

namespace quintet {

namespace {

tl::unexpected<Error> no_cuda() {
  return fail("this build has no CUDA executor",
              "build on a machine with the CUDA toolkit and cuDNN, or use --executor host");
}

}  // namespace

Result<GpuReport> describe_gpus() {
  return no_cuda();
}

Result<std::shared_ptr<Backend>> open_gpu(PlanSearch /*search*/, const std::string& /*plans*/,
                                          int /*connections*/) {
  return no_cuda();
}

Result<std::unique_ptr<Observer>> record_gpu(HostRecorder& /*host*/, DeviceRecording /*mode*/) {
  return no_cuda();
}

std::unique_ptr<Observer> annotate_run() {
  return nullptr;
}

DeviceFailures device_failures() {
  return {};
}

Result<CapturedGraphs> prove_captured_graphs(const TrainingSession& /*session*/) {
  return no_cuda();
}

}  // namespace quintet
