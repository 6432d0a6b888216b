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
constexpr std::uint32_t kOperandAlignment = 64;

cudaDataType_t cuda_dtype(DType dtype) {
  return dtype == DType::F16 ? CUDA_R_16F : CUDA_R_32F;
}

template <class T>
void set(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t name, const T& value) {
  check(cublasLtMatmulDescSetAttribute(operation, name, &value, sizeof(value)),
        "describing a matrix product");
}

/// What an algorithm is pinned by; the rest of cuBLASLt's description follows from it.
struct Setting {
  cublasLtMatmulAlgoConfigAttributes_t attribute;
  const char* name;
  std::size_t bytes;
};

constexpr std::array kSettings = {Setting{CUBLASLT_ALGO_CONFIG_TILE_ID, "tile", 4},
                                  Setting{CUBLASLT_ALGO_CONFIG_STAGES_ID, "stages", 4},
                                  Setting{CUBLASLT_ALGO_CONFIG_SPLITK_NUM, "splitk", 4},
                                  Setting{CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, "reduction", 4},
                                  Setting{CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, "swizzle", 4},
                                  Setting{CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, "custom", 4},
                                  Setting{CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, "inner", 2},
                                  Setting{CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, "cluster", 2}};

/// "id=66 tile=20 ..."; a setting that the algorithm does not have is left out.
std::string text_of(const cublasLtMatmulAlgo_t& algorithm) {
  const auto get = [&](cublasLtMatmulAlgoConfigAttributes_t attribute, std::size_t bytes) {
    std::uint32_t value = 0;
    std::size_t written = 0;
    const cublasStatus_t status =
        cublasLtMatmulAlgoConfigGetAttribute(&algorithm, attribute, &value, bytes, &written);
    return status == CUBLAS_STATUS_SUCCESS ? std::optional(value) : std::nullopt;
  };
  std::string text = fmt::format("id={}", get(CUBLASLT_ALGO_CONFIG_ID, 4).value_or(0));
  for (const Setting& setting : kSettings) {
    if (const auto value = get(setting.attribute, setting.bytes))
      text += fmt::format(" {}={}", setting.name, *value);
  }
  return text;
}

/// The number after "name=" in a pinned text; nothing where it has none.
std::optional<std::uint32_t> number_in(const std::string& text, const std::string& name) {
  const std::size_t at = (" " + text).find(" " + name + "=");
  if (at == std::string::npos) return std::nullopt;
  try {
    return static_cast<std::uint32_t>(std::stoul(text.substr(at + name.size() + 1)));
  } catch (const std::exception&) {
    return std::nullopt;
  }
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
    // Heuristics see the alignment that every bias will have.
    const void* aligned = reinterpret_cast<const void*>(std::uintptr_t{kOperandAlignment});
    set(operation_, CUBLASLT_MATMUL_DESC_BIAS_POINTER, aligned);
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
                     kOperandAlignment, kWorkspaceLimit);
}

bool MatmulPlan::pin(const std::string& text, KernelPlanner& planner) {
  const auto id = number_in(text, "id");
  const cudaDataType_t type = cuda_dtype(problem_.dtype);
  cublasLtMatmulAlgo_t algorithm{};
  if (!id ||
      cublasLtMatmulAlgoInit(planner.cublas(), CUBLAS_COMPUTE_32F, CUDA_R_32F, type, type, type,
                             type, static_cast<int>(*id), &algorithm) != CUBLAS_STATUS_SUCCESS) {
    return false;
  }
  for (const Setting& setting : kSettings) {
    const auto value = number_in(text, setting.name);
    if (value && cublasLtMatmulAlgoConfigSetAttribute(&algorithm, setting.attribute, &*value,
                                                      setting.bytes) != CUBLAS_STATUS_SUCCESS) {
      return false;
    }
  }
  cublasLtMatmulHeuristicResult_t result{};
  if (cublasLtMatmulAlgoCheck(planner.cublas(), operation_, first_, second_, result_, result_,
                              &algorithm, &result) != CUBLAS_STATUS_SUCCESS ||
      result.workspaceSize > kWorkspaceLimit) {
    return false;
  }
  algorithm_ = algorithm;
  workspace_bytes_ = result.workspaceSize;
  pinned_ = text;
  return true;
}

double MatmulPlan::time_us(std::optional<LaunchTimer>& timer, KernelPlanner& planner) {
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
  const std::vector<void*> at = timer->buffers();
  return timer->median_us([&] {
    run(planner.cublas(), timer->stream(), at[0], at[1], at[2], problem_.bias ? at[3] : nullptr,
        timer->workspace());
  });
}

void MatmulPlan::choose(KernelPlanner& planner) {
  PlanStore& store = planner.plans();
  const std::string full_key = key(planner);
  if (const auto stored = store.find(full_key); stored && pin(*stored, planner)) return;
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
    prefer(name, kOperandAlignment);
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
  std::string best;
  const int most = store.search() == PlanSearch::measured ? kTimedAlgorithms : 1;
  int tried = 0;
  for (int i = 0; i < count && tried < most; ++i) {
    const cublasLtMatmulHeuristicResult_t& result = results[static_cast<std::size_t>(i)];
    // Timed is what the text describes, not what the heuristics hold beside it.
    if (result.state != CUBLAS_STATUS_SUCCESS || !pin(text_of(result.algo), planner)) continue;
    ++tried;
    const double us = most > 1 ? time_us(timer, planner) : 0;
    if (!best.empty() && us >= best_us) continue;
    best_us = us;
    best = pinned_;
  }
  if (best.empty() || !pin(best, planner))
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
