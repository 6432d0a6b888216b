#include "viewer/platform/image.h"

#include <algorithm>
#include <png.h>
#include <string_view>

#include "viewer/model/mapping/whole_file.h"

namespace quintet::viewer {

Image Image::cut(int x, int y, int cut_width, int cut_height) const {
  const int left = std::clamp(x, 0, width);
  const int top = std::clamp(y, 0, height);
  Image part;
  part.width = std::clamp(x + cut_width, left, width) - left;
  part.height = std::clamp(y + cut_height, top, height) - top;
  if (part.empty()) return {};
  for (int row = 0; row < part.height; ++row) {
    const std::uint8_t* first = pixel(left, top + row);
    part.rgba.insert(part.rgba.end(), first, first + 4 * static_cast<std::size_t>(part.width));
  }
  return part;
}

namespace {

/// The text chunk "Software", its length before it and its checksum behind it: what tells that a picture
/// is ours and may be replaced by a later one (profiler/report/file_signature.h). Between the header,
/// which takes so many bytes, and the rest.
constexpr std::string_view kMark{
    "\0\0\0\x10"
    "tEXtSoftware\0quintet"
    "\xf7\x3f\x81\xb4",
    28};
constexpr std::size_t kMarkAt = 33;

}  // namespace

Result<void> write_png(const Image& image, const std::string& path) {
  if (image.empty()) return fail("the picture has no pixels", "make the view larger", path);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgba.data(), 0, nullptr) == 0) {
    return fail(std::string("cannot be written: ") + png.message, "make the view smaller", path);
  }
  bytes.resize(size);
  bytes.insert(kMarkAt, kMark);
  return write_whole_file(path, bytes);
}

Result<Image> read_png(const std::string& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0) {
    return fail(std::string("cannot be read: ") + png.message, "name a PNG file", path);
  }
  png.format = PNG_FORMAT_RGBA;
  Image image;
  image.width = static_cast<int>(png.width);
  image.height = static_cast<int>(png.height);
  image.rgba.resize(PNG_IMAGE_SIZE(png));
  if (png_image_finish_read(&png, nullptr, image.rgba.data(), 0, nullptr) == 0) {
    return fail(std::string("is damaged: ") + png.message, "name another PNG file", path);
  }
  return image;
}

}  // namespace quintet::viewer
