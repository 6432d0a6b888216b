/// Why a recorder refuses a call, and of which kind that is: what a caller can act on.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "runtime/model/result.h"

namespace quintet {

enum class RefusalKind : std::uint8_t {
  argument,    ///< a value that makes no sense
  unknown_id,  ///< an id that nothing has
  order,       ///< a call at the wrong time
  file,        ///< the recording cannot be written
};

struct Refusal {
  RefusalKind kind = RefusalKind::argument;
  Error error;
};

/// A value, or why there is none.
template <class T>
using Accepted = tl::expected<T, Refusal>;

inline tl::unexpected<Refusal> refuse(RefusalKind kind, std::string message, std::string cure) {
  return tl::unexpected<Refusal>(Refusal{kind, Error{std::move(message), std::move(cure), {}, 0}});
}

}  // namespace quintet
