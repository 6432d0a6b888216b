#include "scenarios/cli/compared_recordings.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "profiler/trace/trace_reader.h"
#include "scenarios/cli/recorded_catalog.h"

namespace quintet {

namespace {

namespace fs = std::filesystem;

/// Critical paths cost the square of a step's tasks: a side takes about this many.
constexpr std::size_t kPathSteps = 32;

SampleOptions sample_options(AlignBy by, ComparedParts parts, std::size_t recordings) {
  switch (parts) {
    case ComparedParts::step_and_tasks:
      return {by, false, 0};
    case ComparedParts::everything:
      break;
  }
  return {by, true, std::max<std::size_t>(4, kPathSteps / recordings)};
}

/// Reads and samples all but the first, which is `samples.front()` already.
Result<void> read_rest(const std::vector<std::string>& files, const SampleOptions& options,
                       std::vector<RecordingSample>& samples) {
  for (std::size_t file = 1; file < files.size(); ++file) {
    const Result<Trace> trace = read_trace(files[file]);
    if (!trace) return tl::unexpected(trace.error());
    samples.push_back(sample_recording(*trace, files[file], options));
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> recordings_of(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (const std::string& word : words) {
    std::error_code error;
    if (!fs::is_directory(word, error)) {
      Result<std::string> file = recording_path(word);
      if (!file) return tl::unexpected(file.error());
      files.push_back(std::move(*file));
      continue;
    }
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(word, error)) {
      const std::string file = entry.path().string();
      if (file.ends_with(".qtrace") || file.ends_with(".qtrace.gz")) found.push_back(file);
    }
    if (found.empty()) {
      return fail("holds no recording", "name a .qtrace file, or a folder of such files", word);
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

Result<ComparedRecordings> read_compared(const std::vector<std::string>& a,
                                         const std::vector<std::string>& b, ComparedParts parts) {
  ComparedRecordings compared;
  SampleOptions options_a;
  SampleOptions options_b;
  {
    const Result<Trace> first = read_trace(a.front());
    if (!first) return tl::unexpected(first.error());
    const Result<Trace> second = read_trace(b.front());
    if (!second) return tl::unexpected(second.error());
    const AlignBy by = alignment_of(*first, *second);
    options_a = sample_options(by, parts, a.size());
    options_b = sample_options(by, parts, b.size());
    compared.a.push_back(sample_recording(*first, a.front(), options_a));
    compared.b.push_back(sample_recording(*second, b.front(), options_b));
    if (parts == ComparedParts::everything) {
      compared.report_a = build_report(*first);
      compared.report_b = build_report(*second);
    }
  }
  if (auto read = read_rest(a, options_a, compared.a); !read) return tl::unexpected(read.error());
  if (auto read = read_rest(b, options_b, compared.b); !read) return tl::unexpected(read.error());
  return compared;
}

void add_resample_options(CLI::App& app, ResampleOptions& options) {
  app.add_option("--resamples", options.resamples, "Resamples that the intervals rest on")
      ->check(CLI::Range(std::size_t{100}, std::size_t{100000}))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of the resampling: the same seed, the same intervals")
      ->capture_default_str();
}

}  // namespace quintet
