/// A folder for files that nobody keeps.
#pragma once

#include <string>

#include "runtime/model/result.h"

namespace quintet {

/// Below the system's folder for temporary files, of a name that nobody had; goes with what is in it.
class ScratchFolder {
 public:
  static Result<ScratchFolder> create();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;  ///< empty = moved away
};

}  // namespace quintet
