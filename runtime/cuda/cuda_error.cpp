#include "runtime/cuda/cuda_error.h"

#include <atomic>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <new>

#include "runtime/cuda/noted_failures.h"

namespace quintet {

namespace {

struct FailureLog {
  std::atomic<int> count{0};
  std::mutex mutex;
  std::map<std::string, std::int64_t> kinds;
};

/// Of the process: destructors have nowhere else to put it. Nothing that notes outlives main.
FailureLog& failure_log() {
  static FailureLog log;
  return log;
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
  FailureLog& log = failure_log();
  log.count.fetch_add(1, std::memory_order_relaxed);
  bool first = true;
  try {
    const std::lock_guard lock(log.mutex);
    first = ++log.kinds[fmt::format("{}: {}", what, cudaGetErrorString(status))] == 1;
  } catch (const std::bad_alloc&) {  // counted all the same
  }
  if (!first) return;
  std::fprintf(stderr, "quintet: %.*s: %s\n", static_cast<int>(what.size()), what.data(),
               cudaGetErrorString(status));
}

int noted_failures() noexcept {
  return failure_log().count.load(std::memory_order_relaxed);
}

std::map<std::string, std::int64_t> noted_failure_kinds() {
  FailureLog& log = failure_log();
  const std::lock_guard lock(log.mutex);
  return log.kinds;
}

}  // namespace quintet
