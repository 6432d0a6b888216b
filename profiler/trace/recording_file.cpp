#include "profiler/trace/recording_file.h"

#include <utility>
#include <vector>

#include "profiler/trace/gzip_file.h"

namespace quintet {

namespace {

/// Where SQLite's header says by which journal the file is read.
constexpr std::size_t kReadVersion = 19;
constexpr std::byte kWriteAheadLog{2};

}  // namespace

Result<RecordingFile> open_recording(const std::string& path) {
  if (!is_gzip(path)) return RecordingFile{Database(path, Database::Mode::read_only), 0};
  Result<std::vector<std::byte>> image = inflate_file(path, kMostInflatedBytes);
  if (!image) return tl::unexpected(image.error());
  // Its newest rows were in a -wal, which nobody compressed.
  if (image->size() > kReadVersion && (*image)[kReadVersion] == kWriteAheadLog) {
    return fail("was compressed before its run had finished",
                "compress the finished recording, or write it with quintet trim", path);
  }
  const std::uint64_t bytes = image->size();
  return RecordingFile{Database(std::move(*image)), bytes};
}

}  // namespace quintet
