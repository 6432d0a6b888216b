/// A window that slides over the text of a file: bounded memory, however long the text is.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/import/byte_stream.h"

namespace quintet {

/// Owns the stream and the buffer. Pointers into the window hold until slide().
class TextWindow {
 public:
  static constexpr std::size_t kFewestBytes = 16;
  /// A window grows up to this size where it must hold one long piece.
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

  /// `bytes` = of the first window, at least kFewestBytes.
  TextWindow(ByteStream stream, std::size_t bytes);

  /// The text in the window: from what is not consumed yet. JsonCursor::kPadding bytes behind it
  /// are zero.
  [[nodiscard]] const char* begin() const { return buffer_.data() + begin_; }
  [[nodiscard]] const char* end() const { return buffer_.data() + end_; }
  void consume_to(const char* at) { begin_ = static_cast<std::size_t>(at - buffer_.data()); }
  /// Drops what is consumed and reads on, in a larger buffer where it is full. False: the text ends,
  /// or what is not consumed fills the largest window.
  bool slide();
  [[nodiscard]] bool at_end_of_text() const { return ended_; }
  /// Bytes of the text in front of `at`, which lies in the window.
  [[nodiscard]] std::uint64_t offset_of(const char* at) const {
    return offset_ + static_cast<std::uint64_t>(at - buffer_.data());
  }
  [[nodiscard]] const ByteStream& stream() const { return stream_; }

 private:
  ByteStream stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;  ///< of the buffer's first byte in the text
  bool ended_ = false;
};

}  // namespace quintet
