/// Reads Perfetto traces for tests, from the published wire format alone: shares no code with the
/// writer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace quintet {

/// One field of a message on the wire.
struct WireField {
  std::uint32_t number = 0;
  std::uint32_t type = 0;
  std::uint64_t value = 0;  ///< of varint and fixed types
  std::string_view bytes;   ///< of length-delimited ones
};

/// Throws std::runtime_error where the bytes are no message.
std::vector<WireField> wire_fields(std::string_view bytes);

struct PerfettoEvent {
  std::uint64_t time = 0;
  std::uint64_t type = 0;  ///< 1 begin, 2 end, 4 counter
  std::uint64_t track = 0;
  std::string category;
  std::string name;
  double value = 0;  ///< of counters
  std::vector<std::uint64_t> flows;
  std::vector<std::uint64_t> ended_flows;
  std::map<std::string, std::string> notes;  ///< values as text
};

struct PerfettoTrack {
  std::string name;
  std::string process;
  std::uint64_t parent = 0;
  bool counter = false;
};

struct PerfettoDocument {
  std::size_t packets = 0;
  std::vector<PerfettoEvent> events;  ///< in order of the file
  std::map<std::uint64_t, PerfettoTrack> tracks;
  std::map<std::string, std::string> attributes;
  std::map<std::uint64_t, std::uint64_t> clocks;  ///< the snapshot: id to time

  /// "rank 0 / policy lanes / COMP_1".
  [[nodiscard]] std::string path(std::uint64_t track) const;
  /// One line for each attribute, track and event, without ids.
  [[nodiscard]] std::string text() const;
};

/// Throws std::runtime_error where an event names a track that no packet before it described, or an
/// id that was not interned before it, or where a packet belongs to no sequence.
PerfettoDocument read_perfetto(std::string_view bytes);

/// A slice: a begin and its end.
struct PerfettoSlice {
  PerfettoEvent begin;
  std::uint64_t end_time = 0;
};

/// The slices of each track, nested as they must be. Throws where an end has no begin, or a begin no
/// end.
std::vector<PerfettoSlice> slices_of(const PerfettoDocument& document);

}  // namespace quintet
