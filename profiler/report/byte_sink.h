/// Where the bytes of an export go: piece by piece, so that no document is ever whole in memory.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "runtime/model/result.h"

namespace quintet {

/// Takes the next bytes. An error ends the writing: the writer passes it on and sends no more.
using ByteSink = std::function<Result<void>(std::string_view)>;

/// Gathers what a writer appends into pieces of at least kPieceBytes. Borrows the sink; one thread.
class PieceBuffer {
 public:
  static constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

  explicit PieceBuffer(const ByteSink& sink) : sink_(sink) {}

  /// Append here.
  [[nodiscard]] std::string& text() { return text_; }
  /// Hands over what has gathered if it makes a piece. False once the sink has failed.
  bool pass_on();
  /// Hands over the rest. The sink's first error, if it had one.
  Result<void> finish();

 private:
  const ByteSink& sink_;
  std::string text_;
  Result<void> state_;
};

}  // namespace quintet
