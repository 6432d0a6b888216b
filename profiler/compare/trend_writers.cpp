#include "profiler/compare/trend_writers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

#include "profiler/compare/change_format.h"
#include "profiler/report/format.h"
#include "profiler/report/html_assets.h"
#include "profiler/report/html_page.h"
#include "profiler/report/text_table.h"

namespace quintet {

namespace {

constexpr std::size_t kCommitWidth = 12;

std::string short_commit(const std::string& commit) {
  if (commit.empty()) return "unknown";
  // A mark that the source was changed stands behind the hash.
  const std::size_t mark = std::min(commit.find('-'), commit.size());
  return commit.substr(0, std::min(kCommitWidth, mark)) + commit.substr(mark);
}

std::string range_of(const TrendPoint& point, MetricHint hint) {
  if (point.runs < 2) return {};
  return format_value(hint, point.lowest) + " - " + format_value(hint, point.highest);
}

std::string change_of(const TrendPoint& point, MetricHint hint) {
  return point.change ? format_change(hint, point.change->change) : std::string();
}

std::string significance_of(const TrendPoint& point) {
  return point.change ? format_significance(*point.change) : std::string();
}

std::string title_of(const Trend& trend) {
  std::string title = trend.name;
  if (!trend.filter.scenario.empty()) title += ", " + trend.filter.scenario;
  if (!trend.filter.policy.empty()) title += " under " + trend.filter.policy;
  return title;
}

/// The plot's place of values: a margin above and below, no need to begin at 0.
class TrendPlot {
 public:
  explicit TrendPlot(const Trend& trend) : trend_(trend) {
    low_ = trend.points.front().lowest;
    high_ = trend.points.front().highest;
    for (const TrendPoint& point : trend.points) {
      low_ = std::min(low_, point.lowest);
      high_ = std::max(high_, point.highest);
      most_ = std::max(most_, ++points_of_[trend.line_of(point)]);
    }
    const double margin = std::max((high_ - low_) * 0.1, std::max(high_, 1e-9) * 0.005);
    low_ -= margin;
    high_ += margin;
  }

  [[nodiscard]] std::string svg() const {
    std::string text = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                                   kWidth, kHeight, for_markup(title_of(trend_)));
    text += axis();
    std::size_t color = 0;
    for (const auto& [name, count] : points_of_) {
      text += line(name, kColors[color % kColors.size()]);
      ++color;
    }
    return text + "</svg>\n";
  }

  [[nodiscard]] std::string legend() const {
    std::string text = "<p class=\"legend\">";
    std::size_t color = 0;
    for (const auto& [name, count] : points_of_) {
      text += fmt::format("<span><span class=\"swatch\" style=\"background:{}\"></span>{}</span>",
                          kColors[color % kColors.size()], for_markup(name));
      ++color;
    }
    return text + "</p>\n";
  }

 private:
  static constexpr double kWidth = 960;
  static constexpr double kHeight = 320;
  static constexpr double kLeft = 86;
  static constexpr double kRight = 14;
  static constexpr double kTop = 12;
  static constexpr double kBottom = 34;
  static constexpr std::array<const char*, 6> kColors = {"#0072B2", "#D55E00", "#009E73",
                                                         "#CC79A7", "#E69F00", "#56B4E9"};

  [[nodiscard]] double x(std::size_t index) const {
    const double places = static_cast<double>(std::max<std::size_t>(most_, 2) - 1);
    return kLeft + 10 + static_cast<double>(index) / places * (kWidth - kLeft - kRight - 20);
  }
  [[nodiscard]] double y(double value) const {
    return kHeight - kBottom - (value - low_) / (high_ - low_) * (kHeight - kTop - kBottom);
  }

  [[nodiscard]] std::string axis() const {
    std::string text;
    constexpr int kLines = 4;
    for (int line = 0; line <= kLines; ++line) {
      const double value = low_ + (high_ - low_) * line / kLines;
      text += fmt::format(
          "<line class=\"grid-line\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
          "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
          kLeft, kWidth - kRight, y(value), kLeft - 8, y(value) + 4,
          for_markup(format_value(trend_.hint, value)));
    }
    return text + fmt::format(
                      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">commits, the oldest "
                      "on the left</text>\n",
                      (kLeft + kWidth - kRight) / 2, kHeight - 8);
  }

  [[nodiscard]] std::string line(const std::string& name, const char* color) const {
    std::string path;
    std::string marks;
    std::size_t index = 0;
    for (const TrendPoint& point : trend_.points) {
      if (trend_.line_of(point) != name) continue;
      const double at = x(index++);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", at, y(point.value));
      const bool significant = point.change && point.change->significant;
      marks += fmt::format(
          "<g><title>{}</title><line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" "
          "stroke=\"{}\" stroke-width=\"1.5\" opacity=\"0.5\"/><circle cx=\"{:.1f}\" "
          "cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/></g>\n",
          for_markup(hover(point)), at, at, y(point.lowest), y(point.highest), color, at,
          y(point.value), significant ? 6 : 3.5, color);
    }
    return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", path,
                       color) +
           marks;
  }

  [[nodiscard]] std::string hover(const TrendPoint& point) const {
    std::string text = short_commit(point.commit) + " " + point.started + ": " +
                       format_value(trend_.hint, point.value);
    if (const std::string change = change_of(point, trend_.hint); !change.empty())
      text += ", " + change;
    return text;
  }

  const Trend& trend_;
  double low_ = 0;
  double high_ = 0;
  std::size_t most_ = 0;
  std::map<std::string, std::size_t> points_of_;
};

std::vector<std::string> cells_of(const Trend& trend, const TrendPoint& point) {
  const MetricHint hint = trend.hint;
  return {point.started,
          short_commit(point.commit),
          trend.line_of(point),
          std::to_string(point.runs),
          format_value(hint, point.value),
          range_of(point, hint),
          change_of(point, hint),
          significance_of(point)};
}

constexpr std::array<const char*, 8> kTitles = {"date",  "commit", "of",     "runs",
                                                "value", "range",  "change", "significant"};

constexpr const char* kPage = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="quintet history trend">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{{title}} - Quintet</title>
<style>
{{style}}</style>
</head>
<body>
<header><div class="brand">Quintet</div><h1>{{title}}</h1></header>
<main>
<section class="panel"><h2>Trend</h2>{{legend}}{{plot}}<p class="hint">A point is a commit: mean over its runs, the bar from the lowest to the highest. A large point differs significantly from the one before.</p></section>
<section class="panel"><h2>Points</h2><div class="scroll">{{table}}</div></section>
</main>
</body>
</html>
)html";

}  // namespace

std::string trend_text(const Trend& trend, bool unicode, std::size_t width) {
  std::string text = title_of(trend) + "\n";
  if (trend.points.empty()) return text + "  no run of it is in the history\n";
  std::vector<std::vector<std::string>> rows;
  for (const TrendPoint& point : trend.points)
    rows.push_back(cells_of(trend, point));
  std::vector<TextColumn> columns;
  for (std::size_t column = 0; column < kTitles.size(); ++column)
    columns.push_back({kTitles[column], column < 3 ? ColumnAlign::left : ColumnAlign::right});
  return text + text_table(columns, rows, unicode, width);
}

OrderedJson trend_json(const Trend& trend) {
  OrderedJson json = {{"schema", "quintet.trend"},
                      {"version", 1},
                      {"scenario", trend.filter.scenario},
                      {"policy", trend.filter.policy},
                      {"tag", trend.tag},
                      {"name", trend.name},
                      {"hint", name_of(trend.hint)},
                      {"unit", unit_of(trend.hint)}};
  json["points"] = OrderedJson::array();
  for (const TrendPoint& point : trend.points) {
    OrderedJson row = {{"scenario", point.scenario},
                       {"policy", point.policy},
                       {"device", point.device},
                       {"commit", point.commit},
                       {"started", point.started},
                       {"runs", point.runs},
                       {"value", number_or_null(point.value)},
                       {"lowest", number_or_null(point.lowest)},
                       {"highest", number_or_null(point.highest)}};
    const bool bounded = point.change && point.change->change.bounded;
    row["difference"] =
        point.change ? number_or_null(point.change->change.difference.value) : OrderedJson();
    row["difference_low"] =
        bounded ? number_or_null(point.change->change.difference.low) : OrderedJson();
    row["difference_high"] =
        bounded ? number_or_null(point.change->change.difference.high) : OrderedJson();
    row["significant"] = bounded ? OrderedJson(point.change->significant) : OrderedJson();
    json["points"].push_back(std::move(row));
  }
  return json;
}

std::string trend_html(const Trend& trend) {
  std::map<std::string, std::string> parts = {{"title", for_markup(title_of(trend))},
                                              {"style", std::string(html_style())}};
  if (trend.points.empty()) {
    parts["table"] = "<p class=\"empty\">No run of it is in the history.</p>";
    return fill_page(kPage, parts);
  }
  const TrendPlot plot(trend);
  parts["plot"] = plot.svg();
  parts["legend"] = plot.legend();
  std::string table = "<table><thead><tr>";
  for (const char* title : kTitles)
    table += fmt::format("<th>{}</th>", title);
  table += "</tr></thead><tbody>\n";
  for (const TrendPoint& point : trend.points) {
    table += "<tr>";
    for (const std::string& cell : cells_of(trend, point))
      table += "<td>" + for_markup(cell) + "</td>";
    table += "</tr>\n";
  }
  parts["table"] = table + "</tbody></table>";
  return fill_page(kPage, parts);
}

}  // namespace quintet
