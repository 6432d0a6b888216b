/// Errors that the user caused and can cure, as values. Our own bugs are assertions; system
/// failures are exceptions.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace quintet {

/// What is wrong, where, and how to mend it. `file` empty = no file concerned; `line` 0 = the whole
/// file.
struct Error {
  std::string message;  ///< what is wrong: lower case, no final period, with the numbers
  std::string cure;     ///< what to do about it, an imperative; may be empty
  std::string file;
  int line = 0;
};

template <class T>
using Result = tl::expected<T, Error>;

/// One line: `file:line: message; cure`.
std::string to_string(const Error& error);

inline tl::unexpected<Error> fail(std::string message, std::string cure = {}, std::string file = {},
                                  int line = 0) {
  return tl::unexpected<Error>(Error{std::move(message), std::move(cure), std::move(file), line});
}

}  // namespace quintet
