/// Frames: how messages lie in a stream of bytes, so that a reader always finds the next one.
///
///     magic F5 'Q' 'W' version | length u32 | checksum of payload u32 | checksum of header u32 | payload
///
/// Numbers are little-endian, checksums CRC-32; that of the header covers the 12 bytes before it. The byte
/// F5 is part of no UTF-8 text: what a login shell prints before the first frame is never taken for one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace quintet {

inline constexpr std::uint8_t kFrameVersion = 1;
inline constexpr std::size_t kFrameHeaderBytes = 16;
/// The longest payload that is sent or taken.
inline constexpr std::size_t kMostPayloadBytes = std::size_t{32} << 20U;

/// Header and payload. The payload is at most kMostPayloadBytes long.
std::vector<std::byte> frame_of(std::span<const std::byte> payload);

/// What a decoder met. Bytes are those that belong to no frame that was delivered.
struct FrameCounts {
  std::int64_t frames = 0;          ///< delivered
  std::int64_t stray_bytes = 0;     ///< before, between or inside frames
  std::int64_t bad_headers = 0;     ///< magic, and a header whose checksum is wrong
  std::int64_t other_versions = 0;  ///< right headers of a version that this is not
  std::int64_t too_long = 0;        ///< right headers that announce more than the limit
  std::int64_t bad_payloads = 0;    ///< payloads whose checksum is wrong
  std::int64_t torn = 0;            ///< the stream ended inside a frame: 0 or 1

  /// Frames that were begun and not delivered.
  [[nodiscard]] std::int64_t rejected() const {
    return bad_headers + other_versions + too_long + bad_payloads + torn;
  }
  FrameCounts& operator+=(const FrameCounts& other);
  friend bool operator==(const FrameCounts&, const FrameCounts&) = default;
};

/// Finds frames in bytes that come in any pieces. After anything that is no frame it goes on at the next
/// magic: a damaged frame costs no other, and bytes that others wrote into the stream at most the frame
/// that they hit. A frame from which bytes are missing also costs those that it seems to reach into. Holds at most the limit and one header, and never more than
/// has arrived. One thread at a time; throws std::bad_alloc alone.
class FrameDecoder {
 public:
  using Deliver = std::function<void(std::span<const std::byte> payload)>;

  explicit FrameDecoder(std::size_t most_payload_bytes = kMostPayloadBytes)
      : most_payload_bytes_(most_payload_bytes) {}

  /// Calls `deliver` for each payload that is whole now; its bytes live during the call.
  void take(std::span<const std::byte> bytes, const Deliver& deliver);
  /// The stream has ended: what is left is torn, or stray where no frame had begun.
  void end();

  [[nodiscard]] const FrameCounts& counts() const { return counts_; }
  [[nodiscard]] std::size_t held_bytes() const { return held_.size(); }

 private:
  std::size_t take_frames(std::span<const std::byte> bytes, const Deliver& deliver);

  std::size_t most_payload_bytes_;
  std::vector<std::byte> held_;  ///< an unfinished frame from its magic on
  FrameCounts counts_;
};

}  // namespace quintet
