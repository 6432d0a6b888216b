#include "viewer/model/view_state.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "viewer/model/mapping/whole_file.h"

namespace quintet::viewer {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string state_file(const std::string& folder) {
  return folder + "/view.json";
}

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string absolute(const std::string& file) {
  if (file.empty()) return {};
  std::error_code error;
  const fs::path path = fs::absolute(file, error);
  return error ? file : path.lexically_normal().string();
}

/// Takes a size where there is one that a window could have.
void read_size(const Json& json, const char* key, float& size) {
  constexpr float kLargest = 10000;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return;
  const auto value = found->get<float>();
  if (std::isfinite(value) && value >= kSmallestPane && value <= kLargest) size = value;
}

void read_flag(const Json& json, const char* key, bool& flag) {
  const auto found = json.find(key);
  if (found != json.end() && found->is_boolean()) flag = found->get<bool>();
}

std::string read_text(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string default_state_folder() {
  const std::string state = from_environment("XDG_STATE_HOME");
  // The specification of these folders: a relative path is to be ignored.
  if (state.starts_with('/')) return state + "/quintet";
  const std::string home = from_environment("HOME");
  return home.empty() ? std::string() : home + "/.local/state/quintet";
}

void remember_file(std::vector<std::string>& recent, const std::string& file) {
  if (file.empty()) return;
  const std::string path = absolute(file);
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  if (recent.size() > kRecentFiles) recent.resize(kRecentFiles);
}

ViewState state_of(const Workbench& workbench, std::vector<std::string> recent) {
  ViewState state;
  state.layout = workbench.layout;
  state.theme = workbench.theme;
  state.bottom_tab = workbench.bottom_tab;
  state.recent = std::move(recent);
  for (std::size_t side = 0; side < kSideCount; ++side) {
    const std::optional<Document>& document = workbench.documents[side];
    if (document && !document->live) state.open[side] = absolute(document->file);
  }
  return state;
}

void restore_layout(const ViewState& state, Workbench& workbench) {
  workbench.layout = state.layout;
  workbench.theme = state.theme;
  if (!state.bottom_tab.empty()) workbench.bottom_tab = state.bottom_tab;
}

std::string to_json(const ViewState& state) {
  const PaneLayout& layout = state.layout;
  const Json json = {{"left_width", layout.left_width},
                     {"right_width", layout.right_width},
                     {"bottom_height", layout.bottom_height},
                     {"left_shown", layout.left_shown},
                     {"right_shown", layout.right_shown},
                     {"bottom_shown", layout.bottom_shown},
                     {"theme", state.theme == ThemeName::dark ? "dark" : "light"},
                     {"tab", state.bottom_tab},
                     {"recent", state.recent},
                     {"open", state.open}};
  // Paths are bytes; those that are no UTF-8 would throw.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ViewState> view_state_from_json(std::string_view text, const std::string& file) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) {
    return fail("is no state of the viewer", "remove it: sizes and recent files begin anew", file);
  }
  ViewState state;
  read_size(json, "left_width", state.layout.left_width);
  read_size(json, "right_width", state.layout.right_width);
  read_size(json, "bottom_height", state.layout.bottom_height);
  read_flag(json, "left_shown", state.layout.left_shown);
  read_flag(json, "right_shown", state.layout.right_shown);
  read_flag(json, "bottom_shown", state.layout.bottom_shown);
  state.theme = read_text(json, "theme") == "light" ? ThemeName::light : ThemeName::dark;
  state.bottom_tab = read_text(json, "tab");
  if (const auto recent = json.find("recent"); recent != json.end() && recent->is_array()) {
    for (const Json& each : *recent) {
      if (each.is_string() && state.recent.size() < kRecentFiles)
        state.recent.push_back(each.get<std::string>());
    }
  }
  if (const auto open = json.find("open"); open != json.end() && open->is_array()) {
    for (std::size_t side = 0; side < std::min(kSideCount, open->size()); ++side) {
      if ((*open)[side].is_string()) state.open[side] = (*open)[side].get<std::string>();
    }
  }
  return state;
}

Result<ViewState> load_view_state(const std::string& folder) {
  const std::string file = state_file(folder);
  std::error_code error;
  if (folder.empty() || !fs::exists(file, error)) return ViewState{};
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) {
    return fail("cannot be read", "allow reading it, or remove it", file);
  }
  return view_state_from_json(text.str(), file);
}

Result<void> save_view_state(const std::string& folder, const ViewState& state) {
  if (folder.empty()) return {};
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    return fail("the folder cannot be made: " + error.message(),
                "name another one in XDG_STATE_HOME", folder);
  }
  return write_whole_file(state_file(folder), to_json(state));
}

}  // namespace quintet::viewer
