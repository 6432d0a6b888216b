#include "viewer/model/timeline/bookmarks.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "viewer/model/mapping/whole_file.h"

namespace quintet::viewer {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr const char* kFormat = "quintet-notes";

std::optional<std::string> text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Finding damaged(const std::string& path, const std::string& why, std::int64_t count = 1) {
  return {Severity::data_loss, "damaged_notes",
          fmt::format("{}: {}; the file is kept as it is", path, why), count};
}

bool before(const Bookmark& a, const Bookmark& b) {
  return std::tie(a.begin_ns, a.end_ns) < std::tie(b.begin_ns, b.end_ns);
}

std::optional<Bookmark> bookmark_of(const Json& entry) {
  if (!entry.is_object()) return std::nullopt;
  const auto begin = entry.find("begin_ns");
  const auto end = entry.find("end_ns");
  const auto note = entry.find("note");
  const auto task = entry.find("task");
  if (begin == entry.end() || !begin->is_number_integer()) return std::nullopt;
  if (note == entry.end() || !note->is_string()) return std::nullopt;
  Bookmark bookmark;
  bookmark.begin_ns = begin->get<std::int64_t>();
  bookmark.end_ns =
      end != entry.end() && end->is_number_integer() ? end->get<std::int64_t>() : bookmark.begin_ns;
  bookmark.note = note->get<std::string>();
  if (task != entry.end() && task->is_string()) bookmark.task = task->get<std::string>();
  return bookmark;
}

BookmarkFile parse(const std::string& path, const std::string& text) {
  BookmarkFile file;
  const Json root = Json::parse(text, nullptr, false);
  if (root.is_discarded() || !root.is_object()) {
    file.findings.push_back(damaged(path, "is no JSON object"));
    return file;
  }
  if (root.value("format", Json()) != kFormat || root.value("version", Json()) != kVersion) {
    file.findings.push_back(
        damaged(path, fmt::format("is not of the format {} {}", kFormat, kVersion)));
    return file;
  }
  const auto list = root.find("bookmarks");
  if (list == root.end() || !list->is_array()) {
    file.findings.push_back(damaged(path, "has no list of bookmarks"));
    return file;
  }
  std::int64_t unread = 0;
  for (const Json& entry : *list) {
    if (auto bookmark = bookmark_of(entry)) {
      file.bookmarks.push_back(std::move(*bookmark));
    } else {
      ++unread;
    }
  }
  if (unread > 0) {
    file.findings.push_back(
        damaged(path, fmt::format("{} bookmarks make no sense", unread), unread));
  }
  std::stable_sort(file.bookmarks.begin(), file.bookmarks.end(), before);
  return file;
}

/// Gives a file that cannot be read in whole another name.
Result<void> put_aside(const std::string& path) {
  std::string kept = path + ".damaged";
  for (int copy = 2; fs::exists(kept); ++copy)
    kept = fmt::format("{}.damaged-{}", path, copy);
  std::error_code error;
  fs::rename(path, kept, error);
  if (error) {
    return fail(fmt::format("damaged notes cannot be kept as {}: {}", kept, error.message()),
                "move the file elsewhere, or allow writing to its folder", path);
  }
  return {};
}

}  // namespace

std::string notes_path(const std::string& recording) {
  return recording + ".notes.json";
}

BookmarkFile load_bookmarks(const std::string& recording) {
  const std::string path = notes_path(recording);
  std::error_code error;
  if (!fs::exists(path, error)) return {};
  const std::optional<std::string> text = text_of(path);
  if (!text || fs::is_directory(path, error)) {
    BookmarkFile file;
    file.findings.push_back(damaged(path, "cannot be read"));
    return file;
  }
  return parse(path, *text);
}

Result<void> save_bookmarks(const std::string& recording, const std::vector<Bookmark>& bookmarks) {
  const std::string path = notes_path(recording);
  if (!load_bookmarks(recording).findings.empty()) {
    if (auto kept = put_aside(path); !kept) return kept;
  }
  Json list = Json::array();
  for (const Bookmark& each : bookmarks) {
    Json entry = {{"begin_ns", each.begin_ns}, {"end_ns", each.end_ns}, {"note", each.note}};
    if (!each.task.empty()) entry["task"] = each.task;
    list.push_back(std::move(entry));
  }
  const Json root = {{"format", kFormat}, {"version", kVersion}, {"bookmarks", std::move(list)}};
  return write_whole_file(path, root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void insert_bookmark(std::vector<Bookmark>& bookmarks, Bookmark bookmark) {
  const auto at = std::upper_bound(bookmarks.begin(), bookmarks.end(), bookmark, before);
  bookmarks.insert(at, std::move(bookmark));
}

}  // namespace quintet::viewer
