#include "scenarios/cli/source_commit.h"

#include <array>
#include <cstdio>

namespace quintet {

std::string source_commit() {
  std::FILE* pipe =
      popen("git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null </dev/null", "r");
  if (pipe == nullptr) return {};
  std::string commit;
  std::array<char, 128> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr)
    commit += buffer.data();
  const bool fine = pclose(pipe) == 0;
  while (!commit.empty() && commit.back() == '\n')
    commit.pop_back();
  return fine ? commit : std::string();
}

}  // namespace quintet
