/// What the viewer did and what went wrong, in order: the lines of the Log view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "runtime/model/result.h"

namespace quintet::viewer {

enum class LogLevel : std::uint8_t { note, warning, error };

struct LogLine {
  std::uint64_t number = 0;  ///< counts from 1; gaps never occur, old lines may be gone
  std::string clock;         ///< local time, "14:03:07"
  LogLevel level = LogLevel::note;
  std::string text;
  std::string cure;  ///< what to do about it; may be empty
};

inline constexpr std::size_t kLogLines = 2000;

/// The newest kLogLines lines. One thread.
class WorkbenchLog {
 public:
  void note(std::string text);
  void warn(std::string text, std::string cure = {});
  void fail(const Error& error);

  [[nodiscard]] const std::deque<LogLine>& lines() const { return lines_; }
  /// Lines that were pushed out by newer ones.
  [[nodiscard]] std::uint64_t left_out() const { return count_ - lines_.size(); }
  /// The newest warning or error that was not dismissed, or null.
  [[nodiscard]] const LogLine* alert() const;
  void dismiss_alert() { dismissed_ = count_; }

 private:
  void add(LogLevel level, std::string text, std::string cure);

  std::deque<LogLine> lines_;
  std::uint64_t count_ = 0;
  std::uint64_t dismissed_ = 0;
};

}  // namespace quintet::viewer
