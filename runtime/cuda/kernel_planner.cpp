#include "runtime/cuda/kernel_planner.h"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "runtime/cuda/cuda_error.h"

namespace quintet {

KernelPlanner::KernelPlanner(PlanStore& plans) : plans_(plans) {
  int device = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaGetDeviceProperties(&properties, device), "asking for the device's properties");
  multiprocessors_ = properties.multiProcessorCount;
  std::string name(static_cast<const char*>(properties.name));
  std::replace(name.begin(), name.end(), ' ', '_');
  identity_ = fmt::format("{} sm={} cudnn={} cublaslt={}", name, multiprocessors_,
                          cudnnGetVersion(), cublasLtGetVersion());
  check(cudnnCreate(&cudnn_), "making a cuDNN handle");
  check(cublasLtCreate(&cublas_), "making a cuBLASLt handle");
}

KernelPlanner::~KernelPlanner() {
  if (cudnn_ != nullptr) static_cast<void>(cudnnDestroy(cudnn_));
  if (cublas_ != nullptr) static_cast<void>(cublasLtDestroy(cublas_));
}

}  // namespace quintet
