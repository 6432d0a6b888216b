#include "viewer/model/workbench_log.h"

#include <algorithm>
#include <ctime>

namespace quintet::viewer {

namespace {

std::string local_clock() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char text[16];
  const std::size_t length = std::strftime(text, sizeof text, "%H:%M:%S", &local);
  return {text, length};
}

}  // namespace

void WorkbenchLog::note(std::string text) {
  add(LogLevel::note, std::move(text), {});
}

void WorkbenchLog::warn(std::string text, std::string cure) {
  add(LogLevel::warning, std::move(text), std::move(cure));
}

void WorkbenchLog::fail(const Error& error) {
  std::string text = error.file;
  if (!text.empty() && error.line > 0) text += ":" + std::to_string(error.line);
  if (!text.empty()) text += ": ";
  add(LogLevel::error, text + error.message, error.cure);
}

const LogLine* WorkbenchLog::alert() const {
  const auto found = std::find_if(lines_.rbegin(), lines_.rend(), [&](const LogLine& line) {
    return line.level != LogLevel::note && line.number > dismissed_;
  });
  return found == lines_.rend() ? nullptr : &*found;
}

void WorkbenchLog::add(LogLevel level, std::string text, std::string cure) {
  lines_.push_back({++count_, local_clock(), level, std::move(text), std::move(cure)});
  if (lines_.size() > kLogLines) lines_.pop_front();
}

}  // namespace quintet::viewer
