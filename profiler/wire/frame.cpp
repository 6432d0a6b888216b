#include "profiler/wire/frame.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <zlib.h>

namespace quintet {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers of a frame are little-endian");

constexpr std::array<std::byte, 3> kMagic = {std::byte{0xF5}, std::byte{'Q'}, std::byte{'W'}};

using Bytes = std::span<const std::byte>;

std::uint32_t checksum_of(Bytes bytes) {
  // zlib wants unsigned char; std::byte may alias it.
  return static_cast<std::uint32_t>(crc32_z(
      0, static_cast<const unsigned char*>(static_cast<const void*>(bytes.data())), bytes.size()));
}

std::uint32_t number_at(Bytes bytes, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

void put_number(std::byte* at, std::uint32_t number) {
  std::memcpy(at, &number, sizeof number);
}

/// Where `bytes` may hold a magic, from `from` on: one cut off by the end of `bytes` counts.
std::size_t find_magic(Bytes bytes, std::size_t from) {
  while (from < bytes.size()) {
    const void* found =
        std::memchr(bytes.data() + from, std::to_integer<int>(kMagic[0]), bytes.size() - from);
    if (found == nullptr) return bytes.size();
    const auto at = static_cast<std::size_t>(static_cast<const std::byte*>(found) - bytes.data());
    const std::size_t there = std::min(kMagic.size(), bytes.size() - at);
    if (std::equal(kMagic.begin(), kMagic.begin() + static_cast<std::ptrdiff_t>(there),
                   bytes.begin() + static_cast<std::ptrdiff_t>(at))) {
      return at;
    }
    from = at + 1;
  }
  return bytes.size();
}

}  // namespace

FrameCounts& FrameCounts::operator+=(const FrameCounts& other) {
  frames += other.frames;
  stray_bytes += other.stray_bytes;
  bad_headers += other.bad_headers;
  other_versions += other.other_versions;
  too_long += other.too_long;
  bad_payloads += other.bad_payloads;
  torn += other.torn;
  return *this;
}

std::vector<std::byte> frame_of(Bytes payload) {
  assert(payload.size() <= kMostPayloadBytes);
  std::vector<std::byte> frame(kFrameHeaderBytes + payload.size());
  std::copy(kMagic.begin(), kMagic.end(), frame.begin());
  frame[3] = std::byte{kFrameVersion};
  put_number(frame.data() + 4, static_cast<std::uint32_t>(payload.size()));
  put_number(frame.data() + 8, checksum_of(payload));
  put_number(frame.data() + 12, checksum_of(Bytes(frame).first(12)));
  if (!payload.empty()) {
    std::memcpy(frame.data() + kFrameHeaderBytes, payload.data(), payload.size());
  }
  return frame;
}

void FrameDecoder::take(Bytes bytes, const Deliver& deliver) {
  if (held_.empty()) {
    const std::size_t used = take_frames(bytes, deliver);
    held_.assign(bytes.begin() + static_cast<std::ptrdiff_t>(used), bytes.end());
    return;
  }
  // In pieces no longer than what the unfinished frame may still need, so that what is held stays bounded.
  while (!bytes.empty()) {
    const std::size_t room =
        kFrameHeaderBytes + most_payload_bytes_ - std::min(held_.size(), most_payload_bytes_);
    const std::size_t piece = std::min(bytes.size(), room);
    held_.insert(held_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(piece));
    bytes = bytes.subspan(piece);
    const std::size_t used = take_frames(held_, deliver);
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(used));
  }
}

/// Delivers what is whole and returns where the first unfinished frame begins.
std::size_t FrameDecoder::take_frames(Bytes bytes, const Deliver& deliver) {
  std::size_t at = 0;
  while (true) {
    const std::size_t magic = find_magic(bytes, at);
    counts_.stray_bytes += static_cast<std::int64_t>(magic - at);
    at = magic;
    if (bytes.size() - at < kFrameHeaderBytes) return at;
    const Bytes header = bytes.subspan(at, kFrameHeaderBytes);
    // What is no header is left at its second byte: a frame may begin inside it. Where the header is right,
    // so is its length: the payload is passed over whole, which keeps the work linear in the bytes.
    const auto reject = [&](std::int64_t& reason, std::size_t bytes_of_it) {
      ++reason;
      counts_.stray_bytes += static_cast<std::int64_t>(bytes_of_it);
      at += bytes_of_it;
    };
    const std::uint32_t length = number_at(header, 4);
    if (checksum_of(header.first(12)) != number_at(header, 12)) {
      reject(counts_.bad_headers, 1);
    } else if (length > most_payload_bytes_) {
      reject(counts_.too_long, kFrameHeaderBytes);
    } else if (bytes.size() - at - kFrameHeaderBytes < length) {
      return at;
    } else if (header[3] != std::byte{kFrameVersion}) {
      reject(counts_.other_versions, kFrameHeaderBytes + length);
    } else if (const Bytes payload = bytes.subspan(at + kFrameHeaderBytes, length);
               checksum_of(payload) != number_at(header, 8)) {
      reject(counts_.bad_payloads, kFrameHeaderBytes + length);
    } else {
      ++counts_.frames;
      at += kFrameHeaderBytes + length;
      deliver(payload);
    }
  }
}

void FrameDecoder::end() {
  // Where one frame never came to its end, whole ones may lie inside what it announced; they are not
  // looked for, as nothing follows that could need them.
  if (!held_.empty()) ++counts_.torn;
  counts_.stray_bytes += static_cast<std::int64_t>(held_.size());
  held_.clear();
}

}  // namespace quintet
