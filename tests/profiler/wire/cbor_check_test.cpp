#include "profiler/wire/cbor_check.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace quintet {
namespace {

using Bytes = std::vector<std::uint8_t>;

Result<void> check(const Bytes& bytes) {
  return check_cbor(std::as_bytes(std::span(bytes)));
}

Bytes cbor_of(const nlohmann::json& json) {
  return nlohmann::json::to_cbor(json);
}

nlohmann::json nested(std::size_t levels) {
  nlohmann::json json = 1;
  for (std::size_t i = 0; i < levels; ++i)
    json = nlohmann::json::array({json});
  return json;
}

TEST(CborCheck, TakesWhatMessagesAreMadeOf) {
  const nlohmann::json message = {{"text", "Zürich"},
                                  {"numbers", {0, 23, 24, 256, 65536, 1LL << 40, -1, INT64_MIN}},
                                  {"reals", {0.5, -1e300}},
                                  {"words", {true, false, nullptr}},
                                  {"bytes", nlohmann::json::binary(Bytes(300, 7))},
                                  {"empty", nlohmann::json::object()}};
  EXPECT_TRUE(check(cbor_of(message)));
}

TEST(CborCheck, RefusesEveryBeginningOfAMessage) {
  const Bytes whole = cbor_of({{"a", {1, 2, "three"}}, {"b", nlohmann::json::binary({1, 2, 3})}});
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(check(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length))));
}

TEST(CborCheck, RefusesWhatFollowsAMessage) {
  Bytes bytes = cbor_of({{"a", 1}});
  bytes.push_back(0);
  EXPECT_FALSE(check(bytes));
}

TEST(CborCheck, RefusesDeepNesting) {
  EXPECT_TRUE(check(cbor_of(nested(kMostDepth))));
  EXPECT_FALSE(check(cbor_of(nested(kMostDepth + 1))));
  // A million levels in a million bytes: the stack must not feel them.
  EXPECT_FALSE(check(Bytes(1'000'000, 0x81)));
  EXPECT_FALSE(check(Bytes(1'000'000, 0x9F)));  // arrays
  EXPECT_FALSE(check(Bytes(1'000'000, 0x7F)));  // text in pieces
  EXPECT_FALSE(check(Bytes(1'000'000, 0x5F)));  // bytes in pieces
  EXPECT_FALSE(check(Bytes(1'000'000, 0xC1)));  // tags
}

TEST(CborCheck, RefusesLengthsThatTheBytesDoNotHold) {
  EXPECT_FALSE(check({0x9B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}));        // array
  EXPECT_FALSE(check({0xBB, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x60}));  // map
  EXPECT_FALSE(check({0xBB, 0x80, 0, 0, 0, 0, 0, 0, 0x01, 0x60, 0x60}));              // 2n wraps
  EXPECT_FALSE(check({0x5B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00}));  // bytes
  EXPECT_FALSE(check({0x7A, 0x80, 0x00, 0x00, 0x00, 'a'}));                           // text
}

TEST(CborCheck, RefusesMoreItemsThanAllowed) {
  EXPECT_TRUE(check(cbor_of(nlohmann::json(std::vector<int>(kMostItems - 1, 0)))));
  EXPECT_FALSE(check(cbor_of(nlohmann::json(std::vector<int>(kMostItems, 0)))));
}

TEST(CborCheck, RefusesWhatMessagesAreNotMadeOf) {
  EXPECT_FALSE(check({0xA1, 0x01, 0x01})) << "a key that is a number";
  EXPECT_FALSE(check({0xF7})) << "undefined";
  EXPECT_FALSE(check({0xF8, 0x20})) << "a simple value";
  EXPECT_FALSE(check({0xFF})) << "a break";
  EXPECT_FALSE(check({0x1C})) << "a reserved length";
  EXPECT_FALSE(check({0x3B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})) << "below int64";
}

TEST(CborCheck, WhatItTakesTheLibraryTakesToo) {
  // Every message of up to three bytes.
  for (unsigned int number = 0; number < 1U << 24U; number += 1) {
    const Bytes bytes = {static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(number >> 8U),
                         static_cast<std::uint8_t>(number >> 16U)};
    const std::size_t length = 1 + number % 3;
    const std::span<const std::uint8_t> some = std::span(bytes).first(length);
    if (!check_cbor(std::as_bytes(some))) continue;
    ASSERT_FALSE(nlohmann::json::from_cbor(some.begin(), some.end(), true, false).is_discarded())
        << number;
  }
}

}  // namespace
}  // namespace quintet
