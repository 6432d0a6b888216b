/// The bytes of a file, decompressed on the way where it is a gzip file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "runtime/model/result.h"

namespace quintet {

/// Owns an open file. Several gzip members in a row are one text. Throws nothing but std::bad_alloc.
///
///   auto stream = ByteStream::open("trace.json.gz");
///   while (const std::size_t count = stream->read(buffer)) ...
class ByteStream {
 public:
  /// Errors: the file is absent, no regular file, or may not be read.
  static Result<ByteStream> open(const std::string& path);
  ByteStream(ByteStream&&) noexcept;
  ByteStream& operator=(ByteStream&&) noexcept;
  ~ByteStream();

  /// Fills `into` as far as the text goes; 0 = it ends here.
  std::size_t read(std::span<char> into);
  /// Bytes of the file that were read so far, and all of them.
  [[nodiscard]] std::uint64_t done() const;
  [[nodiscard]] std::uint64_t total() const;
  /// The text ended before it was complete: a gzip file that is cut off or damaged, a read error.
  [[nodiscard]] bool cut_off() const;
  /// Bytes of a gzip file behind its last member, which nothing was read of; padding of zeros does
  /// not count. Known once the text has ended.
  [[nodiscard]] std::uint64_t trailing_bytes() const;
  /// How many bytes of a gzip file have been decompressed; nothing for other files.
  [[nodiscard]] std::optional<std::uint64_t> compressed_at() const;

 private:
  class File;
  explicit ByteStream(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

/// The first bytes of a file's text, at most `most`.
Result<std::string> read_head(const std::string& path, std::size_t most);

}  // namespace quintet
