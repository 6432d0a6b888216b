/// What the host executor runs on.
#pragma once

#include <cstdint>
#include <string>

namespace quintet {

struct HostDevice {
  std::string processor;  ///< "unknown processor" where the system does not tell
  int cores = 1;          ///< that this process may use
  std::uint64_t memory_bytes = 0;
  std::string library;  ///< "oneDNN 2.6.3"
};

HostDevice describe_host();

}  // namespace quintet
