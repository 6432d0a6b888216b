/// What a streaming writer wrote, for tests.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "profiler/report/byte_sink.h"

namespace quintet {

struct Collected {
  std::string text;
  std::size_t pieces = 0;
  std::size_t largest = 0;
};

/// Runs `write(sink)`, which must succeed.
template <class Write>
Collected collect(const Write& write) {
  Collected all;
  const Result<void> written = write([&all](std::string_view piece) -> Result<void> {
    all.text += piece;
    ++all.pieces;
    all.largest = std::max(all.largest, piece.size());
    return {};
  });
  EXPECT_TRUE(written.has_value());
  return all;
}

/// A sink that takes one piece and then fails; tells how often it was called.
inline ByteSink failing_sink(int& calls) {
  return [&calls](std::string_view) -> Result<void> {
    if (++calls > 1) return fail("the disk is full");
    return {};
  };
}

}  // namespace quintet
