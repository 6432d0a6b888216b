#include "profiler/trace/checksum.h"

#include <array>
#include <cstring>
#include <utility>

#include "profiler/trace/sqlite.h"

namespace quintet {

namespace {

std::uint64_t word_at(const std::byte* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

}  // namespace

void Checksum::add(std::span<const std::byte> bytes) {
  add(bytes.size());
  // Sums beside each other: one alone would wait for each multiplication.
  constexpr std::size_t kLanes = 8;
  constexpr std::size_t kBlock = kLanes * sizeof(std::uint64_t);
  if (bytes.size() >= kBlock) {
    std::array<std::uint64_t, kLanes> lanes{};
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      lanes[lane] = sum_ + lane;
    // Without a loop over them they stay in registers.
    const auto add_block =
        [&lanes]<std::size_t... I>(const std::byte* block, std::index_sequence<I...>) {
      ((lanes[I] = mixed(lanes[I], word_at(block + I * sizeof(std::uint64_t)))), ...);
    };
    for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock))
      add_block(bytes.data(), std::make_index_sequence<kLanes>());
    for (const std::uint64_t lane : lanes)
      add(lane);
  }
  for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t)))
    add(word_at(bytes.data()));
  if (bytes.empty()) return;
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes.data(), bytes.size());
  add(rest);
}

void Checksum::add(const Statement& row) {
  for (int column = 0; column < row.columns(); ++column) {
    const ValueType type = row.type(column);
    add(static_cast<std::uint64_t>(type));
    switch (type) {
      case ValueType::integer:
        add(static_cast<std::uint64_t>(row.integer(column)));
        break;
      case ValueType::real:
        add(std::bit_cast<std::uint64_t>(row.real(column)));
        break;
      case ValueType::text:  // its bytes: text() would replace those that are no UTF-8
      case ValueType::blob:
        add(row.blob(column));
        break;
      case ValueType::null:
        break;
    }
  }
}

}  // namespace quintet
