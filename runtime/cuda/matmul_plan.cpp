#include "runtime/cuda/matmul_plan.h"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/launch_timer.h"
#include "runtime/cuda/plan_store.h"

namespace quintet {

namespace {

constexpr std::uint64_t kWorkspaceLimit = std::uint64_t{32} << 20;
constexpr int kMostAlgorithms = 16;
/// So many of the best are timed.
constexpr int kTimedAlgorithms = 8;
constexpr std::uint32_t kAlignment = 64;

cudaDataType_t cuda_dtype(DType dtype) {
  return dtype == DType::F16 ? CUDA_R_16F : CUDA_R_32F;
}

template <class T>
void set(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t name, const T& value) {
  check(cublasLtMatmulDescSetAttribute(operation, name, &value, sizeof(value)),
        "describing a matrix product");
}

std::string text_of(const cublasLtMatmulAlgo_t& algorithm, std::uint64_t workspace) {
  std::string text = fmt::format("workspace={} algo=", workspace);
  for (const std::uint64_t word : algorithm.data)
    text += fmt::format("{:016x}", word);
  return text;
}

/// False where the text is no pinned algorithm.
bool parse(const std::string& text, cublasLtMatmulAlgo_t& algorithm, std::uint64_t& workspace) {
  const std::size_t at = text.find(" algo=");
  if (!text.starts_with("workspace=") || at == std::string::npos) return false;
  const std::string words = text.substr(at + 6);
  constexpr std::size_t kDigits = 16;
  if (words.size() != kDigits * std::size(algorithm.data)) return false;
  try {
    workspace = std::stoull(text.substr(10, at - 10));
    for (std::size_t i = 0; i < std::size(algorithm.data); ++i)
      algorithm.data[i] = std::stoull(words.substr(i * kDigits, kDigits), nullptr, 16);
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

}  // namespace

MatmulPlan::MatmulPlan(const CudaMatmulProblem& problem, KernelPlanner& planner)
    : problem_(problem) {
  describe();
  choose(planner);
}

MatmulPlan::~MatmulPlan() {
  if (result_ != nullptr) static_cast<void>(cublasLtMatrixLayoutDestroy(result_));
  if (second_ != nullptr) static_cast<void>(cublasLtMatrixLayoutDestroy(second_));
  if (first_ != nullptr) static_cast<void>(cublasLtMatrixLayoutDestroy(first_));
  if (operation_ != nullptr) static_cast<void>(cublasLtMatmulDescDestroy(operation_));
}

void MatmulPlan::describe() {
  // Row-major C = A B is column-major C^T = B^T A^T, and a row-major matrix read by columns is its
  // transpose: so cuBLAS multiplies B by A, as they lie, into C.
  const cudaDataType_t type = cuda_dtype(problem_.dtype);
  const auto rows = static_cast<std::uint64_t>(problem_.rows);
  const auto inner = static_cast<std::uint64_t>(problem_.inner);
  const auto columns = static_cast<std::uint64_t>(problem_.columns);
  check(cublasLtMatmulDescCreate(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F),
        "describing a matrix product");
  set(operation_, CUBLASLT_MATMUL_DESC_TRANSA, problem_.transposed_b ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(operation_, CUBLASLT_MATMUL_DESC_TRANSB, problem_.transposed_a ? CUBLAS_OP_T : CUBLAS_OP_N);
  if (problem_.bias) {
    set(operation_, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
    set(operation_, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, type);
  }
  const auto layout = [&](cublasLtMatrixLayout_t* target, std::uint64_t height,
                          std::uint64_t width) {
    check(
        cublasLtMatrixLayoutCreate(target, type, height, width, static_cast<std::int64_t>(height)),
        "describing a matrix");
  };
  layout(&first_, problem_.transposed_b ? inner : columns, problem_.transposed_b ? columns : inner);
  layout(&second_, problem_.transposed_a ? rows : inner, problem_.transposed_a ? inner : rows);
  layout(&result_, columns, rows);
}

std::string MatmulPlan::key(const KernelPlanner& planner) const {
  return fmt::format("{} matmul{}{} {} {}x{}x{} a{} b{} align={} workspace={}", planner.identity(),
                     problem_.bias ? "+bias" : "", problem_.accumulate ? "+c" : "",
                     name_of(problem_.dtype), problem_.rows, problem_.inner, problem_.columns,
                     problem_.transposed_a ? "^T" : "", problem_.transposed_b ? "^T" : "",
                     kAlignment, kWorkspaceLimit);
}

void MatmulPlan::choose(KernelPlanner& planner) {
  PlanStore& store = planner.plans();
  const std::string full_key = key(planner);
  if (const auto stored = store.find(full_key)) {
    if (parse(*stored, algorithm_, workspace_bytes_)) {
      pinned_ = *stored;
      return;
    }
  }
  // With a bias pointer set, heuristics see the alignment it will have.
  if (problem_.bias) {
    const void* aligned = reinterpret_cast<const void*>(std::uintptr_t{kAlignment});
    set(operation_, CUBLASLT_MATMUL_DESC_BIAS_POINTER, aligned);
  }
  cublasLtMatmulPreference_t preference = nullptr;
  check(cublasLtMatmulPreferenceCreate(&preference), "planning a matrix product");
  const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t name, auto value) {
    check(cublasLtMatmulPreferenceSetAttribute(preference, name, &value, sizeof(value)),
          "planning a matrix product");
  };
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kWorkspaceLimit);
  for (const auto name :
       {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
    prefer(name, kAlignment);
  std::array<cublasLtMatmulHeuristicResult_t, kMostAlgorithms> results{};
  int count = 0;
  const cublasStatus_t status =
      cublasLtMatmulAlgoGetHeuristic(planner.cublas(), operation_, first_, second_, result_,
                                     result_, preference, kMostAlgorithms, results.data(), &count);
  static_cast<void>(cublasLtMatmulPreferenceDestroy(preference));
  check(status, "planning a matrix product");
  if (count == 0) throw CudaError("cuBLASLt has no algorithm for " + full_key);

  std::optional<LaunchTimer> timer;
  double best_us = 0;
  bool chosen = false;
  const int timed = store.search() == PlanSearch::measured ? std::min(count, kTimedAlgorithms) : 1;
  for (int i = 0; i < timed; ++i) {
    const cublasLtMatmulHeuristicResult_t& result = results[static_cast<std::size_t>(i)];
    if (result.state != CUBLAS_STATUS_SUCCESS) continue;
    double us = 0;
    if (timed > 1) {
      const auto bytes = [&](std::int64_t elements) {
        return static_cast<std::uint64_t>(elements) * bytes_of(problem_.dtype);
      };
      if (!timer) {
        timer.emplace(std::vector<std::uint64_t>{bytes(problem_.rows * problem_.inner),
                                                 bytes(problem_.inner * problem_.columns),
                                                 bytes(problem_.rows * problem_.columns),
                                                 bytes(problem_.columns)},
                      kWorkspaceLimit);
      }
      algorithm_ = result.algo;
      workspace_bytes_ = result.workspaceSize;
      const std::vector<void*> at = timer->buffers();
      us = timer->median_us([&] {
        run(planner.cublas(), timer->stream(), at[0], at[1], at[2], problem_.bias ? at[3] : nullptr,
            timer->workspace());
      });
    }
    if (chosen && us >= best_us) continue;
    chosen = true;
    best_us = us;
    pinned_ = text_of(result.algo, result.workspaceSize);
  }
  if (!chosen || !parse(pinned_, algorithm_, workspace_bytes_))
    throw CudaError("cuBLASLt has no algorithm for " + full_key);
  store.put(full_key, pinned_);
}

void MatmulPlan::run(cublasLtHandle_t handle, cudaStream_t stream, const void* a, const void* b,
                     void* c, const void* bias, void* workspace) {
  if (problem_.bias) set(operation_, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
  const float one = 1.0F;
  const float beta = problem_.accumulate ? 1.0F : 0.0F;
  check(cublasLtMatmul(handle, operation_, &one, b, first_, a, second_, &beta, c, result_, c,
                       result_, &algorithm_, workspace, workspace_bytes_, stream),
        "running a matrix product");
}

}  // namespace quintet
