#include "profiler/compare/comparison_html.h"

#include "profiler/compare/change_format.h"
#include "profiler/compare/compare_assets.h"
#include "profiler/compare/comparison_json.h"
#include "profiler/report/html_assets.h"
#include "profiler/report/html_page.h"
#include "profiler/report/html_report.h"

namespace quintet {

namespace {

constexpr std::size_t kTaskRows = 1000;

std::size_t cut(OrderedJson& rows) {
  std::size_t left_out = 0;
  while (rows.size() > kTaskRows) {
    rows.erase(rows.size() - 1);
    ++left_out;
  }
  return left_out;
}

OrderedJson page_data(const Comparison& comparison, const Report& a, const Report& b) {
  OrderedJson compared = comparison_json(comparison);
  compared["tasks_left_out"] = cut(compared["tasks"]);
  cut(compared["only_a"]);
  cut(compared["only_b"]);
  compared["method"] = method_text(comparison);
  OrderedJson data;
  data["comparison"] = std::move(compared);
  data["a"] = html_report_data(a);
  data["b"] = html_report_data(b);
  return data;
}

std::string title_of(const Comparison& comparison) {
  const std::string scenario = comparison.b.said("scenario");
  return (scenario.empty() ? "Comparison" : scenario + ", compared") + " - Quintet";
}

}  // namespace

std::string comparison_html(const Comparison& comparison, const Report& a, const Report& b) {
  return fill_page(compare_page(),
                   {{"title", for_markup(title_of(comparison))},
                    {"style", std::string(html_style())},
                    {"script", std::string(html_timeline_script()) + std::string(compare_script())},
                    {"data", for_script(dump_json(page_data(comparison, a, b), -1))}});
}

}  // namespace quintet
