/// One sequence of packets of a Perfetto trace, with its clock and its interned texts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace quintet {

/// Texts by id: what is new goes into the next packet. Ids count from 1.
class InternTable {
 public:
  /// `field` of the message InternedData.
  explicit InternTable(std::uint32_t field) : field_(field) {}
  /// The id of a text; a new one is appended to `pending`, as a field of InternedData.
  std::uint64_t id_of(std::string_view text, std::string& pending);

 private:
  /// Looks texts up without a copy of them.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::uint32_t field_;
  std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> ids_;
};

/// Appends packets to bytes that somebody else takes away. One thread; texts become valid UTF-8.
class PerfettoPackets {
 public:
  /// Begins the sequence `id`, whose times are of the monotonic clock.
  PerfettoPackets(std::string& out, std::uint32_t id);

  // Ids of texts, each of which travels once:
  std::uint64_t category(std::string_view text) { return categories_.id_of(text, pending_); }
  std::uint64_t event_name(std::string_view text) { return names_.id_of(text, pending_); }

  std::uint64_t note_name(std::string_view text) { return note_names_.id_of(text, pending_); }
  std::uint64_t note_text(std::string_view text) { return note_texts_.id_of(text, pending_); }

  /// A packet whose payload is `message` as field `field`.
  void write(std::uint64_t time_ns, std::uint32_t field, std::string_view message);
  /// One that has no time.
  void write_timeless(std::uint32_t field, std::string_view message);

 private:
  void finish_packet(std::uint32_t field, std::string_view message);

  std::string& out_;
  std::uint32_t id_;
  InternTable categories_;
  InternTable names_;
  InternTable note_names_;
  InternTable note_texts_;
  std::string pending_;  ///< InternedData of the next packet
  std::string packet_;
};

}  // namespace quintet
