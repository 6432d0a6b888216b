#include "profiler/report/byte_sink.h"

namespace quintet {

bool PieceBuffer::pass_on() {
  if (state_ && text_.size() >= kPieceBytes) state_ = sink_(text_);
  if (!state_ || text_.size() >= kPieceBytes) text_.clear();
  return state_.has_value();
}

Result<void> PieceBuffer::finish() {
  if (state_ && !text_.empty()) state_ = sink_(text_);
  text_.clear();
  return state_;
}

}  // namespace quintet
