#include "profiler/report/perfetto_packets.h"

#include "profiler/report/perfetto_schema.h"
#include "profiler/report/wire_format.h"
#include "profiler/trace/utf8.h"

namespace quintet {

using namespace perfetto;

std::uint64_t InternTable::id_of(std::string_view text, std::string& pending) {
  const auto known = ids_.find(text);
  if (known != ids_.end()) return known->second;
  const std::uint64_t id = ids_.size() + 1;
  ids_.emplace(text, id);
  std::string message;
  wire::append_integer(message, interned::kIid, id);
  wire::append_bytes(message, interned::kText, valid_utf8(text));
  wire::append_bytes(pending, field_, message);
  return id;
}

PerfettoPackets::PerfettoPackets(std::string& out, std::uint32_t id)
    : out_(out),
      id_(id),
      categories_(interned::kCategories),
      names_(interned::kEventNames),
      note_names_(interned::kAnnotationNames),
      note_texts_(interned::kAnnotationTexts) {
  std::string clock_default;
  wire::append_integer(clock_default, defaults::kClockId, clock::kMonotonic);
  wire::append_integer(packet_, packet::kSequenceId, id_);
  wire::append_integer(packet_, packet::kSequenceFlags, packet::kStateCleared);
  wire::append_integer(packet_, packet::kFirstOnSequence, 1);
  wire::append_bytes(packet_, packet::kDefaults, clock_default);
  wire::append_bytes(out_, trace::kPacket, packet_);
}

void PerfettoPackets::write(std::uint64_t time_ns, std::uint32_t field, std::string_view message) {
  packet_.clear();
  wire::append_integer(packet_, packet::kTimestamp, time_ns);
  finish_packet(field, message);
}

void PerfettoPackets::write_timeless(std::uint32_t field, std::string_view message) {
  packet_.clear();
  finish_packet(field, message);
}

void PerfettoPackets::finish_packet(std::uint32_t field, std::string_view message) {
  wire::append_integer(packet_, packet::kSequenceId, id_);
  wire::append_integer(packet_, packet::kSequenceFlags, packet::kNeedsState);
  if (!pending_.empty()) {
    wire::append_bytes(packet_, packet::kInternedData, pending_);
    pending_.clear();
  }
  wire::append_bytes(packet_, field, message);
  wire::append_bytes(out_, trace::kPacket, packet_);
}

}  // namespace quintet
