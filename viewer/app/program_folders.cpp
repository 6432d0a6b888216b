#include "viewer/app/program_folders.h"

#include <cstdlib>
#include <filesystem>

namespace quintet::viewer {

namespace fs = std::filesystem;

std::string program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().string();
}

std::string recorded_folder() {
  if (const char* folder = std::getenv("QUINTET_RECORDED"); folder != nullptr && *folder != '\0') {
    return folder;
  }
  return (fs::path(program_folder()) / QUINTET_RECORDED_FROM_PROGRAM).lexically_normal().string();
}

std::string quintet_program() {
  const fs::path beside = fs::path(program_folder()) / "quintet";
  std::error_code error;
  return fs::exists(beside, error) ? beside.string() : std::string();
}

}  // namespace quintet::viewer
