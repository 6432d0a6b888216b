#include "tests/profiler/report/perfetto_reader.h"

#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>

namespace quintet {

namespace {

std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (bytes.empty()) throw std::runtime_error("a number is cut off");
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  throw std::runtime_error("a number has more than ten bytes");
}

std::string_view take_bytes(std::string_view& bytes, std::uint64_t size) {
  if (size > bytes.size()) throw std::runtime_error("a field is cut off");
  const std::string_view taken = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return taken;
}

double as_double(std::uint64_t bits) {
  double value = 0;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

using Interned = std::map<std::uint64_t, std::string>;

class Reader {
 public:
  PerfettoDocument read(std::string_view bytes) {
    for (const WireField& field : wire_fields(bytes)) {
      if (field.number != 1) throw std::runtime_error("a trace holds something else than packets");
      ++document_.packets;
      read_packet(field.bytes);
    }
    return std::move(document_);
  }

 private:
  void read_packet(std::string_view bytes) {
    std::uint64_t time = 0, sequence = 0, flags = 0;
    std::string_view event;
    for (const WireField& field : wire_fields(bytes)) {
      if (field.number == 8) time = field.value;
      if (field.number == 10) sequence = field.value;
      if (field.number == 13) flags = field.value;
      if (field.number == 6) read_clocks(field.bytes);
      if (field.number == 12) read_interned(field.bytes);
      if (field.number == 60) read_track(field.bytes);
      if (field.number == 126) read_attributes(field.bytes);
      if (field.number == 11) event = field.bytes;
    }
    if (sequence == 0) throw std::runtime_error("a packet belongs to no sequence");
    if (flags != (document_.packets == 1 ? 1 : 2)) throw std::runtime_error("odd sequence flags");
    if (!event.empty()) read_event(time, event);
  }

  void read_clocks(std::string_view bytes) {
    for (const WireField& field : wire_fields(bytes)) {
      if (field.number != 1) continue;
      std::uint64_t id = 0, time = 0;
      for (const WireField& part : wire_fields(field.bytes)) {
        if (part.number == 1) id = part.value;
        if (part.number == 2) time = part.value;
      }
      document_.clocks[id] = time;
    }
  }

  void read_interned(std::string_view bytes) {
    for (const WireField& field : wire_fields(bytes)) {
      std::uint64_t id = 0;
      std::string text;
      for (const WireField& part : wire_fields(field.bytes)) {
        if (part.number == 1) id = part.value;
        if (part.number == 2) text = part.bytes;
      }
      if (!interned_[field.number].emplace(id, text).second)
        throw std::runtime_error("an id was interned twice");
    }
  }

  void read_track(std::string_view bytes) {
    PerfettoTrack track;
    std::uint64_t uuid = 0;
    for (const WireField& field : wire_fields(bytes)) {
      if (field.number == 1) uuid = field.value;
      if (field.number == 2) track.name = field.bytes;
      if (field.number == 5) track.parent = field.value;
      if (field.number == 8) track.counter = true;
      if (field.number != 3) continue;
      for (const WireField& part : wire_fields(field.bytes))
        if (part.number == 6) track.process = part.bytes;
    }
    if (track.parent != 0 && !document_.tracks.contains(track.parent))
      throw std::runtime_error("a track comes before its parent");
    if (!document_.tracks.emplace(uuid, track).second)
      throw std::runtime_error("a track was described twice");
  }

  void read_attributes(std::string_view bytes) {
    for (const WireField& field : wire_fields(bytes)) {
      std::string key, value;
      for (const WireField& part : wire_fields(field.bytes)) {
        if (part.number == 1) key = part.bytes;
        if (part.number == 2) value = std::to_string(static_cast<std::int64_t>(part.value));
        if (part.number == 3) value = part.bytes;
      }
      document_.attributes[key] = value;
    }
  }

  void read_event(std::uint64_t time, std::string_view bytes) {
    PerfettoEvent event;
    event.time = time;
    for (const WireField& field : wire_fields(bytes)) {
      if (field.number == 9) event.type = field.value;
      if (field.number == 11) event.track = field.value;
      if (field.number == 3) event.category = interned_[1].at(field.value);
      if (field.number == 10) event.name = interned_[2].at(field.value);
      if (field.number == 30) event.value = static_cast<double>(field.value);
      if (field.number == 44) event.value = as_double(field.value);
      if (field.number == 47) event.flows.push_back(field.value);
      if (field.number == 48) event.ended_flows.push_back(field.value);
      if (field.number == 4) read_note(field.bytes, event);
    }
    if (!document_.tracks.contains(event.track))
      throw std::runtime_error("an event is on a track that nobody described");
    document_.events.push_back(std::move(event));
  }

  void read_note(std::string_view bytes, PerfettoEvent& event) {
    std::string name, value;
    for (const WireField& field : wire_fields(bytes)) {
      if (field.number == 1) name = interned_[3].at(field.value);
      if (field.number == 3) value = std::to_string(field.value);
      if (field.number == 4) value = std::to_string(static_cast<std::int64_t>(field.value));
      if (field.number == 5) value = fmt::format("{}", as_double(field.value));
      if (field.number == 17) value = interned_[29].at(field.value);
    }
    if (!event.notes.emplace(name, value).second)
      throw std::runtime_error("an annotation is there twice: " + name);
  }

  PerfettoDocument document_;
  std::map<std::uint32_t, Interned> interned_;  ///< by field of InternedData
};

}  // namespace

std::vector<WireField> wire_fields(std::string_view bytes) {
  std::vector<WireField> fields;
  while (!bytes.empty()) {
    const std::uint64_t tag = take_varint(bytes);
    WireField field;
    field.number = static_cast<std::uint32_t>(tag >> 3);
    field.type = static_cast<std::uint32_t>(tag & 7);
    if (field.number == 0) throw std::runtime_error("field 0");
    if (field.type == 0) {
      field.value = take_varint(bytes);
    } else if (field.type == 1) {
      std::memcpy(&field.value, take_bytes(bytes, 8).data(), 8);
    } else if (field.type == 2) {
      field.bytes = take_bytes(bytes, take_varint(bytes));
    } else {
      throw std::runtime_error(fmt::format("wire type {}", field.type));
    }
    fields.push_back(field);
  }
  return fields;
}

PerfettoDocument read_perfetto(std::string_view bytes) {
  return Reader().read(bytes);
}

std::string PerfettoDocument::path(std::uint64_t track) const {
  const PerfettoTrack& at = tracks.at(track);
  const std::string name = at.process.empty() ? at.name : at.process;
  return at.parent == 0 ? name : path(at.parent) + " / " + name;
}

std::string PerfettoDocument::text() const {
  std::string text;
  for (const auto& [key, value] : attributes)
    text += fmt::format("attribute {} = {}\n", key, value);
  for (const auto& [id, time] : clocks)
    text += fmt::format("clock {} at {}\n", id, time);
  std::map<std::uint64_t, std::size_t> flow_numbers;  // as they turn up
  const auto numbers = [&flow_numbers](const std::vector<std::uint64_t>& flows) {
    std::string list;
    for (const std::uint64_t flow : flows)
      list += fmt::format(" {}", flow_numbers.try_emplace(flow, flow_numbers.size()).first->second);
    return list;
  };
  for (const PerfettoEvent& event : events) {
    const char* kind = event.type == 1 ? "begin" : event.type == 2 ? "end" : "counter";
    text += fmt::format("{} {} [{}]", event.time, kind, path(event.track));
    if (event.type == 4) text += fmt::format(" = {}", event.value);
    if (event.type == 1) text += fmt::format(" {}: {}", event.category, event.name);
    if (!event.flows.empty()) text += "\n  arrows from here:" + numbers(event.flows);
    if (!event.ended_flows.empty()) text += "\n  arrows to here:" + numbers(event.ended_flows);
    for (const auto& [name, value] : event.notes)
      text += fmt::format("\n  {} = {}", name, value);
    text += '\n';
  }
  return text;
}

std::vector<PerfettoSlice> slices_of(const PerfettoDocument& document) {
  std::vector<PerfettoSlice> slices;
  std::map<std::uint64_t, std::vector<PerfettoEvent>> open;
  for (const PerfettoEvent& event : document.events) {
    std::vector<PerfettoEvent>& stack = open[event.track];
    if (event.type == 1) stack.push_back(event);
    if (event.type != 2) continue;
    if (stack.empty()) throw std::runtime_error("an end without a begin");
    slices.push_back({stack.back(), event.time});
    stack.pop_back();
  }
  for (const auto& [track, stack] : open)
    if (!stack.empty()) throw std::runtime_error("a begin without an end");
  return slices;
}

}  // namespace quintet
