#include "runtime/data/idx_reader.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>
#include <utility>
#include <zlib.h>

#include "runtime/data/file_bytes.h"

namespace quintet {

namespace {

constexpr std::uint8_t kUnsignedByte = 0x08;
/// More than any data set of this format unpacks to; keeps a damaged file from filling the memory.
constexpr std::size_t kMostBytes = std::size_t{1} << 32U;

std::uint32_t big_endian(std::span<const std::uint8_t> bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24U | std::uint32_t{bytes[at + 1]} << 16U |
         std::uint32_t{bytes[at + 2]} << 8U | std::uint32_t{bytes[at + 3]};
}

std::string_view holding(int rank) {
  return rank == 3 ? "images" : rank == 1 ? "labels" : "an array";
}

/// A zlib stream that unpacks gzip.
class Inflater {
 public:
  Inflater() {
    // 15 = the largest window, 16 = expect gzip's header and check its sum.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::runtime_error("zlib cannot start");
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }
  z_stream& operator*() { return stream_; }

 private:
  z_stream stream_{};
};

Error wrong_magic(std::span<const std::uint8_t> bytes, int rank, const std::string& file) {
  const bool idx = bytes[0] == 0 && bytes[1] == 0;
  if (idx && bytes[2] == kUnsignedByte && bytes[3] != rank) {
    return {fmt::format("holds {} ({} dimensions), not {} ({})", holding(bytes[3]), bytes[3],
                        holding(rank), rank),
            fmt::format("put the file of the {} there", holding(rank)), file, 0};
  }
  if (idx && bytes[2] != kUnsignedByte && bytes[2] >= 0x08 && bytes[2] <= 0x0E) {
    return {fmt::format("holds elements of IDX type 0x{:02x}, not unsigned bytes (0x08)", bytes[2]),
            "convert it to unsigned bytes", file, 0};
  }
  return {fmt::format("starts with {:02x} {:02x} {:02x} {:02x}, not with IDX's 00 00 08 {:02x}",
                      bytes[0], bytes[1], bytes[2], bytes[3], rank),
          "", file, 0};
}

}  // namespace

Result<IdxArray> parse_idx(std::span<const std::uint8_t> bytes, int rank, const std::string& file) {
  assert(rank >= 1 && rank <= 4);
  if (bytes.empty()) return fail("the file is empty", {}, file);
  const std::size_t header = 4 + 4 * static_cast<std::size_t>(rank);
  const auto truncated = [&](std::uint64_t wanted) {
    return fail(fmt::format("truncated: {} bytes of {}", bytes.size(), wanted), {}, file);
  };
  if (bytes.size() < 4) return truncated(header);
  if (bytes[0] != 0 || bytes[1] != 0 || bytes[2] != kUnsignedByte || bytes[3] != rank) {
    return tl::unexpected(wrong_magic(bytes, rank, file));
  }
  if (bytes.size() < header) return truncated(header);

  IdxArray array;
  std::uint64_t elements = 1;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(rank); ++axis) {
    const std::uint32_t dim = big_endian(bytes, 4 + 4 * axis);
    if (dim == 0) return fail(fmt::format("dimension {} is 0", axis), {}, file);
    if (elements > std::numeric_limits<std::uint64_t>::max() / 2 / dim) {
      return fail("the sizes in its header are impossible", {}, file);
    }
    elements *= dim;
    array.dims.push_back(dim);
  }
  const std::uint64_t wanted = header + elements;
  if (bytes.size() < wanted) return truncated(wanted);
  if (bytes.size() > wanted) {
    return fail(fmt::format("{} bytes too many after the {} that its header announces",
                            bytes.size() - wanted, wanted),
                {}, file);
  }
  array.bytes.assign(bytes.begin() + static_cast<std::ptrdiff_t>(header), bytes.end());
  return array;
}

Result<std::vector<std::uint8_t>> unzip(std::span<const std::uint8_t> bytes,
                                        const std::string& file) {
  Inflater inflater;
  z_stream& stream = *inflater;
  std::vector<std::uint8_t> unpacked;
  std::vector<std::uint8_t> block(std::size_t{1} << 18U);
  std::span<const std::uint8_t> input = bytes;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0 && !input.empty()) {
      const std::size_t piece = std::min(input.size(), std::size_t{1} << 30U);
      // zlib promises not to write through next_in.
      stream.next_in = const_cast<Bytef*>(input.data());
      stream.avail_in = static_cast<uInt>(piece);
      input = input.subspan(piece);
    }
    stream.next_out = block.data();
    stream.avail_out = static_cast<uInt>(block.size());
    status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t produced = block.size() - stream.avail_out;
    unpacked.insert(unpacked.end(), block.begin(),
                    block.begin() + static_cast<std::ptrdiff_t>(produced));
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status == Z_BUF_ERROR) {  // wants input, and there is none
      return fail(fmt::format("truncated: the gzip data breaks off after {} bytes, {} unpacked",
                              bytes.size(), unpacked.size()),
                  {}, file);
    }
    if (status != Z_OK && status != Z_STREAM_END) {
      return fail(fmt::format("the gzip data is damaged ({})",
                              stream.msg == nullptr ? "unknown cause" : stream.msg),
                  {}, file);
    }
    if (unpacked.size() > kMostBytes) {
      return fail(fmt::format("unpacks to more than {} bytes", kMostBytes), {}, file);
    }
  }
  const std::size_t left = input.size() + stream.avail_in;
  if (left > 0) {
    return fail(fmt::format("{} bytes too many after the end of its gzip data", left), {}, file);
  }
  return unpacked;
}

Result<IdxArray> read_idx(const std::string& path, int rank) {
  auto bytes = read_bytes(path);
  if (!bytes) return tl::unexpected(bytes.error());
  const bool zipped = bytes->size() >= 2 && (*bytes)[0] == 0x1F && (*bytes)[1] == 0x8B;
  if (!zipped) return parse_idx(*bytes, rank, path);
  const auto unpacked = unzip(*bytes, path);
  if (!unpacked) return tl::unexpected(unpacked.error());
  return parse_idx(*unpacked, rank, path);
}

Result<ImageDataset> read_idx_images(const std::string& images_path, const std::string& labels_path,
                                     std::int64_t classes) {
  auto images = read_idx(images_path, 3);
  if (!images) return tl::unexpected(images.error());
  auto labels = read_idx(labels_path, 1);
  if (!labels) return tl::unexpected(labels.error());
  if (images->dims[0] != labels->dims[0]) {
    return fail(fmt::format("{} labels for the {} images of {}", labels->dims[0], images->dims[0],
                            images_path),
                "use the labels of the same images", labels_path);
  }
  for (std::size_t index = 0; index < labels->bytes.size(); ++index) {
    if (labels->bytes[index] >= classes) {
      return fail(
          fmt::format("label {} of image {} is not below {}", labels->bytes[index], index, classes),
          "use the labels of the same data set", labels_path);
    }
  }
  ImageDataset dataset;
  dataset.count = images->dims[0];
  dataset.height = images->dims[1];
  dataset.width = images->dims[2];
  dataset.classes = classes;
  dataset.pixels = std::move(images->bytes);
  dataset.labels.assign(labels->bytes.begin(), labels->bytes.end());
  return dataset;
}

}  // namespace quintet
