#include "profiler/wire/frame.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace quintet {
namespace {

using FrameBytes = std::vector<std::byte>;

FrameBytes bytes_of(std::string_view text) {
  FrameBytes bytes;
  for (const char c : text)
    bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

FrameBytes operator+(FrameBytes left, const FrameBytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// A decoder and the payloads that came out of it, as text.
class Reading {
 public:
  explicit Reading(std::size_t most = kMostPayloadBytes) : decoder_(most) {}

  void take(std::span<const std::byte> bytes) {
    decoder_.take(bytes, [this](std::span<const std::byte> payload) {
      std::string text;
      for (const std::byte byte : payload)
        text += static_cast<char>(byte);
      payloads.push_back(text);
    });
    most_held = std::max(most_held, decoder_.held_bytes());
  }
  void take_one_by_one(const FrameBytes& bytes) {
    for (const std::byte byte : bytes)
      take({&byte, 1});
  }
  const FrameCounts& end() {
    decoder_.end();
    return decoder_.counts();
  }

  std::vector<std::string> payloads;
  std::size_t most_held = 0;

 private:
  FrameDecoder decoder_;
};

using Texts = std::vector<std::string>;

TEST(Frame, ComesOutAsItWentInWhateverThePieces) {
  const FrameBytes stream = frame_of(bytes_of("one")) + frame_of({}) + frame_of(bytes_of("three"));
  for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
    Reading reading;
    for (std::size_t at = 0; at < stream.size(); at += piece)
      reading.take(std::span(stream).subspan(at, std::min(piece, stream.size() - at)));
    EXPECT_EQ(reading.payloads, (Texts{"one", "", "three"})) << piece;
    FrameCounts expected;
    expected.frames = 3;
    EXPECT_EQ(reading.end(), expected) << piece;
  }
}

TEST(Frame, TornAtAnyByteIsCountedAndNotDelivered) {
  const FrameBytes whole = frame_of(bytes_of("whole"));
  const FrameBytes torn = frame_of(bytes_of("this one is torn"));
  for (std::size_t length = 1; length < torn.size(); ++length) {
    Reading reading;
    reading.take(whole +
                 FrameBytes(torn.begin(), torn.begin() + static_cast<std::ptrdiff_t>(length)));
    EXPECT_EQ(reading.payloads, Texts{"whole"});
    const FrameCounts& counts = reading.end();
    EXPECT_EQ(counts.torn, 1) << length;
    EXPECT_EQ(counts.stray_bytes, static_cast<std::int64_t>(length));
  }
}

TEST(Frame, WithAnyByteChangedIsNotDeliveredAndTheNextOneIs) {
  const FrameBytes frame = frame_of(bytes_of("payload"));
  const FrameBytes next = frame_of(bytes_of("next"));
  for (std::size_t at = 0; at < frame.size(); ++at) {
    FrameBytes changed = frame;
    changed[at] ^= std::byte{0x10};
    Reading reading;
    reading.take_one_by_one(changed + next);
    EXPECT_EQ(reading.payloads, Texts{"next"}) << at;
    const FrameCounts& counts = reading.end();
    EXPECT_EQ(counts.stray_bytes, static_cast<std::int64_t>(frame.size())) << at;
    EXPECT_EQ(counts.frames, 1);
    // A magic that is changed leaves bytes that belong to nothing.
    EXPECT_EQ(counts.rejected(), at < 3 ? 0 : 1) << at;
  }
}

TEST(Frame, IsFoundBehindWhatALoginShellPrints) {
  const std::string banner = "Last login: Mon Nov 30\nWelcome to machine \xC3\xBC!\n";
  Reading reading;
  reading.take(bytes_of(banner) + frame_of(bytes_of("hello")));
  EXPECT_EQ(reading.payloads, Texts{"hello"});
  EXPECT_EQ(reading.end().stray_bytes, static_cast<std::int64_t>(banner.size()));
}

TEST(Frame, HitByStrayBytesIsLostAndNoOther) {
  const FrameBytes frame = frame_of(bytes_of("a payload that is hit"));
  for (std::size_t at = 0; at <= frame.size(); ++at) {
    FrameBytes hit = frame;
    const FrameBytes stray = bytes_of("printf!");
    hit.insert(hit.begin() + static_cast<std::ptrdiff_t>(at), stray.begin(), stray.end());
    Reading reading;
    reading.take(frame_of(bytes_of("before")) + hit + frame_of(bytes_of("after")));
    const bool between = at == 0 || at == frame.size();
    const Texts expected =
        between ? Texts{"before", "a payload that is hit", "after"} : Texts{"before", "after"};
    EXPECT_EQ(reading.payloads, expected) << at;
  }
}

TEST(Frame, OfAnotherVersionIsCountedOnce) {
  FrameBytes frame = frame_of(bytes_of("future"));
  frame[3] = std::byte{kFrameVersion + 1};
  Reading plain;
  plain.take(frame);
  EXPECT_EQ(plain.end().bad_headers, 1) << "the version is under the checksum of the header";
}

TEST(Frame, LongerThanTheLimitIsRefusedBeforeAnythingIsHeldForIt) {
  const FrameBytes long_frame = frame_of(FrameBytes(1000, std::byte{'x'}));
  Reading reading(/*most=*/100);
  reading.take_one_by_one(long_frame);
  reading.take(frame_of(bytes_of("short")));
  EXPECT_EQ(reading.payloads, Texts{"short"});
  EXPECT_LE(reading.most_held, kFrameHeaderBytes);
  EXPECT_EQ(reading.end().too_long, 1);
}

TEST(Frame, HoldsNoMoreThanTheLimitWhateverComes) {
  std::mt19937 random(7);
  Reading reading(/*most=*/256);
  for (int round = 0; round < 2000; ++round) {
    FrameBytes bytes(random() % 700);
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random() % 4 == 0 ? 0xF5 : random());
    if (random() % 3 == 0) bytes = bytes + frame_of(FrameBytes(random() % 600, std::byte{0xF5}));
    if (random() % 3 == 0) bytes.resize(bytes.size() / 2);
    reading.take(bytes);
  }
  EXPECT_LE(reading.most_held, 256 + kFrameHeaderBytes);
}

TEST(Frame, AHundredThousandHeadersInOneAnotherAreReadOnce) {
  // Each announces a payload that reaches far over the others: work must stay linear.
  FrameBytes stream;
  for (int i = 0; i < 100'000; ++i) {
    const FrameBytes frame = frame_of(FrameBytes(64, std::byte{0}));
    stream.insert(stream.end(), frame.begin(), frame.begin() + kFrameHeaderBytes);
  }
  Reading reading;
  reading.take(stream);
  EXPECT_TRUE(reading.payloads.empty());
  EXPECT_GT(reading.end().bad_payloads, 10'000);
}

}  // namespace
}  // namespace quintet
