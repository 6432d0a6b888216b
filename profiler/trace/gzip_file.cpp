#include "profiler/trace/gzip_file.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <zlib.h>

namespace quintet {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr int kGzipWindow = 15 + 16;  // zlib's way to ask for gzip's header and trailer

constexpr const char* kCopyAgain = "copy it again from where it was made";

/// Inflates piece by piece; a file may hold several streams, one behind the other.
class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// Appends what the next bytes of the file hold, until there are more than `most`. False where
  /// they make no sense.
  bool append(std::span<std::byte> packed, std::vector<std::byte>& bytes, std::uint64_t most) {
    stream_.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream_.avail_in = static_cast<unsigned>(packed.size());
    bool full = true;  // the last piece: there may be more to come of the same input
    while ((stream_.avail_in > 0 || full) && bytes.size() <= most) {
      if (ended_ && stream_.avail_in == 0) break;
      if (ended_ && inflateReset(&stream_) != Z_OK) return false;
      const std::size_t at = bytes.size();
      bytes.resize(at + kChunk);
      stream_.next_out = reinterpret_cast<Bytef*>(bytes.data() + at);
      stream_.avail_out = static_cast<unsigned>(kChunk);
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code == Z_MEM_ERROR) throw std::bad_alloc();
      full = stream_.avail_out == 0;
      bytes.resize(at + kChunk - stream_.avail_out);
      // Z_BUF_ERROR: nothing to do without more input.
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return false;
      ended_ = code == Z_STREAM_END;
    }
    return true;
  }
  /// True where the last stream is whole, its checksum included.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  z_stream stream_{};
  bool ended_ = false;
};

}  // namespace

bool is_gzip(const std::string& path) {
  std::array<char, 2> begin{};
  std::ifstream file(path, std::ios::binary);
  return file.read(begin.data(), begin.size()) && begin == std::array{'\x1f', '\x8b'};
}

Result<std::vector<std::byte>> inflate_file(const std::string& path, std::uint64_t most_bytes) {
  std::ifstream file(path, std::ios::binary);
  Inflater inflater;
  std::vector<std::byte> packed(kChunk);
  std::vector<std::byte> bytes;
  while (file) {
    file.read(reinterpret_cast<char*>(packed.data()), static_cast<std::streamsize>(kChunk));
    const auto got = static_cast<std::size_t>(file.gcount());
    if (!inflater.append({packed.data(), got}, bytes, most_bytes)) {
      return fail("is damaged: its compressed data makes no sense", kCopyAgain, path);
    }
    if (bytes.size() > most_bytes) {
      return fail(fmt::format("takes more than {} MiB when inflated", most_bytes >> 20),
                  "inflate it with gunzip and name the result", path);
    }
  }
  if (!file.eof()) {
    return tl::unexpected(
        Error{"cannot be read to its end", kCopyAgain, path, 0, ErrorKind::machine});
  }
  if (inflater.ended()) return bytes;
  return fail("is cut short: its compressed data has no end", kCopyAgain, path);
}

std::vector<std::byte> deflate_bytes(std::span<const std::byte> bytes) {
  constexpr int kMostMemory = 9;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMostMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, &deflateEnd);
  std::vector<std::byte> packed;
  int code = Z_OK;
  while (code != Z_STREAM_END) {
    const std::size_t piece =
        std::min<std::size_t>(bytes.size(), std::numeric_limits<unsigned>::max());
    const std::size_t at = packed.size();
    packed.resize(at + kChunk);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
    stream.avail_in = static_cast<unsigned>(piece);
    stream.next_out = reinterpret_cast<Bytef*>(packed.data() + at);
    stream.avail_out = static_cast<unsigned>(kChunk);
    code = deflate(&stream, piece == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    assert(code != Z_STREAM_ERROR);
    bytes = bytes.subspan(piece - stream.avail_in);
    packed.resize(at + kChunk - stream.avail_out);
  }
  return packed;
}

}  // namespace quintet
