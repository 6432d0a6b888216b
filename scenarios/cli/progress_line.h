/// One line on a terminal that tells how far something is; silent where standard error is none.
#pragma once

#include <cstdint>
#include <string>

namespace quintet {

class ProgressLine {
 public:
  /// `total` = steps of the whole run, or what `unit` counts.
  ProgressLine(const std::string& what, std::int64_t total, std::string unit = "steps");
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Clears the line.
  ~ProgressLine();

  /// Redraws at most ten times a second. `note` ends the line ("loss 0.512").
  void update(std::int64_t done, const std::string& note);

 private:
  std::string what_;
  std::int64_t total_;
  std::string unit_;
  std::int64_t begin_ns_;
  std::int64_t drawn_ns_ = 0;
  bool visible_;
};

}  // namespace quintet
