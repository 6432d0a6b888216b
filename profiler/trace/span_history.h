/// How many of the leading spans of a growing trace are still what they were in an earlier state of
/// it, so that what was made of them can be kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace quintet {

/// Belongs to one state of a trace; copied with it. An empty one knows of nothing earlier. Between
/// states tables only grow at their ends, but for spans, which stay sorted: late ones move those
/// behind them.
///
/// Owns: at most kMostChanges numbers. Threads: readable from many. Throws: bad_alloc.
/// Usage: `history.grow(first); ...; history.shared_with(history_of_an_earlier_state)`.
class SpanHistory {
 public:
  /// States further back than this share nothing, as far as is known.
  static constexpr std::size_t kMostChanges = 64;

  /// The first state of another trace.
  void restart();
  /// The next state: spans before `unchanged` are those of the state before.
  void grow(std::size_t unchanged);
  /// How many leading spans this state shares with an earlier one, at least; 0 for a state of another
  /// trace. More than either holds where nothing changed.
  [[nodiscard]] std::size_t shared_with(const SpanHistory& earlier) const;

 private:
  struct Change {
    std::uint64_t state = 0;    ///< which it led to
    std::size_t unchanged = 0;  ///< of this change and all later ones
  };

  std::shared_ptr<const int> trace_;  ///< tells traces apart
  std::uint64_t state_ = 0;
  std::uint64_t oldest_ = 0;     ///< of the states that can be told about
  std::vector<Change> changes_;  ///< by state; `unchanged` ascends too
};

}  // namespace quintet
