/// Bytes in gzip form (RFC 1952): how small recordings travel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/model/result.h"

namespace quintet {

/// True where the file's first bytes are those of gzip; false where it cannot be read.
bool is_gzip(const std::string& path);

/// What a gzip file holds, inflated. Errors: it cannot be read, ends early, fails its checksum, or
/// takes more than `most_bytes`. Throws std::bad_alloc.
Result<std::vector<std::byte>> inflate_file(const std::string& path, std::uint64_t most_bytes);

/// The bytes in gzip form at the highest level, without name and time: equal for equal bytes.
/// Throws std::bad_alloc.
std::vector<std::byte> deflate_bytes(std::span<const std::byte> bytes);

}  // namespace quintet
