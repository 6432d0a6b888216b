#include "profiler/report/terminal_timeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <sstream>

#include "profiler/report/format.h"
#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

constexpr std::size_t kFewestColumns = 20;
constexpr std::size_t kShareWidth = 8;
constexpr std::size_t kLanesWithIdle = 10;  // with more lanes idle ones are only counted
constexpr std::size_t kMostLanes = 24;

/// A row of cells, one string per column because a block character is several bytes.
using Cells = std::vector<std::string>;

class TimelinePainter {
 public:
  TimelinePainter(const Report& report, const StepTimeline& timeline,
                  const TimelineOptions& options)
      : report_(report),
        timeline_(timeline),
        unicode_(options.unicode),
        axis_ns_(std::max(options.axis_ns, timeline.length_ns)) {
    choose_lanes();
    for (const std::uint32_t lane : lanes_)
      label_width_ = std::max(label_width_, display_width(visible_text(report.lanes[lane].name)));
    const std::size_t frame = label_width_ + 5 + kShareWidth;
    columns_ = std::max(kFewestColumns, options.width > frame ? options.width - frame : 0);
    for (const ReportTask& task : report.tasks)
      labels_[task.index] = visible_text(task.label);
  }

  std::string paint() const {
    std::string text;
    for (const std::uint32_t lane : lanes_)
      text += lane_row(lane);
    text += axis();
    if (idle_left_out_ > 0)
      text += fmt::format(
          "  {} {}\n", idle_left_out_,
          timeline_.unknown.empty() ? "unused streams" : "streams without recorded work");
    if (busy_left_out_ > 0) text += fmt::format("  {} less busy streams\n", busy_left_out_);
    return text;
  }

 private:
  void choose_lanes() {
    std::map<std::uint32_t, std::int64_t> busy;
    for (const TimelineBox& box : timeline_.boxes) {
      busy[box.lane] += intersect(box.time, {0, timeline_.length_ns}).length();
    }
    for (std::uint32_t lane = 0; lane < report_.lanes.size(); ++lane) {
      if (report_.lanes[lane].kind == LaneKind::stream) lanes_.push_back(lane);
    }
    if (lanes_.size() > kLanesWithIdle) {
      idle_left_out_ =
          std::erase_if(lanes_, [&busy](std::uint32_t lane) { return busy[lane] == 0; });
    }
    if (lanes_.size() <= kMostLanes) return;
    std::stable_sort(lanes_.begin(), lanes_.end(),
                     [&busy](std::uint32_t a, std::uint32_t b) { return busy[a] > busy[b]; });
    busy_left_out_ = lanes_.size() - kMostLanes;
    lanes_.resize(kMostLanes);
    std::sort(lanes_.begin(), lanes_.end());
  }

  [[nodiscard]] double column_ns() const {
    return static_cast<double>(axis_ns_) / static_cast<double>(columns_);
  }
  [[nodiscard]] std::int64_t column_begin(std::size_t column) const {
    return std::llround(static_cast<double>(column) * column_ns());
  }

  [[nodiscard]] std::string lane_row(std::uint32_t lane) const {
    std::vector<const TimelineBox*> boxes;
    std::vector<Interval> busy;
    for (const TimelineBox& box : timeline_.boxes) {
      if (box.lane != lane) continue;
      boxes.push_back(&box);
      busy.push_back(intersect(box.time, {0, timeline_.length_ns}));
    }
    const IntervalSet set(std::move(busy));
    Cells cells = blocks(set);
    mark_borders(boxes, cells);
    inscribe(boxes, cells);
    const char* edge = unicode_ ? "\u2502" : "|";
    std::string row =
        "  " + pad_right(visible_text(report_.lanes[lane].name), label_width_) + " " + edge;
    for (const std::string& cell : cells)
      row += cell;
    const double share = timeline_.length_ns > 0 ? static_cast<double>(set.length()) /
                                                       static_cast<double>(timeline_.length_ns)
                                                 : 0;
    row += edge;
    row += pad_left(
        set.empty() ? (timeline_.unknown.empty() ? "unused" : "unknown") : format_percentage(share),
        kShareWidth);
    return row + "\n";
  }

  [[nodiscard]] Cells blocks(const IntervalSet& set) const {
    static constexpr std::array<const char*, 9> kBlocks = {
        " ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
    static constexpr std::array<const char*, 9> kAscii = {" ", ".", ".", ":", ":",
                                                          "=", "=", "#", "#"};
    Cells cells;
    for (std::size_t column = 0; column < columns_; ++column) {
      const Interval cell{column_begin(column), column_begin(column + 1)};
      const auto time = static_cast<double>(set.within(cell).length());
      // Any work shows, however short.
      const auto level = static_cast<std::size_t>(
          cell.empty() ? 0 : std::ceil(8 * time / static_cast<double>(cell.length()) - 0.25));
      const std::size_t shown =
          std::clamp<std::size_t>(time > 0 ? std::max<std::size_t>(level, 1) : 0, 0, 8);
      cells.emplace_back(unicode_ ? kBlocks[shown] : kAscii[shown]);
    }
    return cells;
  }

  /// Where one task follows another without a visible gap, a narrower block parts them.
  void mark_borders(const std::vector<const TimelineBox*>& boxes, Cells& cells) const {
    for (const TimelineBox* box : boxes) {
      const auto column =
          static_cast<std::size_t>(std::clamp(static_cast<double>(box->time.end) / column_ns(), 0.0,
                                              static_cast<double>(columns_ - 1)));
      const bool followed = std::any_of(boxes.begin(), boxes.end(), [&](const TimelineBox* next) {
        return next != box && next->time.begin >= box->time.end &&
               next->time.begin < column_begin(column + 1);
      });
      if (!followed) continue;
      if (unicode_ && cells[column] == "\u2588") cells[column] = "\u258A";
      if (!unicode_ && cells[column] == "#") cells[column] = "|";
    }
  }

  void inscribe(std::vector<const TimelineBox*> boxes, Cells& cells) const {
    std::stable_sort(boxes.begin(), boxes.end(), [](const TimelineBox* a, const TimelineBox* b) {
      return a->time.length() > b->time.length();
    });
    std::vector<bool> taken(cells.size());
    for (const TimelineBox* box : boxes) {
      const auto found = labels_.find(box->task);
      if (found == labels_.end()) continue;
      const std::string& label = found->second;
      // Only single-byte names can be laid out by columns.
      if (display_width(label) != label.size()) continue;
      const double first = std::max(0.0, static_cast<double>(box->time.begin)) / column_ns();
      const double last =
          static_cast<double>(std::min(box->time.end, timeline_.length_ns)) / column_ns();
      const auto begin = static_cast<std::size_t>(std::ceil(first));
      const auto end = static_cast<std::size_t>(std::max(0.0, std::floor(last)));
      if (end < begin + label.size() + 2) continue;
      const std::size_t at = begin + (end - begin - label.size()) / 2;
      if (std::any_of(taken.begin() + static_cast<std::ptrdiff_t>(begin),
                      taken.begin() + static_cast<std::ptrdiff_t>(end),
                      [](bool each) { return each; })) {
        continue;
      }
      for (std::size_t index = 0; index < label.size(); ++index) {
        cells[at + index] = std::string(1, label[index]);
        taken[at + index] = true;
      }
    }
  }

  /// Ticks at round times, named in the unit that suits the step.
  [[nodiscard]] std::string axis() const {
    const auto length = static_cast<double>(std::max<std::int64_t>(1, axis_ns_));
    const double wanted = length / std::max(1.0, static_cast<double>(columns_) / 14);
    const double power = std::pow(10.0, std::floor(std::log10(wanted)));
    double tick = power;
    for (const double factor : {2.0, 5.0, 10.0}) {
      if (tick < wanted) tick = power * factor;
    }
    const double unit = length >= 1e9 ? 1e9 : length >= 1e6 ? 1e6 : length >= 1e3 ? 1e3 : 1;
    const char* unit_name = length >= 1e9   ? " s"
                            : length >= 1e6 ? " ms"
                            : length >= 1e3 ? " us"
                                            : " ns";
    std::string rule(columns_, '-');
    std::string names(columns_ + kShareWidth, ' ');
    for (double time = 0; time < length; time += tick) {
      const auto column = static_cast<std::size_t>(time / column_ns());
      rule[std::min(column, columns_ - 1)] = '+';
      // The unit stands once, at the end of the axis; ticks beside it would run into it.
      const std::string name = fmt::format("{:g}", std::round(time / unit * 1e6) / 1e6);
      if (column + name.size() < columns_ - 4) names.replace(column, name.size(), name);
    }
    const std::string end = fmt::format("{:.3g}{}", length / unit, unit_name);
    names.replace(columns_ - 4, end.size() + 1, " " + end);
    names.erase(names.find_last_not_of(' ') + 1);
    std::string line;
    for (const char mark : rule) {
      if (!unicode_) {
        line += mark;
      } else {
        line += mark == '+' ? "\u2534" : "\u2500";
      }
    }
    const std::string margin(label_width_ + 3, ' ');
    return margin + (unicode_ ? "\u2514" : "+") + line + (unicode_ ? "\u2518" : "+") + "\n" +
           margin + " " + names + "\n";
  }

  const Report& report_;
  const StepTimeline& timeline_;
  bool unicode_;
  std::int64_t axis_ns_;  ///< length of the axis
  std::vector<std::uint32_t> lanes_;
  std::size_t idle_left_out_ = 0;
  std::size_t busy_left_out_ = 0;
  std::size_t label_width_ = 4;
  std::size_t columns_ = 0;
  std::map<std::uint32_t, std::string> labels_;
};

}  // namespace

std::string terminal_timeline(const Report& report, const StepTimeline& timeline,
                              const TimelineOptions& options) {
  const auto wrapped = [&options](const std::string& sentence) {
    std::string text;
    std::string line = " ";
    std::istringstream words(sentence);
    for (std::string word; words >> word;) {
      if (line.size() > 1 && line.size() + 1 + word.size() > options.width) {
        text += line + "\n";
        line = " ";
      }
      line += " " + word;
    }
    return text + line + "\n";
  };
  if (timeline.length_ns <= 0) return "  the step has no length\n";
  std::string notice;
  if (const std::string probe = report.probe_notice(); !probe.empty()) notice += wrapped(probe);
  if (!timeline.unknown.empty()) notice += wrapped("what ran is unknown: " + timeline.unknown);
  return notice + TimelinePainter(report, timeline, options).paint();
}

}  // namespace quintet
