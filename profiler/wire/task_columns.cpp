#include "profiler/wire/task_columns.h"

#include <cstddef>

namespace quintet {

namespace {

constexpr std::uint8_t kSpaceCount = 2;
constexpr std::uint8_t kModeCount = 4;
constexpr std::uint8_t kBoundCount = 2;
constexpr std::uint8_t kOriginCount = 3;
constexpr std::int64_t kMostAccesses = std::int64_t{1} << 22;

struct AccessColumns {
  std::vector<std::uint32_t> task;
  std::vector<std::uint32_t> region;
  std::vector<std::uint8_t> space;
  std::vector<std::int32_t> device;
  std::vector<std::uint64_t> offset;
  std::vector<std::uint64_t> bytes;
  std::vector<std::uint64_t> stride;
  std::vector<std::uint64_t> pieces;
  std::vector<std::uint8_t> mode;
  std::vector<std::uint8_t> bound;
  std::vector<std::uint8_t> origin;

  void add(std::uint32_t of_task, const Access& access) {
    task.push_back(of_task);
    region.push_back(access.region.value());
    space.push_back(static_cast<std::uint8_t>(access.space));
    device.push_back(access.device);
    offset.push_back(access.offset);
    bytes.push_back(access.bytes);
    stride.push_back(access.stride);
    pieces.push_back(access.count);
    mode.push_back(static_cast<std::uint8_t>(access.mode));
    bound.push_back(static_cast<std::uint8_t>(access.bound));
    origin.push_back(static_cast<std::uint8_t>(access.origin));
  }

  [[nodiscard]] bool known_words(std::size_t i) const {
    return space[i] < kSpaceCount && mode[i] < kModeCount && bound[i] < kBoundCount &&
           origin[i] < kOriginCount;
  }

  [[nodiscard]] Access access(std::size_t i) const {
    Access access;
    access.region = RegionId(region[i]);
    access.space = static_cast<MemorySpace>(space[i]);
    access.device = device[i];
    access.offset = offset[i];
    access.bytes = bytes[i];
    access.stride = stride[i];
    access.count = pieces[i];
    access.mode = static_cast<AccessMode>(mode[i]);
    access.bound = static_cast<AccessBound>(bound[i]);
    access.origin = static_cast<AccessOrigin>(origin[i]);
    return access;
  }
};

/// As the reader of recordings demands it.
bool addressable(const Access& access) {
  constexpr std::uint64_t kMostBytes = 1ULL << 60;
  constexpr std::uint64_t kMostPieces = 1ULL << 32;
  std::uint64_t reach = 0;
  return access.count > 0 && access.count <= kMostPieces &&
         !__builtin_mul_overflow(access.count - 1, access.stride, &reach) &&
         !__builtin_add_overflow(reach, access.offset, &reach) &&
         !__builtin_add_overflow(reach, access.bytes, &reach) && reach <= kMostBytes;
}

}  // namespace

WireJson accesses_json(const std::vector<TraceTask>& tasks) {
  AccessColumns columns;
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    for (const Access& access : tasks[task].accesses)
      columns.add(static_cast<std::uint32_t>(task), access);
  }
  return {{"count", columns.task.size()},          {"task", column_json(columns.task)},
          {"region", column_json(columns.region)}, {"space", column_json(columns.space)},
          {"device", column_json(columns.device)}, {"offset", column_json(columns.offset)},
          {"bytes", column_json(columns.bytes)},   {"stride", column_json(columns.stride)},
          {"pieces", column_json(columns.pieces)}, {"mode", column_json(columns.mode)},
          {"bound", column_json(columns.bound)},   {"origin", column_json(columns.origin)}};
}

void read_accesses(FieldReader& reader, std::vector<TraceTask>& tasks) {
  const auto count = static_cast<std::size_t>(reader.integer("count", 0, kMostAccesses));
  AccessColumns columns;
  columns.task = reader.column<std::uint32_t>("task", count);
  columns.region = reader.column<std::uint32_t>("region", count);
  columns.space = reader.column<std::uint8_t>("space", count);
  columns.device = reader.column<std::int32_t>("device", count);
  columns.offset = reader.column<std::uint64_t>("offset", count);
  columns.bytes = reader.column<std::uint64_t>("bytes", count);
  columns.stride = reader.column<std::uint64_t>("stride", count);
  columns.pieces = reader.column<std::uint64_t>("pieces", count);
  columns.mode = reader.column<std::uint8_t>("mode", count);
  columns.bound = reader.column<std::uint8_t>("bound", count);
  columns.origin = reader.column<std::uint8_t>("origin", count);
  for (std::size_t i = 0; i < count && reader.fine(); ++i) {
    if (columns.task[i] >= tasks.size()) {
      reader.refuse("task", fmt::format("{} is none of {}", columns.task[i], tasks.size()));
    } else if (!columns.known_words(i)) {
      reader.refuse("mode", "or space, bound or origin is a number that means nothing");
    } else if (const Access access = columns.access(i); !addressable(access)) {
      reader.refuse("offset", "and bytes reach beyond all memory");
    } else {
      tasks[columns.task[i]].accesses.push_back(access);
    }
  }
}

}  // namespace quintet
