#include "profiler/import/json_cursor.h"

namespace quintet {

/// Which brackets are open, a bit each: no recursion, so that no nesting ends the stack.
class JsonCursor::Nesting {
 public:
  [[nodiscard]] bool empty() const { return depth_ == 0; }
  [[nodiscard]] bool full() const { return depth_ == kMostDepth; }
  void open(bool object) {
    const std::uint64_t bit = std::uint64_t{1} << (depth_ % 64);
    std::uint64_t& word = bits_[depth_ / 64];
    word = object ? word | bit : word & ~bit;
    ++depth_;
  }
  void close() { --depth_; }
  [[nodiscard]] bool in_object() const {
    const std::size_t top = depth_ - 1;
    return ((bits_[top / 64] >> (top % 64)) & 1U) != 0;
  }

 private:
  std::array<std::uint64_t, kMostDepth / 64> bits_{};
  std::size_t depth_ = 0;
};

JsonStatus JsonCursor::skip_scalar() {
  if (*at_ == '"') {
    JsonString ignored;
    return string(ignored);
  }
  std::string_view ignored;
  return token(ignored);
}

JsonStatus JsonCursor::skip_value() {
  if (!skip_space()) return JsonStatus::incomplete;
  if (*at_ != '{' && *at_ != '[') return skip_scalar();
  Nesting nesting;
  bool value_follows = true;  // else a comma or a closing bracket
  for (;;) {
    if (!skip_space()) return JsonStatus::incomplete;
    const char c = *at_;
    if (!nesting.empty() && c == (nesting.in_object() ? '}' : ']')) {
      ++at_;
      nesting.close();
      if (nesting.empty()) return JsonStatus::ok;
      value_follows = false;
      continue;
    }
    if (!value_follows) {
      if (c != ',') return JsonStatus::malformed;
      ++at_;
      value_follows = true;
      continue;
    }
    if (!nesting.empty() && nesting.in_object()) {
      JsonString key;
      if (const JsonStatus status = string(key); status != JsonStatus::ok) return status;
      if (const JsonStatus status = colon(); status != JsonStatus::ok) return status;
    }
    if (*at_ == '{' || *at_ == '[') {
      if (nesting.full()) return JsonStatus::malformed;
      nesting.open(*at_ == '{');
      ++at_;
      continue;
    }
    if (const JsonStatus status = skip_scalar(); status != JsonStatus::ok) return status;
    value_follows = false;
  }
}

}  // namespace quintet
