#include "profiler/import/import.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "profiler/import/byte_stream.h"

namespace quintet {

namespace {

constexpr std::size_t kHeadBytes = 4096;

tl::unexpected<Error> unknown_format(const std::string& path, bool empty) {
  if (!empty && path.ends_with(".nsys-rep")) {
    return fail("is a report of Nsight Systems, which only its own program reads",
                "run nsys export --type sqlite on it and import the .sqlite file", path);
  }
  std::string known;
  for (const TraceFormat& format : trace_format_catalog())
    known += fmt::format("{}{}", known.empty() ? "" : "; ", format.description);
  return fail(empty ? "is empty" : "is in no format that can be imported", "import " + known, path);
}

std::uint64_t size_of(const std::string& path) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(path, none);
  return none ? 0 : size;
}

Result<ImportedFile> read_file(const std::string& path, const ImportOptions& options,
                               TraceBuilder& builder) {
  const Result<std::string> head = read_head(path, kHeadBytes);
  if (!head) return tl::unexpected(head.error());
  const TraceFormat* format = recognise(*head);
  if (format == nullptr) return unknown_format(path, head->empty());
  return format->read(path, options, builder);
}

}  // namespace

Result<Imported> import_trace(std::span<const std::string> paths, const ImportOptions& options) {
  if (paths.empty()) return fail("no file to import", "name one or more files");
  if (paths.size() > kMostImportSources) {
    return fail(fmt::format("{} files are more than one trace can take ({})", paths.size(),
                            kMostImportSources),
                "import fewer at a time");
  }
  for (std::size_t file = 1; file < paths.size(); ++file) {
    if (std::find(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(file), paths[file]) !=
        paths.begin() + static_cast<std::ptrdiff_t>(file)) {
      return fail("is named twice", "name each file once, one for each rank", paths[file]);
    }
  }
  std::uint64_t total = 0;
  for (const std::string& path : paths)
    total += size_of(path);
  TraceBuilder builder;
  Imported imported;
  std::uint64_t before = 0;
  for (const std::string& path : paths) {
    ImportOptions of_file = options;
    if (options.progress) {
      of_file.progress = [&](std::uint64_t done, std::uint64_t) {
        return options.progress(before + done, total);
      };
    }
    Result<ImportedFile> file = read_file(path, of_file, builder);
    if (!file) return tl::unexpected(file.error());
    before += size_of(path);
    imported.report.files.push_back(std::move(*file));
  }
  Result<Trace> finished = builder.finish();
  if (!finished) return tl::unexpected(finished.error());
  imported.trace = std::move(*finished);
  const Trace& trace = imported.trace;
  imported.report.findings = trace.findings;
  imported.report.spans = static_cast<std::int64_t>(trace.spans.size());
  imported.report.untimed = static_cast<std::int64_t>(trace.untimed.size());
  imported.report.steps = static_cast<std::int64_t>(trace.steps.size());
  imported.report.lanes = static_cast<std::int64_t>(trace.lanes.size());
  return imported;
}

Result<Imported> import_trace(const std::string& path, const ImportOptions& options) {
  return import_trace(std::span(&path, 1), options);
}

}  // namespace quintet
