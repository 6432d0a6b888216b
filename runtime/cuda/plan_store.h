/// The library plans that a device's tasks are pinned to. What decides bits is chosen once per
/// problem, before any policy is looked at, and kept: in memory for the run, on disk for the next.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "runtime/model/result.h"

namespace quintet {

/// How a plan that is not in the store is chosen among those a library offers.
enum class PlanSearch {
  first,     ///< the library's own first choice: quick, for tests
  measured,  ///< the fastest of its best few, timed on the device
};

/// Owns key -> plan, both text. A key names all that decides which plans are possible and what they
/// compute: device, library version, pattern, shapes, types, alignment, workspace limit. Threads:
/// one caller. Usage: PlanStore plans(PlanSearch::measured); plans.load(path); ...
/// plans.save(path);
class PlanStore {
 public:
  explicit PlanStore(PlanSearch search) : search_(search) {}

  [[nodiscard]] PlanSearch search() const { return search_; }
  [[nodiscard]] std::optional<std::string> find(const std::string& key) const;
  void put(std::string key, std::string plan);
  [[nodiscard]] std::size_t size() const { return plans_.size(); }

  /// Adds the plans of a file (lines "key<TAB>plan"); a file that is not there adds none. Errors: a
  /// line without a tab, with file and line.
  Result<void> load(const std::filesystem::path& path);
  /// Writes all plans, sorted by key; replaces the file as a whole. Errors: the folder or the file
  /// cannot be written.
  [[nodiscard]] Result<void> save(const std::filesystem::path& path) const;
  /// Hash of all plans: equal hashes, equal bits.
  [[nodiscard]] std::string hash() const;

 private:
  PlanSearch search_;
  std::map<std::string, std::string> plans_;
};

}  // namespace quintet
