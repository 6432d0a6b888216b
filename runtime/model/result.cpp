#include "runtime/model/result.h"

#include <fmt/format.h>

namespace quintet {

std::string to_string(const Error& error) {
  std::string text;
  if (!error.file.empty()) {
    text = error.line > 0 ? fmt::format("{}:{}: ", error.file, error.line) : error.file + ": ";
  }
  text += error.message;
  if (!error.cure.empty()) text += "; " + error.cure;
  return text;
}

}  // namespace quintet
