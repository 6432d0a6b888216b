/// Strong integer ids: an index of one table cannot be used for another.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace quintet {

/// An index into the table that `Tag` names. Ordered by value; `Id{}` is 0, a valid index.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t value) : value_(value) {}
  [[nodiscard]] constexpr std::uint32_t value() const { return value_; }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::uint32_t value_ = 0;
};

using TensorId = Id<struct TensorTag>;
using OpId = Id<struct OpTag>;
using TaskId = Id<struct TaskTag>;
using RegionId = Id<struct RegionTag>;
using LaneId = Id<struct LaneTag>;

}  // namespace quintet

template <class Tag>
struct std::hash<quintet::Id<Tag>> {
  std::size_t operator()(quintet::Id<Tag> id) const noexcept { return id.value(); }
};
