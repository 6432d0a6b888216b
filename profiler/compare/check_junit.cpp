#include "profiler/compare/check_junit.h"

#include <fmt/format.h>

#include "profiler/compare/check_summary.h"
#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

/// Text of XML 1.0: markup escaped, and characters that XML forbids or nobody sees.
std::string for_xml(const std::string& raw) {
  std::string text;
  for (const char each : visible_text(raw, "\n")) {
    if (each == '<') {
      text += "&lt;";
    } else if (each == '>') {
      text += "&gt;";
    } else if (each == '&') {
      text += "&amp;";
    } else if (each == '"') {
      text += "&quot;";
    } else {
      text += each;
    }
  }
  return text;
}

std::string property(const char* name, const std::string& value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, for_xml(value));
}

}  // namespace

std::string check_junit(const RegressionCheck& check) {
  const ComparedSide& side = check.comparison.b;
  const bool failed = check.verdict == CheckVerdict::regression;
  const std::string name =
      fmt::format("step time of {} under {}", side.said("scenario"), side.said("policy"));
  const std::string summary = for_xml(check_text(check, false));
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<testsuites tests=\"1\" failures=\"{0}\" errors=\"0\">\n"
      "  <testsuite name=\"quintet check\" tests=\"1\" failures=\"{0}\" errors=\"0\" "
      "skipped=\"0\">\n"
      "    <properties>\n",
      failed ? 1 : 0);
  text += property("verdict", std::string(name_of(check.verdict)));
  text += property("max_regression", fmt::format("{}", check.max_regression));
  text += property("ratio", fmt::format("{:.6g}", check.ratio.value));
  text += property("ratio_low", fmt::format("{:.6g}", check.ratio.low));
  text += property("ratio_high", fmt::format("{:.6g}", check.ratio.high));
  text += "    </properties>\n";
  text += fmt::format("    <testcase classname=\"quintet.check\" name=\"{}\" time=\"{:.9f}\">\n",
                      for_xml(visible_text(name)), check.comparison.step_time->after / 1e9);
  if (failed) {
    text += fmt::format(
        "      <failure type=\"regression\" message=\"ratio {:.4f}, at least "
        "{:.4f}, allowed {:.4f}\">{}</failure>\n",
        check.ratio.value, check.ratio.low, 1 + check.max_regression, summary);
  } else {
    text += fmt::format("      <system-out>{}</system-out>\n", summary);
  }
  return text + "    </testcase>\n  </testsuite>\n</testsuites>\n";
}

}  // namespace quintet
