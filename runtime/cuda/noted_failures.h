/// What destructors of this process failed at when they gave back what they held of a GPU: they must
/// not throw, so they note it (note_failure).
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace quintet {

/// "destroying a stream: invalid argument" -> how often. Where memory ran out while one was noted, the
/// count of all (noted_failures()) is higher. Threads: any.
std::map<std::string, std::int64_t> noted_failure_kinds();

}  // namespace quintet
