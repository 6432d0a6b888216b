/// Errors as values: those that the user can cure, and those of the machine while it reads or writes
/// files. Our own bugs are assertions; other system failures are exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace quintet {

/// Whose fault an error is: what the user gave, or the machine (no space, a failed write or rename).
enum class ErrorKind : std::uint8_t { input, machine };

/// What is wrong, where, and how to mend it. `file` empty = no file concerned; `line` 0 = the whole
/// file.
struct Error {
  std::string message;  ///< what is wrong: lower case, no final period, with the numbers
  std::string cure;     ///< what to do about it, an imperative; may be empty
  std::string file;
  int line = 0;
  ErrorKind kind = ErrorKind::input;
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
