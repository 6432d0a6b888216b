#include "profiler/capture/kernel_names.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace quintet {

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

std::string_view KernelNames::of(const char* mangled) {
  if (mangled == nullptr) return "unknown";
  const auto [entry, fresh] = known_.try_emplace(mangled);
  if (fresh) entry->second = demangled(mangled);
  return entry->second;
}

}  // namespace quintet
