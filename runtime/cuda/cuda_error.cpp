#include "runtime/cuda/cuda_error.h"

#include <atomic>
#include <cstdio>
#include <fmt/format.h>

namespace quintet {

namespace {

/// Of the process: destructors have nowhere else to put it.
std::atomic<int>& failure_count() {
  static std::atomic<int> count{0};
  return count;
}

[[noreturn]] void raise(std::string_view what, std::string_view text, std::string_view name,
                        const std::source_location& where) {
  throw CudaError(
      fmt::format("{}: {} ({}) at {}:{}", what, text, name, where.file_name(), where.line()));
}

}  // namespace

void check(cudaError_t status, std::string_view what, std::source_location where) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  raise(what, cudaGetErrorString(status), cudaGetErrorName(status), where);
}

void check(cudnnStatus_t status, std::string_view what, std::source_location where) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  static_cast<void>(cudaGetLastError());
  std::string reason(256, '\0');
  cudnnGetLastErrorString(reason.data(), reason.size());
  reason.resize(reason.find('\0') == std::string::npos ? reason.size() : reason.find('\0'));
  raise(what, reason.empty() ? "cuDNN refused" : reason, cudnnGetErrorString(status), where);
}

void check(cublasStatus_t status, std::string_view what, std::source_location where) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  static_cast<void>(cudaGetLastError());
  raise(what, "cuBLASLt refused", cublasLtGetStatusName(status), where);
}

void note_failure(cudaError_t status, std::string_view what) noexcept {
  // A driver that is going away at the end of the process takes its objects along.
  if (status == cudaSuccess || status == cudaErrorCudartUnloading) return;
  static_cast<void>(cudaGetLastError());
  failure_count().fetch_add(1, std::memory_order_relaxed);
  std::fprintf(stderr, "quintet: %.*s: %s\n", static_cast<int>(what.size()), what.data(),
               cudaGetErrorString(status));
}

int noted_failures() noexcept {
  return failure_count().load(std::memory_order_relaxed);
}

}  // namespace quintet
