#include "scenarios/cli/progress_line.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "profiler/trace/utf8.h"
#include "runtime/model/nanos.h"

namespace quintet {

namespace {
constexpr std::int64_t kRedrawNs = 100'000'000;
constexpr int kBarCells = 24;
constexpr const char* kClearLine = "\r\x1b[2K";
}  // namespace

ProgressLine::ProgressLine(const std::string& what, std::int64_t total, std::string unit)
    : what_(visible_text(what)),
      total_(total),
      unit_(std::move(unit)),
      begin_ns_(monotonic_ns()),
      visible_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (drawn_ns_ != 0) fmt::print(stderr, "{}", kClearLine);
}

void ProgressLine::update(std::int64_t done, const std::string& note) {
  const std::int64_t now = monotonic_ns();
  if (!visible_ || now - drawn_ns_ < kRedrawNs) return;
  drawn_ns_ = now;
  const double seconds = static_cast<double>(now - begin_ns_) / 1e9;
  const double rate = static_cast<double>(done) / seconds;
  const double left = rate > 0 ? static_cast<double>(total_ - done) / rate : 0;
  const auto filled = static_cast<int>(kBarCells * done / std::max<std::int64_t>(1, total_));
  std::string bar;
  for (int cell = 0; cell < kBarCells; ++cell)
    bar += cell < filled ? "█" : "░";
  const auto whole = static_cast<std::int64_t>(left + 0.5);
  fmt::print(stderr, "{}{} {} {}/{}  {:.1f} {}/s  ETA {}:{:02}  {}", kClearLine, what_, bar, done,
             total_, rate, unit_, whole / 60, whole % 60, visible_text(note));
  std::fflush(stderr);
}

}  // namespace quintet
