#include "profiler/import/lane_book.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <numeric>
#include <set>

namespace quintet {

namespace {

/// The id of the lane that takes what there is no room for.
constexpr std::int64_t kCrowdedId = INT64_MIN;

std::uint64_t hash_of(const LaneKey& key) {
  std::uint64_t hash = mix_hash(static_cast<std::uint64_t>(key.role), key.source.value());
  hash = mix_hash(hash, static_cast<std::uint64_t>(key.device));
  hash = mix_hash(hash, static_cast<std::uint64_t>(key.process));
  hash = mix_hash(hash, static_cast<std::uint64_t>(key.context));
  return mix_hash(hash, static_cast<std::uint64_t>(key.id));
}

int rank_of(const LaneKey& key, const std::vector<ImportSource>& sources) {
  return sources[key.source.value()].rank.value_or(0);
}

/// What tells the lanes of one file from those of another; nothing where there is one file.
std::string prefix_of(const LaneKey& key, const std::vector<ImportSource>& sources) {
  if (sources.size() < 2) return {};
  std::set<int> ranks;
  for (const ImportSource& source : sources)
    ranks.insert(source.rank.value_or(0));
  if (ranks.size() == sources.size()) return fmt::format("rank {} ", rank_of(key, sources));
  return fmt::format("file {} ", key.source.value() + 1);
}

LaneKind kind_of(LaneRole role) {
  switch (role) {
    case LaneRole::stream:
      return LaneKind::stream;
    case LaneRole::executor:
      return LaneKind::executor;
    // Neither is work of a device: they must not count as its busy time.
    case LaneRole::range:
    case LaneRole::sync:
    case LaneRole::thread:
    case LaneRole::started:
      return LaneKind::host;
  }
  return LaneKind::host;
}

}  // namespace

std::uint16_t LaneBook::lane(const LaneKey& key) {
  if (!keys_.empty() && key == last_key_) return last_lane_;
  const std::uint64_t hash = hash_of(key);
  std::uint32_t known = index_.find(hash, [&](std::uint32_t index) { return keys_[index] == key; });
  if (known == IndexTable::kNone && !moved_.empty()) {
    if (const auto moved = moved_.find(key); moved != moved_.end()) known = moved->second;
  }
  if (known == IndexTable::kNone && keys_.size() >= kMostLanes && key.id != kCrowdedId) {
    ++crowded_;
    // Few enough for 16 bits, whatever the number of sources.
    return lane({key.source, is_host(key.role) ? LaneRole::thread : key.role, 0, 0, kCrowdedId});
  }
  last_key_ = key;
  last_lane_ = static_cast<std::uint16_t>(known);
  if (known == IndexTable::kNone) {
    assert(keys_.size() < 0xFFFF && "kMostImportSources leaves room for the shared lanes");
    last_lane_ = static_cast<std::uint16_t>(keys_.size());
    keys_.push_back(key);
    index_.insert(hash, last_lane_);
  }
  return last_lane_;
}

std::uint16_t LaneBook::move_lane(const LaneKey& from, const LaneKey& to) {
  if (moved_.contains(from)) return lane(to);
  const auto known = [&](const LaneKey& key, std::uint64_t hash) {
    return index_.find(hash, [&](std::uint32_t index) { return keys_[index] == key; });
  };
  const std::uint32_t moved = known(from, hash_of(from));
  const std::uint64_t hash = hash_of(to);
  if (moved == IndexTable::kNone || known(to, hash) != IndexTable::kNone) {
    const std::uint16_t target = lane(to);
    moved_.emplace(from, target);
    return target;
  }
  // The old entry of the index stays and is found by nobody: its key is another now.
  keys_[moved] = to;
  moved_.emplace(from, static_cast<std::uint16_t>(moved));
  index_.insert(hash, moved);
  last_key_ = to;
  last_lane_ = static_cast<std::uint16_t>(moved);
  return last_lane_;
}

void LaneBook::name_process(ImportSourceId source, std::int64_t process, const std::string& name) {
  std::string& known = processes_[{source, process}].name;
  if (known.empty()) known = name;
}

void LaneBook::label_process(ImportSourceId source, std::int64_t process,
                             const std::string& label) {
  std::string& known = processes_[{source, process}].label;
  if (known.empty()) known = label;
}

void LaneBook::name_lane(const LaneKey& key, const std::string& name) {
  names_.try_emplace(key, name);
}

void LaneBook::title_lane(const LaneKey& key, const std::string& title) {
  titles_.try_emplace(key, title);
}

std::uint16_t LaneBook::restore_lane(const LaneKey& key, const std::string& name,
                                     const std::optional<TraceLaneOrigin>& origin) {
  restored_.try_emplace(key, Restored{name, origin});
  return lane(key);
}

std::string LaneBook::title(const LaneKey& key) const {
  if (key.role == LaneRole::started) {
    LaneKey thread = key;
    thread.role = LaneRole::thread;
    return title(thread) + " started ranges";
  }
  const auto named = names_.find(key);
  const std::string name = named == names_.end() ? std::string() : " " + named->second;
  if (key.id == kCrowdedId) return key.role == LaneRole::thread ? "other threads" : "other streams";
  if (const auto titled = titles_.find(key); titled != titles_.end()) return titled->second + name;
  switch (key.role) {
    case LaneRole::stream:
    case LaneRole::executor:
      return fmt::format("GPU {} stream {}{}", key.device, key.id, name);
    case LaneRole::range:
      if (key.id == kNoStream) return fmt::format("GPU {} context ranges{}", key.device, name);
      return fmt::format("GPU {} stream {} ranges{}", key.device, key.id, name);
    case LaneRole::sync:
      if (key.id == kNoStream) return fmt::format("GPU {} context sync{}", key.device, name);
      return fmt::format("GPU {} stream {} sync{}", key.device, key.id, name);
    case LaneRole::thread:
    case LaneRole::started:
      return thread_title(key);
  }
  return {};
}

std::string LaneBook::thread_title(const LaneKey& key) const {
  const auto named = names_.find(key);
  std::string thread = named == names_.end() ? std::string() : named->second;
  std::string process;
  if (const auto found = processes_.find({key.source, key.process}); found != processes_.end()) {
    process = found->second.name;
    // Threads are called by their program unless they are given a name.
    if (thread == process) thread.clear();
    if (!found->second.label.empty())
      process += fmt::format("{}({})", process.empty() ? "" : " ", found->second.label);
  }
  return fmt::format("host {}{}{}/{}{}{}", process, process.empty() ? "" : " ", key.process, key.id,
                     thread.empty() ? "" : " ", thread);
}

LaneBook::Ordered LaneBook::finish(const std::vector<ImportSource>& sources) const {
  std::vector<std::uint16_t> order(keys_.size());
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  const auto place_of = [&](std::uint16_t lane) {
    const LaneKey& key = keys_[lane];
    const LaneRole beside = key.role == LaneRole::started ? LaneRole::thread : key.role;
    return std::tuple(rank_of(key, sources), key.source, beside, key.device, key.process,
                      key.context, key.id, key.role);
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint16_t a, std::uint16_t b) { return place_of(a) < place_of(b); });
  Ordered ordered;
  ordered.place.resize(keys_.size());
  std::map<std::string, std::int64_t> taken;  ///< by the lane of which process
  for (const std::uint16_t lane : order) {
    const LaneKey& key = keys_[lane];
    ordered.place[lane] = static_cast<std::uint16_t>(ordered.lanes.size());
    const auto restored = restored_.find(key);
    std::string name =
        restored == restored_.end() ? prefix_of(key, sources) + title(key) : restored->second.name;
    if (const auto other = taken.find(name); other != taken.end()) {
      name += other->second == key.process ? fmt::format(" (context {})", key.context)
                                           : fmt::format(" (process {})", key.process);
    }
    while (!taken.emplace(name, key.process).second)
      name += fmt::format(" #{}", ordered.lanes.size());
    const auto position = static_cast<std::uint16_t>(ordered.lanes.size());
    if (restored == restored_.end()) {
      ordered.origins.push_back({position, key.role, key.process, key.context, key.id});
    } else if (restored->second.origin) {
      ordered.origins.push_back(*restored->second.origin);
      ordered.origins.back().lane = position;
    }
    ordered.lanes.push_back({LaneId(static_cast<std::uint32_t>(ordered.lanes.size())),
                             std::move(name), kind_of(key.role), key.device, rank_of(key, sources),
                             0});
  }
  return ordered;
}

}  // namespace quintet
