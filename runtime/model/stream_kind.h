/// The five streams of the runtime. Exactly five: a switch over them has no `default:`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace quintet {

enum class StreamKind : std::uint8_t { TRANS, COMP_1, COMP_2, COMP_3, UPDATE };

inline constexpr std::size_t kStreamCount = 5;
inline constexpr std::array<StreamKind, kStreamCount> kStreamKinds = {
    StreamKind::TRANS, StreamKind::COMP_1, StreamKind::COMP_2, StreamKind::COMP_3,
    StreamKind::UPDATE};
/// The logical compute stream: an alias of COMP_1.
inline constexpr StreamKind STREAM_COMP = StreamKind::COMP_1;

constexpr std::size_t index_of(StreamKind stream) {
  return static_cast<std::size_t>(stream);
}

constexpr std::string_view name_of(StreamKind stream) {
  switch (stream) {
    case StreamKind::TRANS:
      return "TRANS";
    case StreamKind::COMP_1:
      return "COMP_1";
    case StreamKind::COMP_2:
      return "COMP_2";
    case StreamKind::COMP_3:
      return "COMP_3";
    case StreamKind::UPDATE:
      return "UPDATE";
  }
  return {};
}

/// The stream of that name, or nothing.
constexpr std::optional<StreamKind> stream_from_name(std::string_view name) {
  for (const StreamKind stream : kStreamKinds) {
    if (name_of(stream) == name) return stream;
  }
  return std::nullopt;
}

constexpr bool is_compute(StreamKind stream) {
  return stream == StreamKind::COMP_1 || stream == StreamKind::COMP_2 ||
         stream == StreamKind::COMP_3;
}

}  // namespace quintet
