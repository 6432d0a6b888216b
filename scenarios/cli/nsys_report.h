/// Reports of Nsight Systems (.nsys-rep), which only its own program `nsys` reads: it turns them into
/// SQLite, which an import reads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/import/import.h"
#include "runtime/model/result.h"
#include "scenarios/cli/interrupt_watch.h"
#include "scenarios/cli/scratch_folder.h"

namespace quintet {

/// The files of one import, reports among them converted. The conversions go with this.
class ConvertedReports {
 public:
  /// Runs `nsys export` for each report. Errors: no nsys, with the command that a machine which has it
  /// takes; what nsys said; an interrupt, which ends nsys as well.
  static Result<ConvertedReports> of(const std::vector<std::string>& files, InterruptWatch& watch);

  /// What to import: conversions in the place of reports.
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
  /// Names the reports in the place of their conversions.
  void name_sources(Imported& imported) const;
  [[nodiscard]] Error told(Error error) const;

 private:
  struct Conversion {
    std::string report;
    std::string file;
  };

  [[nodiscard]] std::string told(std::string text) const;

  std::vector<std::string> files_;
  std::vector<Conversion> conversions_;
  std::optional<ScratchFolder> folder_;
};

}  // namespace quintet
