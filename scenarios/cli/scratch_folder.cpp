#include "scenarios/cli/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace quintet {

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::create() {
  std::error_code error;
  std::string path = (fs::temp_directory_path(error) / "quintet-XXXXXX").string();
  if (error || mkdtemp(path.data()) == nullptr) {
    const std::string reason = error ? error.message() : std::strerror(errno);
    return fail("no folder for temporary files can be made: " + reason,
                "set TMPDIR to a folder that can be written", error ? std::string() : path);
  }
  return ScratchFolder(std::move(path));
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
  std::error_code error;  // what cannot be deleted is left to the system
  if (!path_.empty()) fs::remove_all(path_, error);
}

}  // namespace quintet
