#include "profiler/import/text_window.h"

#include <algorithm>
#include <cstring>

#include "profiler/import/json_cursor.h"

namespace quintet {

TextWindow::TextWindow(ByteStream stream, std::size_t bytes)
    : stream_(std::move(stream)), buffer_(std::max(bytes, kFewestBytes) + JsonCursor::kPadding) {
  slide();
}

bool TextWindow::slide() {
  if (ended_) return false;
  std::size_t room = buffer_.size() - JsonCursor::kPadding;
  if (begin_ == 0 && end_ == room) {
    if (room >= kMostBytes) return false;
    room = std::min(room * 2, kMostBytes);
    buffer_.resize(room + JsonCursor::kPadding);
  } else {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    offset_ += begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  const std::size_t count = stream_.read(std::span(buffer_).subspan(end_, room - end_));
  end_ += count;
  std::fill_n(buffer_.begin() + static_cast<std::ptrdiff_t>(end_), JsonCursor::kPadding, '\0');
  ended_ = count == 0;
  return !ended_;
}

}  // namespace quintet
