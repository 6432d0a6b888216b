/// The field numbers of Perfetto's published trace schema that our export uses, and nothing else of
/// it.
#pragma once

#include <cstdint>

namespace quintet::perfetto {

namespace trace {
inline constexpr std::uint32_t kPacket = 1;
}

namespace packet {
inline constexpr std::uint32_t kClockSnapshot = 6;
inline constexpr std::uint32_t kTimestamp = 8;
inline constexpr std::uint32_t kSequenceId = 10;
inline constexpr std::uint32_t kTrackEvent = 11;
inline constexpr std::uint32_t kInternedData = 12;
inline constexpr std::uint32_t kSequenceFlags = 13;
inline constexpr std::uint32_t kDefaults = 59;
inline constexpr std::uint32_t kTrackDescriptor = 60;
inline constexpr std::uint32_t kFirstOnSequence = 87;
inline constexpr std::uint32_t kTraceAttributes = 126;
inline constexpr std::uint64_t kStateCleared = 1;  ///< of the sequence flags
inline constexpr std::uint64_t kNeedsState = 2;
}  // namespace packet

namespace defaults {
inline constexpr std::uint32_t kClockId = 58;
}

namespace clock {
inline constexpr std::uint32_t kClocks = 1;
inline constexpr std::uint32_t kPrimary = 2;
inline constexpr std::uint32_t kId = 1;  ///< of one clock
inline constexpr std::uint32_t kTime = 2;
inline constexpr std::uint64_t kRealtime = 1;
inline constexpr std::uint64_t kMonotonic = 3;
}  // namespace clock

namespace attributes {
inline constexpr std::uint32_t kAttribute = 1;
inline constexpr std::uint32_t kKey = 1;
inline constexpr std::uint32_t kInteger = 2;
inline constexpr std::uint32_t kText = 3;
}  // namespace attributes

namespace track {
inline constexpr std::uint32_t kUuid = 1;
inline constexpr std::uint32_t kName = 2;
inline constexpr std::uint32_t kProcess = 3;
inline constexpr std::uint32_t kParent = 5;
inline constexpr std::uint32_t kCounter = 8;
inline constexpr std::uint32_t kChildOrdering = 11;
inline constexpr std::uint32_t kSiblingRank = 12;
inline constexpr std::uint64_t kExplicitOrdering = 3;
inline constexpr std::uint32_t kPid = 1;  ///< of a process
inline constexpr std::uint32_t kProcessName = 6;
}  // namespace track

namespace event {
inline constexpr std::uint32_t kCategoryIids = 3;
inline constexpr std::uint32_t kAnnotation = 4;
inline constexpr std::uint32_t kType = 9;
inline constexpr std::uint32_t kNameIid = 10;
inline constexpr std::uint32_t kTrackUuid = 11;
inline constexpr std::uint32_t kCounterValue = 30;
inline constexpr std::uint32_t kDoubleCounterValue = 44;
inline constexpr std::uint32_t kFlowIds = 47;
inline constexpr std::uint32_t kTerminatingFlowIds = 48;
inline constexpr std::uint64_t kSliceBegin = 1;  ///< of the types
inline constexpr std::uint64_t kSliceEnd = 2;
inline constexpr std::uint64_t kCounter = 4;
}  // namespace event

namespace interned {
inline constexpr std::uint32_t kCategories = 1;
inline constexpr std::uint32_t kEventNames = 2;
inline constexpr std::uint32_t kAnnotationNames = 3;
inline constexpr std::uint32_t kAnnotationTexts = 29;
inline constexpr std::uint32_t kIid = 1;  ///< of an entry
inline constexpr std::uint32_t kText = 2;
}  // namespace interned

namespace annotation {
inline constexpr std::uint32_t kNameIid = 1;
inline constexpr std::uint32_t kUnsigned = 3;
inline constexpr std::uint32_t kSigned = 4;
inline constexpr std::uint32_t kDouble = 5;
inline constexpr std::uint32_t kTextIid = 17;
}  // namespace annotation

}  // namespace quintet::perfetto
