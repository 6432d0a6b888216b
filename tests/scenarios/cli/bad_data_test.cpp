#include <filesystem>
#include <fmt/format.h>

#include "tests/runtime/data/idx_bytes.h"
#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;
using test::Bytes;

constexpr const char* kTrainImages = "data/train-images-idx3-ubyte";
constexpr const char* kTrainLabels = "data/train-labels-idx1-ubyte";
constexpr const char* kTestImages = "data/t10k-images-idx3-ubyte";
constexpr const char* kTestLabels = "data/t10k-labels-idx1-ubyte";

Bytes images(std::uint32_t count, std::uint32_t side = 28) {
  Bytes pixels(std::size_t{count} * side * side);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<std::uint8_t>(i * 7);
  return test::idx_bytes({count, side, side}, pixels);
}

Bytes labels(std::uint32_t count, std::uint8_t classes = 10) {
  Bytes values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<std::uint8_t>(i % classes);
  return test::idx_bytes({count}, values);
}

/// A small data set in files, whole before each test; a test spoils one file.
class BadData : public CliTest {
 protected:
  BadData() {
    fs::create_directory(folder_.file("data"));
    write(kTrainImages, images(40));
    write(kTrainLabels, labels(40));
    write(kTestImages, images(20));
    write(kTestLabels, labels(20));
    CliTest::write("s.toml",
                   with_line(scenario_text("fashion-mlp"), "directory", "directory = \"data\""));
  }

  void write(const std::string& name, const Bytes& bytes) const {
    CliTest::write(name, std::string(bytes.begin(), bytes.end()));
  }

  /// The line names the file that was spoilt, what is wrong and a cure.
  void expect_refused(const std::string& file, const std::string& fault) const {
    expect_refusal({"run", "s.toml"}, {file + ": ", fault, "; "});
  }
};

TEST_F(BadData, TheWholeSetTrains) {
  EXPECT_EQ(run_json({"run", "s.toml", "--json"}).at("losses").size(), 1U);
  write(std::string(kTrainImages) + ".gz", test::gzipped(images(40)));
  fs::remove(folder_.file(kTrainImages));
  EXPECT_EQ(run_json({"run", "s.toml", "--json"}).at("losses").size(), 1U);
}

TEST_F(BadData, MissingFilesAreNamed) {
  for (const char* file : {kTrainImages, kTrainLabels, kTestImages, kTestLabels}) {
    fs::rename(folder_.file(file), folder_.file("kept"));
    expect_refused(std::string(file) + ".gz", "no such file");
    fs::rename(folder_.file("kept"), folder_.file(file));
  }
  fs::rename(folder_.file("data"), folder_.file("elsewhere"));
  expect_refused("data/train-images-idx3-ubyte.gz", "no such file");
}

TEST_F(BadData, EmptyFilesAreNamed) {
  write(kTrainImages, Bytes());
  expect_refused(kTrainImages, "is empty");
  write(kTrainImages, images(40));
  write(kTestLabels, Bytes());
  expect_refused(kTestLabels, "is empty");
}

TEST_F(BadData, TruncatedFilesAreNamedWhereverTheyEnd) {
  const Bytes whole = images(40);
  for (const std::size_t size :
       {std::size_t{3}, std::size_t{15}, std::size_t{16}, whole.size() - 1}) {
    write(kTrainImages, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    expect_refused(kTrainImages, fmt::format("truncated: {} bytes of ", size));
  }
}

TEST_F(BadData, TruncatedGzipIsNamed) {
  const Bytes packed = test::gzipped(images(40));
  fs::remove(folder_.file(kTrainImages));
  const std::string file = std::string(kTrainImages) + ".gz";
  write(file, Bytes(packed.begin(), packed.end() - 9));
  expect_refused(file, "truncated");
  Bytes damaged = packed;
  damaged[packed.size() / 2] ^= 0xFF;
  write(file, damaged);
  expect_refused(file, "gzip data");
}

TEST_F(BadData, MislabelledFilesAreNamed) {
  write(kTrainImages, labels(40));
  expect_refused(kTrainImages, "holds labels (1 dimensions), not images (3)");
  write(kTrainImages, images(40));
  write(kTrainLabels, images(40));
  expect_refused(kTrainLabels, "holds images (3 dimensions), not labels (1)");
}

TEST_F(BadData, OtherFormatsAreNamed) {
  CliTest::write(kTrainImages, "PNG or whatever this may be, but no IDX at all\n");
  expect_refused(kTrainImages, "not with IDX's 00 00 08 03");
}

TEST_F(BadData, PartsThatDoNotBelongTogetherAreNamed) {
  write(kTrainLabels, labels(39));
  expect_refused(kTrainLabels, "39 labels for the 40 images");
  write(kTrainLabels, labels(40, 11));
  expect_refused(kTrainLabels, "label 10 of image 10 is not below 10");
  write(kTrainLabels, labels(40));
  write(kTestImages, images(20, 32));
  expect_refused("data", "training images are 28x28, test images 32x32");
}

TEST_F(BadData, VerifyReadsTheDataToo) {
  write(kTrainImages, Bytes());
  expect_refusal({"verify", "s.toml"}, {std::string(kTrainImages) + ": ", "is empty", "; "});
}

}  // namespace
}  // namespace quintet
