#include "viewer/model/exporter.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "profiler/report/chrome_trace.h"
#include "profiler/report/file_signature.h"
#include "profiler/report/html_report.h"
#include "profiler/report/perfetto_trace.h"
#include "viewer/model/mapping/whole_file.h"

namespace quintet::viewer {

namespace {

namespace fs = std::filesystem;

std::string_view ending_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::png:
      return ".png";
    case ExportFormat::png_centre:
      return ".timeline.png";
    case ExportFormat::png_tab:
      return ".tab.png";
    case ExportFormat::html:
      return ".html";
    case ExportFormat::perfetto:
      return ".pftrace";
    case ExportFormat::chrome:
      return ".trace.json";
    case ExportFormat::policy:
      return ".policy.toml";
  }
  return {};
}

Error disk_error(const std::string& path) {
  return {"cannot be written", "choose a folder that may be written to and has room", path, 0};
}

/// Streams a document of any size into a file that appears whole or not at all.
Result<void> stream_to(const std::string& path,
                       const std::function<Result<void>(const ByteSink&)>& write) {
  const std::string building = path + ".new";
  Result<void> written;
  {
    std::ofstream file(building, std::ios::binary | std::ios::trunc);
    written = write([&](std::string_view bytes) -> Result<void> {
      if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())))
        return tl::unexpected(disk_error(path));
      return {};
    });
    file.close();
    if (written && !file) written = tl::unexpected(disk_error(path));
  }
  std::error_code error;
  if (written) fs::rename(building, path, error);
  if (written && error) written = tl::unexpected(disk_error(path));
  if (!written) fs::remove(building, error);
  return written;
}

}  // namespace

std::string_view name_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::png:
      return "Picture of all";
    case ExportFormat::png_centre:
      return "Picture of timeline";
    case ExportFormat::png_tab:
      return "Picture of tab";
    case ExportFormat::html:
      return "Report (HTML)";
    case ExportFormat::perfetto:
      return "Perfetto trace";
    case ExportFormat::chrome:
      return "Chrome trace";
    case ExportFormat::policy:
      return "Policy (TOML)";
  }
  return {};
}

std::string_view description_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::png:
      return "this window as it is, PNG";
    case ExportFormat::png_centre:
      return "the timelines as they are, PNG";
    case ExportFormat::png_tab:
      return "what is shown below, PNG";
    case ExportFormat::html:
      return "one page that needs no other file";
    case ExportFormat::perfetto:
      return "for ui.perfetto.dev";
    case ExportFormat::chrome:
      return "as PyTorch's profiler writes it";
    case ExportFormat::policy:
      return "the mapping with your edits, for quintet run --policy";
  }
  return {};
}

std::string default_export_path(const Document& document, ExportFormat format) {
  std::string stem = document.file.empty() ? "run" : document.file;
  for (const std::string_view ending : {".gz", ".qtrace", ".json", ".sqlite"}) {
    if (stem.ends_with(ending)) stem.resize(stem.size() - ending.size());
  }
  return stem + std::string(ending_of(format));
}

Result<void> check_export_path(const std::string& path) {
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  if (!fs::exists(status)) return {};
  if (!fs::is_regular_file(status)) return fail("is not a file", "name a file to write", path);
  std::string head(kSignatureBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  const bool empty = fs::file_size(path, none) == 0 && !none;
  if (empty || has_signature(head)) return {};
  return fail("exists and was not written by quintet", "name another file, or remove this one",
              path);
}

Result<void> export_document(const Document& document, const std::string& draft_toml,
                             const ExportTo& wanted) {
  std::error_code none;
  if (fs::equivalent(wanted.path, document.file, none)) {
    return fail("is the recording itself", "name another file", wanted.path);
  }
  if (auto free = check_export_path(wanted.path); !free) return free;
  switch (wanted.format) {
    case ExportFormat::png:
    case ExportFormat::png_centre:
    case ExportFormat::png_tab:
      return fail("a picture is taken of the screen", {}, wanted.path);
    case ExportFormat::html:
      return write_whole_file(wanted.path, html_report(build_report(*document.trace)));
    case ExportFormat::perfetto:
      return stream_to(wanted.path, [&](const ByteSink& sink) {
        return write_perfetto_trace(*document.trace, sink);
      });
    case ExportFormat::chrome:
      return stream_to(wanted.path, [&](const ByteSink& sink) {
        return write_chrome_trace(*document.trace, sink);
      });
    case ExportFormat::policy: {
      const std::string text = draft_toml.empty() ? document.said("policy_toml") : draft_toml;
      if (text.empty()) {
        return fail("the recording holds no policy", "export a recording of quintet's own runs",
                    document.file);
      }
      return write_whole_file(wanted.path, text.starts_with(kPolicySignature)
                                               ? text
                                               : std::string(kPolicySignature) + text);
    }
  }
  return {};
}

bool Exporter::handle(const Command& command, PartContext& context) {
  const auto* wanted = command.get<ExportTo>();
  if (command.id != command_id::kExportTo || wanted == nullptr) return false;
  const Document* document = context.workbench.main_document();
  if (document == nullptr || is_picture(wanted->format)) return false;
  WorkbenchLog* log = &context.workbench.log;
  context.background.start<Result<void>>(
      "export", fmt::format("Writing {}", wanted->path),
      [document = *document, draft = context.workbench.draft_toml, wanted = *wanted](JobControl&) {
        return export_document(document, draft, wanted);
      },
      [log, path = wanted->path](const Result<void>& written) {
        if (written) {
          log->note("Wrote " + path);
        } else {
          log->fail(written.error());
        }
      },
      [log](const std::string& said) { log->warn("The export broke off: " + said); });
  return true;
}

}  // namespace quintet::viewer
