/// IDX files, the format of MNIST and its kin: magic number, sizes, bytes; gzipped or not. Strict:
/// a byte too few or too many is an error.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/data/image_dataset.h"
#include "runtime/model/result.h"

namespace quintet {

/// An array of unsigned bytes, row-major.
struct IdxArray {
  std::vector<std::int64_t> dims;
  std::vector<std::uint8_t> bytes;
};

/// The array in the bytes of a file, `rank` dimensions expected (3 = images, 1 = labels). `file` is
/// named in errors: empty, truncated, wrong magic number (labels given as images and the like), a
/// size of 0, bytes left over. Errors leave the cure to the caller where only he knows the source.
Result<IdxArray> parse_idx(std::span<const std::uint8_t> bytes, int rank, const std::string& file);

/// The bytes that gzip packed. Errors: truncated, damaged, bytes left over after the end.
Result<std::vector<std::uint8_t>> unzip(std::span<const std::uint8_t> bytes,
                                        const std::string& file);

/// Reads a file, unzips it where it is gzipped (by its first bytes, not its name), and parses it.
Result<IdxArray> read_idx(const std::string& path, int rank);

/// Images and their labels; `name` is left empty. Errors: those of read_idx, counts that differ, a
/// label of `classes` or above.
Result<ImageDataset> read_idx_images(const std::string& images_path, const std::string& labels_path,
                                     std::int64_t classes);

}  // namespace quintet
