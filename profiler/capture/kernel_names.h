/// Names of kernels and copies as people write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace quintet {

/// The C++ name behind a mangled one; the name itself where it is none.
std::string demangled(const char* name);

/// Demangles each name once: the driver tells one name by one address for as long as it lives.
/// Owns what it returns; one thread at a time.
class KernelNames {
 public:
  /// Of a null pointer "unknown".
  std::string_view of(const char* mangled);

 private:
  std::unordered_map<const char*, std::string> known_;
};

}  // namespace quintet
