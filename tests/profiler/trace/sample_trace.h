/// A small trace that fills every field, its text for comparisons, and a folder that goes away.
#pragma once

#include <string>

#include "profiler/trace/trace.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {

/// Plan and provenance, no steps: what write_static takes.
Trace sample_plan();
/// One step of it: six spans, a wait, a launch.
TraceBatch sample_step(std::int64_t step);
/// Every field of a trace as text, so that a difference can be read.
std::string describe(const Trace& trace);
/// The trace that a recording of `steps` sample steps must read as.
Trace sample_trace(std::int64_t steps);

/// A fresh folder, removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Names of the files in it, sorted, separated by blanks.
  [[nodiscard]] std::string listing() const;

 private:
  std::string path_;
};

/// While it lives, no file of this process grows beyond `bytes`: a full disk, for an unprivileged
/// test.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::uint64_t bytes);
  ~FileSizeLimit();
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  std::uint64_t old_;
};

}  // namespace quintet
