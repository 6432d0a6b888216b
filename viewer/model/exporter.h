/// What is shown as a file for others: a page, a timeline for Perfetto or Chrome, a policy.
#pragma once

#include <string>

#include "viewer/model/part.h"

namespace quintet::viewer {

std::string_view name_of(ExportFormat format);
/// What the file is for: one line.
std::string_view description_of(ExportFormat format);
/// Beside the recording: "run.html" of "run.qtrace.gz".
std::string default_export_path(const Document& document, ExportFormat format);

/// Errors: a file of that name that quintet did not write, or that is not a file. An empty one may be
/// replaced.
Result<void> check_export_path(const std::string& path);

/// Writes what is not a picture: beside `path`, then renamed. Errors: the disk's; those of
/// check_export_path; a path that is the recording itself; a recording that holds no policy. Any thread.
Result<void> export_document(const Document& document, const std::string& draft_toml,
                             const ExportTo& wanted);

/// Takes kExportTo for all formats but pictures, which the application takes of its screen.
class Exporter : public Part {
 public:
  [[nodiscard]] std::string_view id() const override { return "export"; }
  bool handle(const Command& command, PartContext& context) override;
};

}  // namespace quintet::viewer
