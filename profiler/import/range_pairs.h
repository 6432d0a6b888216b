/// Pairs the begins and ends of ranges by owner, name and time, in whatever order a file holds them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "profiler/import/activity_table.h"
#include "profiler/import/text_pool.h"

namespace quintet {

/// One range, paired.
struct PairedRange {
  std::string_view name;  ///< valid during the call that passes the range
  std::int64_t begin_ns = 0;
  std::optional<std::int64_t> end_ns;  ///< nothing = no end was found
  RangeSort sort = RangeSort::nested;
  std::uint16_t lane = 0;
  std::uint8_t category = 0;
};

/// Gathers the begins and ends of one file, 24 bytes each, and pairs them once all are known.
///
/// The ranges of an owner (a thread, or an id of started ranges) form a stack in order of time. An
/// end that carries a name ends the innermost open range of that name; one without ends the
/// innermost. At equal times an end of a range that is open already precedes every begin, and the
/// order of the file decides otherwise. Time: n log n, whatever the depth.
class RangePairs {
 public:
  /// Ranges nested deeper than this are left out.
  static constexpr std::uint32_t kMostDepth = 10'000;

  struct Counts {
    std::int64_t ambiguous = 0;  ///< pairs that could have been made otherwise, with other times
    std::int64_t too_deep = 0;   ///< ranges left out
    std::int64_t without_begin = 0;  ///< ends left out
  };

  /// The number of an owner with this key.
  std::uint32_t owner(std::string_view key) { return owners_.intern(key); }
  /// Adds a begin. `range.end_ns` is ignored.
  void begin(std::uint32_t owner, const PairedRange& range);
  /// Adds an end; an empty name ends the innermost range.
  void end(std::uint32_t owner, std::string_view name, std::int64_t time_ns);
  [[nodiscard]] bool empty() const { return marks_.empty(); }

  /// Passes every range, by owner and begin. Empty afterwards.
  Counts pair(const std::function<void(const PairedRange&)>& on_range);

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  enum class MarkKind : std::uint8_t { nested_begin, started_begin, end, too_deep };
  struct Mark {
    std::int64_t time_ns = 0;
    std::uint32_t owner = 0;
    std::uint32_t name = kNone;
    std::uint32_t place = 0;  ///< in the file; once sorted the mark's partner, or kNone
    std::uint16_t lane = 0;
    std::uint8_t category = 0;
    MarkKind kind = MarkKind::end;
  };
  static_assert(sizeof(Mark) == 24);

  /// An open range: a link of two lists, all open ones and those of its name.
  struct Open {
    std::uint32_t mark = kNone;
    std::uint32_t below = kNone;
    std::uint32_t above = kNone;
    std::uint32_t same_name_below = kNone;
    std::uint32_t older = kNone;        ///< the next of its name that began earlier, not at once
    std::uint32_t earlier_end = kNone;  ///< one of this time and name that stands before the begin
  };
  struct Name {
    std::uint32_t open = kNone;      ///< the innermost open range
    std::uint32_t last_end = kNone;  ///< the mark that ended a range of this name last
    std::uint32_t lost_end =
        kNone;  ///< the last mark that ended nothing; its `place` names another
  };

  void pair_owner(std::uint32_t first, std::uint32_t last);
  void pair_moment(std::uint32_t first, std::uint32_t last);
  void open_range(std::uint32_t mark);
  void end_range(std::uint32_t mark);
  void close(std::uint32_t open, std::uint32_t end);
  void judge_doubts();
  void close_rest();
  [[nodiscard]] bool at_once(std::uint32_t a, std::uint32_t b) const {
    return marks_[a].owner == marks_[b].owner && marks_[a].time_ns == marks_[b].time_ns;
  }

  TextPool owners_;
  TextPool names_;
  std::deque<Mark> marks_;  ///< not a vector: that would need three times the memory as it grows
  std::vector<Name> name_states_;
  std::vector<Open> opens_;
  std::vector<std::uint32_t> free_;    ///< places in opens_
  std::vector<std::uint32_t> doubts_;  ///< begins of this moment that another may have stood for
  std::uint32_t top_ = kNone;
  std::uint32_t depth_ = 0;
  Counts counts_;
};

}  // namespace quintet
