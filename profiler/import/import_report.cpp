#include "profiler/import/import_report.h"

#include <algorithm>
#include <fmt/format.h>

#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

constexpr std::size_t kShownCategories = 12;

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} B", bytes);
  const auto value = static_cast<double>(bytes);
  if (bytes < 10'000'000) return fmt::format("{:.1f} kB", value / 1e3);
  return fmt::format("{:.1f} MB", value / 1e6);
}

std::string file_text(const ImportedFile& file) {
  std::string text =
      fmt::format("{}\n  {}, {}", visible_text(file.file), file.format, bytes_text(file.bytes));
  if (file.text_bytes != file.bytes)
    text += fmt::format(" ({} of text)", bytes_text(file.text_bytes));
  text += fmt::format(", {} events, {} drawn\n", file.events(), file.drawn());
  for (std::size_t i = 0; i < file.categories.size(); ++i) {
    if (i == kShownCategories) {
      text += fmt::format("  ... and {} categories more\n", file.categories.size() - i);
      break;
    }
    const ImportedCategory& category = file.categories[i];
    text += fmt::format("  {:<24} {:>10}{}\n", visible_text(category.name), category.read,
                        category.drawn == 0 ? "  not drawn" : "");
  }
  if (file.truncated_at) text += fmt::format("  truncated at byte {}\n", *file.truncated_at);
  if (file.trailing_bytes > 0)
    text += fmt::format("  {} bytes behind the end of the trace\n", file.trailing_bytes);
  if (file.skipped_events > 0) {
    text += fmt::format("  skipped {} damaged events, {} bytes; the first is {}\n",
                        file.skipped_events, file.skipped_bytes,
                        file.first_damage ? place_text(*file.first_damage) : "unknown");
  }
  return text;
}

}  // namespace

std::string place_text(const ImportedDamage& damage) {
  if (!damage.table.empty()) return fmt::format("row {} of {}", damage.record, damage.table);
  return fmt::format("event {} (counted from 0) at byte {}", damage.record,
                     damage.byte.value_or(0));
}

std::int64_t ImportedFile::events() const {
  std::int64_t sum = 0;
  for (const ImportedCategory& category : categories)
    sum += category.read;
  return sum;
}

std::int64_t ImportedFile::drawn() const {
  std::int64_t sum = 0;
  for (const ImportedCategory& category : categories)
    sum += category.drawn;
  return sum;
}

std::size_t CategoryCounts::place_of(std::string_view name) {
  // Events of a category mostly come in a row.
  if (last_ < categories_.size() && categories_[last_].name == name) return last_;
  for (std::size_t place = 0; place < categories_.size(); ++place) {
    if (categories_[place].name == name) return last_ = place;
  }
  if (categories_.size() == kMostCategories) return place_of("others");
  if (categories_.size() + 1 == kMostCategories) name = "others";
  categories_.push_back({std::string(name), 0, 0});
  return last_ = categories_.size() - 1;
}

std::vector<ImportedCategory> CategoryCounts::sorted() const {
  std::vector<ImportedCategory> sorted = categories_;
  std::sort(sorted.begin(), sorted.end(), [](const ImportedCategory& a, const ImportedCategory& b) {
    return a.read != b.read ? a.read > b.read : a.name < b.name;
  });
  return sorted;
}

std::string import_text(const ImportReport& report) {
  std::string text;
  for (const ImportedFile& file : report.files)
    text += file_text(file);
  text += fmt::format("{} spans on {} lanes, {} steps, {} untimed\n", report.spans, report.lanes,
                      report.steps, report.untimed);
  for (const Finding& finding : report.findings) {
    text += fmt::format("{}: {} ({}): {}\n", name_of(finding.severity), finding.name, finding.count,
                        visible_text(finding.message));
  }
  return text;
}

}  // namespace quintet
