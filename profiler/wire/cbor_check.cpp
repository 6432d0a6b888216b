#include "profiler/wire/cbor_check.h"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <string>

namespace quintet {

namespace {

/// RFC 8949: the upper three bits of an item's first byte.
enum class Major : std::uint8_t { natural, negative, bytes, text, array, map, tag, simple };

struct Item {
  Major major = Major::natural;
  std::uint8_t info = 0;  ///< the lower five bits
  std::uint64_t value = 0;
};

/// Walks the items one after the other; arrays and maps that are open are a stack of what they still need.
class CborWalk {
 public:
  explicit CborWalk(std::span<const std::byte> bytes) : rest_(bytes), size_(bytes.size()) {}

  Result<void> run() {
    if (!one_item()) return tl::unexpected(error_);
    while (depth_ > 0) {
      Open& open = open_.at(depth_ - 1);
      if (open.left == 0) {
        --depth_;
        continue;
      }
      key_ = open.map && open.left % 2 == 0;
      --open.left;
      if (!one_item()) return tl::unexpected(error_);
    }
    if (!rest_.empty()) {
      refuse(fmt::format("{} bytes follow", rest_.size()));
      return tl::unexpected(error_);
    }
    return {};
  }

 private:
  struct Open {
    std::uint64_t left = 0;  ///< items; of a map keys and values
    bool map = false;
  };

  bool refuse(const std::string& why) {
    error_ = {fmt::format("is no message: {} at byte {}", why, size_ - rest_.size()), {}, {}, 0};
    return false;
  }

  std::uint8_t next_byte() {
    const auto byte = std::to_integer<std::uint8_t>(rest_.front());
    rest_ = rest_.subspan(1);
    return byte;
  }

  bool read_head(Item& item) {
    if (rest_.empty()) return refuse("the bytes end");
    const std::uint8_t first = next_byte();
    item.major = static_cast<Major>(first >> 5U);
    item.info = first & 0x1FU;
    if (item.info < 24) {
      item.value = item.info;
      return true;
    }
    if (item.info > 27) return refuse("an indefinite or reserved length");
    const std::size_t length = std::size_t{1} << (item.info - 24U);
    if (rest_.size() < length) return refuse("the bytes end");
    for (std::size_t i = 0; i < length; ++i)
      item.value = item.value << 8U | next_byte();
    return true;
  }

  bool one_item() {
    if (++items_ > kMostItems) return refuse(fmt::format("more than {} items", kMostItems));
    Item item;
    if (!read_head(item)) return false;
    if (key_ && item.major != Major::text) return refuse("a key that is no text");
    key_ = false;
    return take(item);
  }

  bool take(const Item& item) {
    switch (item.major) {
      case Major::natural:
        return true;
      case Major::negative:
        return item.value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
               refuse("a number below 64 bits");
      case Major::bytes:
      case Major::text:
        if (item.value > rest_.size()) return refuse("a string longer than the bytes");
        rest_ = rest_.subspan(static_cast<std::size_t>(item.value));
        return true;
      case Major::array:
      case Major::map:
        return open(item);
      case Major::tag:
        return refuse("a tag");
      case Major::simple:
        return (item.info >= 20 && item.info <= 22) || item.info >= 25 || refuse("a simple value");
    }
    return false;
  }

  bool open(const Item& item) {
    // Every item takes a byte at least: what announces more is refused before anything is set aside for it.
    const bool map = item.major == Major::map;
    if (item.value > rest_.size() / (map ? 2 : 1)) return refuse("more items than bytes");
    if (depth_ == open_.size()) return refuse(fmt::format("more than {} levels", kMostDepth));
    open_.at(depth_++) = {map ? 2 * item.value : item.value, map};
    return true;
  }

  std::span<const std::byte> rest_;
  std::size_t size_;
  std::array<Open, kMostDepth> open_{};
  std::size_t depth_ = 0;
  std::size_t items_ = 0;
  bool key_ = false;
  Error error_;
};

}  // namespace

Result<void> check_cbor(std::span<const std::byte> bytes) {
  return CborWalk(bytes).run();
}

}  // namespace quintet
