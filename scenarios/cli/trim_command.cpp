#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "profiler/analysis/distribution.h"
#include "profiler/analysis/step_window.h"
#include "profiler/analysis/typical_steps.h"
#include "profiler/report/format.h"
#include "profiler/report/json_parts.h"
#include "profiler/trace/trace_file.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/trace/trace_trim.h"
#include "profiler/trace/utf8.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/recorded_catalog.h"
#include "scenarios/cli/standard_output.h"

namespace quintet {

namespace {

struct TrimArguments {
  std::string recording;
  std::string out;
  std::int64_t steps = 5;
  bool json = false;
};

/// What was written.
struct Trimmed {
  Trace trace;
  StepRange range;
  std::uintmax_t bytes = 0;
};

/// The whole run's step time, which a few steps no longer tell.
void keep_step_time(Trace& trace) {
  if (trace.provenance.contains("traced_step_ns")) return;
  std::vector<double> lengths;
  for (const StepWindow& window : step_windows(trace)) {
    if (window.timed) lengths.push_back(static_cast<double>(window.time.length()));
  }
  if (lengths.empty()) return;
  trace.provenance["traced_step_ns"] =
      fmt::format("{:.0f}", distribution_of(std::move(lengths)).median);
}

Result<Trimmed> trim_recording(const TrimArguments& options) {
  Result<std::string> from = recording_path(options.recording);
  if (!from) return tl::unexpected(from.error());
  std::error_code error;
  if (std::filesystem::equivalent(*from, options.out, error)) {
    return fail("is the recording itself", "name another file for --out", options.out);
  }
  Result<Trace> whole = read_trace(*from);
  if (!whole) return tl::unexpected(whole.error());
  const auto range = typical_steps(*whole, static_cast<std::size_t>(options.steps));
  if (!range) return fail(range.error().message, range.error().cure, *from);
  keep_step_time(*whole);
  Trimmed trimmed{trim_trace(*whole, *range), *range, 0};
  auto written = write_trace(trimmed.trace, options.out, form_of(options.out));
  if (!written) return tl::unexpected(written.error());
  trimmed.bytes = std::filesystem::file_size(options.out, error);
  return trimmed;
}

/// A number that provenance holds as text, or null.
OrderedJson whole_number(const Trace& trace, const char* key) {
  const auto found = trace.provenance.find(key);
  if (found == trace.provenance.end()) return nullptr;
  const OrderedJson number = OrderedJson::parse(found->second, nullptr, false);
  return number.is_number_integer() ? number : OrderedJson(nullptr);
}

std::string json_text(const Trimmed& trimmed, const TrimArguments& options) {
  const Trace& trace = trimmed.trace;
  const OrderedJson json = {{"schema", "quintet.trim"},
                            {"version", 1},
                            {"recording", options.out},
                            {"bytes", trimmed.bytes},
                            {"first_step", trimmed.range.first},
                            {"last_step", trimmed.range.last},
                            {"timed_steps", options.steps},
                            {"spans", trace.spans.size()},
                            {"tasks", trace.tasks.size()},
                            {"untraced_step_ns", whole_number(trace, "untraced_step_ns")},
                            {"traced_step_ns", whole_number(trace, "traced_step_ns")},
                            {"findings", findings_json(trace.findings)}};
  return dump_json(json, 2) + "\n";
}

ExitCode trim(const TrimArguments& options) {
  const Result<Trimmed> trimmed = trim_recording(options);
  if (!trimmed) return report_error(trimmed.error());
  if (options.json) return print_output(json_text(*trimmed, options));
  const Finding& finding = trimmed->trace.findings.back();
  return print_output(fmt::format("{} {}, {}\n", visible_text(options.out), finding.message,
                                  format_bytes(static_cast<double>(trimmed->bytes))));
}

}  // namespace

CommandAction add_trim(CLI::App& app) {
  auto options = std::make_shared<TrimArguments>();
  app.add_option("recording", options->recording, "A recording")->required();
  app.add_option("--steps", options->steps, "How many timed steps to keep")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 31, "COUNT"))
      ->capture_default_str();
  app.add_option("--out", options->out,
                 "The recording to write; compressed where its name ends in .gz")
      ->required();
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options] { return trim(*options); };
}

}  // namespace quintet
