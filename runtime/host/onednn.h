/// The one door to oneDNN: planned FP32 convolutions and matrix products over plain layouts (NHWC,
/// HWIO, row-major). Nothing else includes dnnl.hpp; what 3.x does differently (no `::desc`) is
/// confined to onednn.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "runtime/model/op.h"

namespace quintet {

/// X[batch, in_h, in_w, in_channels], W[kernel_h, kernel_w, in_channels, out_channels],
/// Y[batch, out_h, out_w, out_channels].
struct ConvProblem {
  std::int64_t batch = 1;
  std::int64_t in_h = 1, in_w = 1, in_channels = 1;
  std::int64_t out_h = 1, out_w = 1, out_channels = 1;
  Window window;
  bool bias = false;  ///< of the forward call
};

/// C[rows, columns] = A[rows, inner] B[inner, columns] (+ bias[columns]) (+ C). A transposed factor
/// is stored as its transpose, row-major.
struct MatmulProblem {
  std::int64_t rows = 1, inner = 1, columns = 1;
  bool transposed_a = false;
  bool transposed_b = false;
  bool bias = false;
  bool accumulate = false;
};

/// Owns: one planned oneDNN primitive and the memory objects it is called with, made once.
/// Threads: plan and run with OpenMP pinned (openmp_pin.h); one run at a time.
/// Throws: std::runtime_error where oneDNN has no implementation or fails.
/// Usage: `call.run({{x, w, b}}, y, scratch)`, all 64-byte aligned, scratch of scratch_bytes().
class OneDnnCall {
 public:
  /// {X, W} or {X, W, B} -> Y.
  static OneDnnCall conv_forward(const ConvProblem& problem);
  /// {dY, W} -> dX, overwritten.
  static OneDnnCall conv_input_gradient(const ConvProblem& problem);
  /// {X, dY} -> dW, overwritten.
  static OneDnnCall conv_weight_gradient(const ConvProblem& problem);
  /// {A, B} or {A, B, bias} -> C.
  static OneDnnCall matmul(const MatmulProblem& problem);

  OneDnnCall(OneDnnCall&& other) noexcept;
  OneDnnCall& operator=(OneDnnCall&& other) noexcept;
  OneDnnCall(const OneDnnCall&) = delete;
  OneDnnCall& operator=(const OneDnnCall&) = delete;
  ~OneDnnCall();

  [[nodiscard]] std::uint64_t scratch_bytes() const;
  /// oneDNN's name of the implementation it chose, e.g. "gemm:jit".
  [[nodiscard]] const std::string& implementation() const;
  void run(std::span<const float* const> inputs, float* output, std::byte* scratch);

 private:
  struct State;
  explicit OneDnnCall(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// "2.6.3 (isa ...)": for the provenance of a recording; both decide bits.
std::string onednn_version();

}  // namespace quintet
