/// The wire format of protocol buffers, as far as a writer needs it: fields appended to bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace quintet::wire {

inline void append_varint(std::string& bytes, std::uint64_t value) {
  while (value >= 0x80) {
    bytes += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  bytes += static_cast<char>(value);
}

namespace detail {

inline void append_tag(std::string& bytes, std::uint32_t field, std::uint32_t type) {
  append_varint(bytes, std::uint64_t{field} << 3 | type);
}

inline void append_eight(std::string& bytes, std::uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8)
    bytes += static_cast<char>(value >> shift & 0xFF);
}

}  // namespace detail

/// bool, enum, uint32, uint64; negative int32 and int64 take ten bytes, as the format wants it.
inline void append_integer(std::string& bytes, std::uint32_t field, std::uint64_t value) {
  detail::append_tag(bytes, field, 0);
  append_varint(bytes, value);
}

inline void append_fixed64(std::string& bytes, std::uint32_t field, std::uint64_t value) {
  detail::append_tag(bytes, field, 1);
  detail::append_eight(bytes, value);
}

inline void append_double(std::string& bytes, std::uint32_t field, double value) {
  append_fixed64(bytes, field, std::bit_cast<std::uint64_t>(value));
}

/// string, bytes, and a message that is already bytes.
inline void append_bytes(std::string& bytes, std::uint32_t field, std::string_view value) {
  detail::append_tag(bytes, field, 2);
  append_varint(bytes, value.size());
  bytes += value;
}

}  // namespace quintet::wire
