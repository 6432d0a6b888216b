#include "runtime/cuda/plan_store.h"

#include <cstdint>
#include <fmt/format.h>
#include <fstream>

namespace quintet {

std::optional<std::string> PlanStore::find(const std::string& key) const {
  const auto found = plans_.find(key);
  if (found == plans_.end()) return std::nullopt;
  return found->second;
}

void PlanStore::put(std::string key, std::string plan) {
  plans_.insert_or_assign(std::move(key), std::move(plan));
}

Result<void> PlanStore::load(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) return {};
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || tab == 0 || tab + 1 == line.size()) {
      return fail("a stored plan is not 'key<TAB>plan'",
                  "remove the line, or the whole file: plans are searched again", path.string(),
                  number);
    }
    put(line.substr(0, tab), line.substr(tab + 1));
  }
  return {};
}

Result<void> PlanStore::save(const std::filesystem::path& path) const {
  std::error_code code;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), code);
  const std::filesystem::path fresh = path.string() + ".new";
  std::ofstream file(fresh, std::ios::trunc);
  for (const auto& [key, plan] : plans_)
    file << key << '\t' << plan << '\n';
  file.close();
  if (file) std::filesystem::rename(fresh, path, code);
  if (!file || code) {
    return fail("the stored plans cannot be written", "make the folder writable or name another",
                path.string());
  }
  return {};
}

std::string PlanStore::hash() const {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  const auto add = [&](const std::string& text) {
    for (const char c : text)
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  };
  for (const auto& [key, plan] : plans_) {
    add(key);
    add(plan);
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace quintet
