#include "viewer/model/timeline/bookmarks.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace quintet::viewer {
namespace {

namespace fs = std::filesystem;

class Bookmarks : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "quintet-notes-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string recording() const { return folder_ + "/run.qtrace"; }
  void write(const std::string& text) const {
    std::ofstream(notes_path(recording()), std::ios::binary) << text;
  }
  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  std::string folder_;
};

TEST_F(Bookmarks, ComeBackAsTheyWereSaved) {
  std::vector<Bookmark> bookmarks;
  insert_bookmark(bookmarks, {500, 700, "why \"this\" gap?\nsee dW", "conv1/CONV_FP32_BWD/dW"});
  insert_bookmark(bookmarks, {-9'000'000'000'000'000'000, 3, "", ""});
  insert_bookmark(bookmarks, {100, 100, "\xC3\xBC und \xE6\xBC\xA2", ""});
  ASSERT_TRUE(save_bookmarks(recording(), bookmarks));
  const BookmarkFile file = load_bookmarks(recording());
  EXPECT_TRUE(file.findings.empty());
  EXPECT_EQ(file.bookmarks, bookmarks);
  EXPECT_EQ(file.bookmarks.front().end_ns, 3);
}

TEST_F(Bookmarks, AreNoneWhereThereIsNoFile) {
  const BookmarkFile file = load_bookmarks(recording());
  EXPECT_TRUE(file.bookmarks.empty());
  EXPECT_TRUE(file.findings.empty());
}

TEST_F(Bookmarks, KeepADamagedFileAndSaySo) {
  for (const std::string& damage :
       {std::string("{\"format\":\"quintet-no"), std::string("[1,2]"), std::string("\0\xff", 2),
        std::string(R"({"format":"quintet-notes","version":7,"bookmarks":[]})"),
        std::string(R"({"format":"quintet-notes","version":1,"bookmarks":3})"), std::string()}) {
    write(damage);
    const BookmarkFile file = load_bookmarks(recording());
    ASSERT_EQ(file.findings.size(), 1U) << damage;
    EXPECT_EQ(file.findings[0].name, "damaged_notes");
    EXPECT_EQ(read(notes_path(recording())), damage);
  }
  // Saving puts each aside under a name of its own.
  write("first");
  ASSERT_TRUE(save_bookmarks(recording(), {{1, 2, "new", ""}}));
  write("second");
  ASSERT_TRUE(save_bookmarks(recording(), {{1, 2, "new", ""}}));
  EXPECT_EQ(read(notes_path(recording()) + ".damaged"), "first");
  EXPECT_EQ(read(notes_path(recording()) + ".damaged-2"), "second");
  EXPECT_EQ(load_bookmarks(recording()).bookmarks.size(), 1U);
}

TEST_F(Bookmarks, AreReadWhereOthersMakeNoSense) {
  write(R"({"format":"quintet-notes","version":1,"bookmarks":[
    {"begin_ns":5,"note":"kept"},{"begin_ns":"x","note":"odd"},7,{"note":"no time"}]})");
  const BookmarkFile file = load_bookmarks(recording());
  ASSERT_EQ(file.bookmarks.size(), 1U);
  EXPECT_EQ(file.bookmarks[0].note, "kept");
  EXPECT_EQ(file.bookmarks[0].end_ns, 5);
  ASSERT_EQ(file.findings.size(), 1U);
  EXPECT_EQ(file.findings[0].count, 3);
}

TEST_F(Bookmarks, SayWhyTheyCannotBeSaved) {
  const auto saved = save_bookmarks(folder_ + "/none/run.qtrace", {});
  ASSERT_FALSE(saved);
  EXPECT_FALSE(saved.error().message.empty());
}

}  // namespace
}  // namespace quintet::viewer
