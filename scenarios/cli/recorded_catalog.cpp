#include "scenarios/cli/recorded_catalog.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/policy/nearest_name.h"

namespace quintet {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "recorded/";

std::string told(const Provenance& provenance, const std::string& key) {
  const auto found = provenance.find(key);
  return found == provenance.end() ? std::string() : found->second;
}

/// The three most alike, quoted.
std::string alike(const std::string& name, const std::vector<RecordedScenario>& known) {
  constexpr std::size_t kShown = 3;
  std::vector<std::pair<std::size_t, std::string>> nearest;
  for (const RecordedScenario& each : known)
    nearest.emplace_back(edit_distance(name, each.name), fmt::format("\"{}\"", each.name));
  std::stable_sort(nearest.begin(), nearest.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  nearest.resize(std::min(nearest.size(), kShown));
  std::vector<std::string> names;
  for (const auto& [distance, text] : nearest)
    names.push_back(text);
  return fmt::format("did you mean one of {}? list all with: quintet scenarios",
                     fmt::join(names, ", "));
}

}  // namespace

std::string recorded_folder() {
  if (const char* folder = std::getenv("QUINTET_RECORDED"); folder != nullptr && *folder != '\0') {
    return folder;
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return (program.parent_path() / QUINTET_RECORDED_FROM_PROGRAM).lexically_normal().string();
}

std::vector<RecordedScenario> recorded_catalog() {
  std::vector<RecordedScenario> found;
  std::error_code error;
  for (fs::directory_iterator each(recorded_folder(), error), end; !error && each != end;
       each.increment(error)) {
    const std::string file = each->path().filename().string();
    for (const std::string_view ending : {".qtrace.gz", ".qtrace"}) {
      if (!file.ends_with(ending)) continue;
      const std::string stem = file.substr(0, file.size() - ending.size());
      found.push_back({std::string(kPrefix) + stem, each->path().string()});
      break;
    }
  }
  std::sort(found.begin(), found.end(), [](const RecordedScenario& a, const RecordedScenario& b) {
    return std::pair(a.name, a.file) < std::pair(b.name, b.file);
  });
  return found;
}

bool means_recorded(const std::string& word) {
  std::error_code error;
  return word.starts_with(kPrefix) && !fs::exists(word, error);
}

Result<RecordedScenario> find_recorded(const std::string& name) {
  const std::vector<RecordedScenario> known = recorded_catalog();
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const RecordedScenario& each) { return each.name == name; });
  if (found != known.end()) return *found;
  const std::string message = fmt::format("no recorded scenario is called \"{}\"", name);
  if (!known.empty()) return fail(message, alike(name, known));
  return fail(message,
              fmt::format("put recordings into {}, or name their folder in QUINTET_RECORDED",
                          recorded_folder()));
}

Result<std::string> recording_path(const std::string& word) {
  if (!means_recorded(word)) return word;
  return find_recorded(word).map([](const RecordedScenario& each) { return each.file; });
}

RecordedOrigin origin_of(const Provenance& provenance) {
  RecordedOrigin origin;
  origin.device = told(provenance, "gpu");
  if (origin.device.empty()) origin.device = told(provenance, "cpu");
  if (origin.device.empty()) origin.device = "an unknown machine";
  const std::string started = told(provenance, "started");
  origin.date = started.empty() ? "at an unknown time" : started.substr(0, started.find('T'));
  origin.scenario = bare_name(told(provenance, "scenario"));
  origin.policy = bare_name(told(provenance, "policy"));
  origin.step_mode = told(provenance, "step_mode");
  return origin;
}

std::string bare_name(const std::string& name) {
  return name.substr(0, name.find(" ("));
}

}  // namespace quintet
