/// Recordings that come with the program: what a GPU did, for those who have none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

struct RecordedScenario {
  std::string name;  ///< "recorded/resnet50-b32-serial-whole_step"
  std::string file;
};

/// What its recording says of a recorded scenario, without steps and spans.
struct RecordedOrigin {
  std::string device;    ///< "NVIDIA H200"; of a run on the host, its processor
  std::string date;      ///< "2026-11-30"
  std::string scenario;  ///< "generated-resnet50"
  std::string policy;    ///< "serial"
  std::string step_mode;
};

/// The folder they lie in: that of the environment variable QUINTET_RECORDED, or the one that was
/// built or installed with this program. It need not exist.
std::string recorded_folder();

/// All of them, ordered by name; a file NAME.qtrace.gz or NAME.qtrace is recorded/NAME.
std::vector<RecordedScenario> recorded_catalog();

/// True where a word of the command line means one of them: it begins with "recorded/", and no file
/// is called so.
bool means_recorded(const std::string& word);

/// Errors: there is none of that name; the cure names those that it may have meant.
Result<RecordedScenario> find_recorded(const std::string& name);

/// The file of a recorded scenario, or the word itself where it is none. Errors: find_recorded's.
Result<std::string> recording_path(const std::string& word);

RecordedOrigin origin_of(const Provenance& provenance);

/// "renaissance (step = whole_step)" without what stands in brackets.
std::string bare_name(const std::string& name);

}  // namespace quintet
