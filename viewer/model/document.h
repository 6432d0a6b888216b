/// A recording that is open in the viewer: its trace, where it came from and which opening it was.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "profiler/trace/span_history.h"
#include "profiler/trace/trace.h"

namespace quintet::viewer {

/// The two places a recording can be open at.
enum class Side : std::uint8_t { a, b };

inline constexpr std::size_t kSideCount = 2;

constexpr std::size_t index_of(Side side) {
  return static_cast<std::size_t>(side);
}
constexpr Side other(Side side) {
  return side == Side::a ? Side::b : Side::a;
}
constexpr std::string_view name_of(Side side) {
  return side == Side::a ? "A" : "B";
}

/// Plain data; the trace is never changed, so any thread may read it. Whatever is computed from a
/// document keeps its generation beside it and is stale as soon as the two differ.
struct Document {
  std::shared_ptr<const Trace> trace;
  std::string file;              ///< as opened; empty = it was never a file
  std::uint64_t generation = 0;  ///< set when it is placed; no two placed ones share it
  bool live = false;             ///< a run that still grows
  SpanHistory history;           ///< what it shares with earlier states of the same run

  /// What the recording says under a key of its provenance; empty where it says nothing.
  [[nodiscard]] std::string said(const std::string& provenance_key) const;
  /// "renaissance-dataflow, whole_step", with ", predicted" where nothing of it ran; without a policy
  /// the file's name: for a title.
  [[nodiscard]] std::string label() const;
};

}  // namespace quintet::viewer
