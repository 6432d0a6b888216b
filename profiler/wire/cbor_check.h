/// Looks over CBOR before anything is built from it, so that hostile bytes can neither exhaust the stack nor
/// take more memory than they are worth.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/model/result.h"

namespace quintet {

/// How deep arrays and maps may lie in each other.
inline constexpr std::size_t kMostDepth = 16;
/// How many items a message may have in all: keys, values, arrays and maps. An item takes at most some
/// 100 bytes of memory beside the bytes of its text.
inline constexpr std::size_t kMostItems = std::size_t{1} << 20U;

/// Errors: bytes that are not exactly one item of the subset in use: integers of 64 bits, byte and text
/// strings, arrays, maps with text keys, false, true, null, floats; definite lengths; no tags. And what goes
/// beyond the limits above. Takes time linear in the bytes, and no memory.
Result<void> check_cbor(std::span<const std::byte> bytes);

}  // namespace quintet
