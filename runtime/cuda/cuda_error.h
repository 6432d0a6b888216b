/// How a failed call of CUDA, cuBLAS or cuDNN is told: by an exception that says what was being
/// done, and where. Sticky errors are cleared before the throw.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace quintet {

/// what() = "<what we were doing>: <library's text> (<name>) at file:line".
class CudaError : public std::runtime_error {
 public:
  explicit CudaError(const std::string& text) : std::runtime_error(text) {}
};

/// Throws CudaError where `status` is no success; clears CUDA's last error then.
void check(cudaError_t status, std::string_view what,
           std::source_location where = std::source_location::current());
void check(cudnnStatus_t status, std::string_view what,
           std::source_location where = std::source_location::current());
void check(cublasStatus_t status, std::string_view what,
           std::source_location where = std::source_location::current());

/// For destructors, which must not throw: counts the failure and prints it to standard error once
/// per kind of work.
void note_failure(cudaError_t status, std::string_view what) noexcept;
/// Failures that destructors of this process have noted.
int noted_failures() noexcept;

}  // namespace quintet
