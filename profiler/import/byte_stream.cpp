#include "profiler/import/byte_stream.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>
#include <zlib.h>

namespace quintet {

namespace {

constexpr std::size_t kCompressedBytes = 256 * 1024;
constexpr std::size_t kTextBytes = 256 * 1024;
constexpr int kGzipWindow = 15 + 16;  // zlib: the largest window, and a gzip header

}  // namespace

class ByteStream::File {
 public:
  File(int descriptor, std::uint64_t total) : descriptor_(descriptor), total_(total) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (inflating_) inflateEnd(&inflater_);
    close(descriptor_);
  }

  /// Looks whether the file begins as gzip files do.
  void begin() {
    input_.resize(kCompressedBytes);
    refill();
    inflating_ = begins_member() && inflateInit2(&inflater_, kGzipWindow) == Z_OK;
  }

  std::size_t read(std::span<char> into) {
    return inflating_ ? read_inflated(into) : read_plain(into);
  }

  [[nodiscard]] std::uint64_t done() const { return done_; }
  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] bool cut_off() const { return cut_off_; }
  [[nodiscard]] std::uint64_t trailing() const { return trailing_; }
  /// Where decompression stands in the file; nothing if it is not compressed.
  [[nodiscard]] std::optional<std::uint64_t> compressed_at() const {
    if (!inflating_) return std::nullopt;
    return position();
  }

 private:
  [[nodiscard]] std::uint64_t position() const { return done_ - (end_ - at_); }

  std::size_t read_file(std::span<char> into) {
    ssize_t count = 0;
    do {
      count = ::read(descriptor_, into.data(), into.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) cut_off_ = true;
    if (count <= 0) return 0;
    done_ += static_cast<std::uint64_t>(count);
    return static_cast<std::size_t>(count);
  }

  void refill() {
    at_ = 0;
    end_ = read_file(input_);
  }

  std::size_t read_plain(std::span<char> into) {
    std::size_t filled = std::min(into.size(), end_ - at_);
    std::memcpy(into.data(), input_.data() + at_, filled);
    at_ += filled;
    while (filled < into.size()) {
      const std::size_t count = read_file(into.subspan(filled));
      if (count == 0) break;
      filled += count;
    }
    return filled;
  }

  std::size_t read_inflated(std::span<char> into) {
    std::size_t filled = 0;
    while (filled < into.size()) {
      if (text_at_ == text_end_ && !inflate_some()) break;
      const std::size_t count = std::min(into.size() - filled, text_end_ - text_at_);
      std::memcpy(into.data() + filled, text_.data() + text_at_, count);
      text_at_ += count;
      filled += count;
    }
    return filled;
  }

  /// Fills the buffer of text; false where there is no more. Pieces of one size, whoever asks: how
  /// much zlib gives of a damaged file depends on that.
  bool inflate_some() {
    text_at_ = text_end_ = 0;
    text_.resize(kTextBytes);
    while (text_end_ == 0 && !ended_) {
      if (at_ == end_) refill();
      if (at_ == end_) {
        cut_off_ = cut_off_ || inside_member_;
        ended_ = true;
        break;
      }
      inflate_input();
    }
    return text_end_ > 0;
  }

  void inflate_input() {
    inflater_.next_in = reinterpret_cast<Bytef*>(input_.data() + at_);
    inflater_.avail_in = static_cast<uInt>(end_ - at_);
    inflater_.next_out = reinterpret_cast<Bytef*>(text_.data());
    inflater_.avail_out = static_cast<uInt>(text_.size());
    inside_member_ = true;
    const int status = inflate(&inflater_, Z_NO_FLUSH);
    at_ = end_ - inflater_.avail_in;
    text_end_ = text_.size() - inflater_.avail_out;
    if (status == Z_STREAM_END) {
      inside_member_ = false;
      next_member();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      cut_off_ = true;
      ended_ = true;
    }
  }

  /// What follows a member is padding (zeros), then another member, or bytes that are neither.
  void next_member() {
    do {
      if (at_ == end_) refill();
      while (at_ < end_ && input_[at_] == '\0')
        ++at_;
    } while (at_ == end_ && at_ != 0);
    if (at_ == end_) {
      ended_ = true;
      return;
    }
    if (end_ - at_ == 1) keep_last_and_refill();
    if (begins_member()) {
      ended_ = inflateReset(&inflater_) != Z_OK;
      return;
    }
    ended_ = true;
    trailing_ = total_ > position() ? total_ - position() : end_ - at_;
  }

  [[nodiscard]] bool begins_member() const {
    return end_ - at_ >= 2 && static_cast<unsigned char>(input_[at_]) == 0x1F &&
           static_cast<unsigned char>(input_[at_ + 1]) == 0x8B;
  }

  void keep_last_and_refill() {
    input_[0] = input_[at_];
    at_ = 0;
    end_ = 1 + read_file(std::span(input_).subspan(1));
  }

  int descriptor_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::uint64_t trailing_ = 0;
  std::vector<char> input_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::vector<char> text_;  ///< inflated
  std::size_t text_at_ = 0;
  std::size_t text_end_ = 0;
  z_stream inflater_{};
  bool inflating_ = false;
  bool inside_member_ = false;
  bool ended_ = false;
  bool cut_off_ = false;
};

ByteStream::ByteStream(std::unique_ptr<File> file) : file_(std::move(file)) {}
ByteStream::ByteStream(ByteStream&&) noexcept = default;
ByteStream& ByteStream::operator=(ByteStream&&) noexcept = default;
ByteStream::~ByteStream() = default;

Result<ByteStream> ByteStream::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return fail(std::string("cannot be opened: ") + std::strerror(errno), "name a file to import",
                path);
  }
  struct stat about {};
  const bool known = fstat(descriptor, &about) == 0;
  auto file = std::make_unique<File>(descriptor, static_cast<std::uint64_t>(about.st_size));
  if (known && S_ISDIR(about.st_mode)) return fail("is a folder", "name a file to import", path);
  // A pipe cannot be looked at before it is read, and reading one may take for ever.
  if (!known || !S_ISREG(about.st_mode)) {
    return fail("is no regular file", "write it to a file and import that", path);
  }
  file->begin();
  return ByteStream(std::move(file));
}

std::size_t ByteStream::read(std::span<char> into) {
  return file_->read(into);
}

std::uint64_t ByteStream::done() const {
  return file_->done();
}

std::uint64_t ByteStream::total() const {
  return file_->total();
}

bool ByteStream::cut_off() const {
  return file_->cut_off();
}

std::uint64_t ByteStream::trailing_bytes() const {
  return file_->trailing();
}

std::optional<std::uint64_t> ByteStream::compressed_at() const {
  return file_->compressed_at();
}

Result<std::string> read_head(const std::string& path, std::size_t most) {
  Result<ByteStream> stream = ByteStream::open(path);
  if (!stream) return tl::unexpected(stream.error());
  std::string head(most, '\0');
  head.resize(stream->read(head));
  return head;
}

}  // namespace quintet
