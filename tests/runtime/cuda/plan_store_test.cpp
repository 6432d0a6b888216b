// Pinned plans survive on disk as they are, and a file that holds none says where and what to do.
#include "runtime/cuda/plan_store.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace quintet {
namespace {

using ::testing::HasSubstr;

class PlanStoreFile : public ::testing::Test {
 protected:
  PlanStoreFile()
      : folder_(std::filesystem::temp_directory_path() /
                ("quintet-plans-" + std::to_string(::getpid()) + "-" +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder_);
  }
  ~PlanStoreFile() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& text) const {
    const std::filesystem::path path = folder_ / "plans.tsv";
    std::ofstream(path) << text;
    return path;
  }

  std::filesystem::path folder_;
};

TEST_F(PlanStoreFile, HoldsWhatWasPutInItAfterAWayOverDisk) {
  PlanStore written(PlanSearch::first);
  written.put("conv a=1", "engine=3 knobs=2:1,5:0");
  written.put("matmul b=2", "id=66 tile=20");
  const std::filesystem::path path = folder_ / "new" / "plans.tsv";
  ASSERT_TRUE(written.save(path));
  PlanStore read(PlanSearch::measured);
  ASSERT_TRUE(read.load(path));
  EXPECT_EQ(read.size(), 2U);
  EXPECT_EQ(read.find("conv a=1"), "engine=3 knobs=2:1,5:0");
  EXPECT_EQ(read.find("matmul b=2"), "id=66 tile=20");
  EXPECT_EQ(read.find("conv a=2"), std::nullopt);
  EXPECT_EQ(read.hash(), written.hash());
  read.put("conv a=1", "engine=4 knobs=");
  EXPECT_NE(read.hash(), written.hash());
}

TEST_F(PlanStoreFile, IsEmptyWhereThereIsNoFileOrNothingInIt) {
  PlanStore plans(PlanSearch::first);
  EXPECT_TRUE(plans.load(folder_ / "none.tsv"));
  EXPECT_TRUE(plans.load(write("")));
  EXPECT_EQ(plans.size(), 0U);
}

TEST_F(PlanStoreFile, NamesTheLineThatIsNoPlan) {
  for (const char* broken : {"no tab", "\tplan without a key", "key without a plan\t"}) {
    PlanStore plans(PlanSearch::first);
    const auto loaded = plans.load(write(std::string("key\tplan\n") + broken + "\n"));
    ASSERT_FALSE(loaded) << broken;
    EXPECT_EQ(loaded.error().line, 2) << broken;
    EXPECT_THAT(loaded.error().file, HasSubstr("plans.tsv"));
    EXPECT_THAT(loaded.error().cure, HasSubstr("remove the line"));
  }
}

TEST_F(PlanStoreFile, SaysSoWhereItCannotBeWritten) {
  PlanStore plans(PlanSearch::first);
  plans.put("key", "plan");
  const std::filesystem::path below_a_file = write("") / "plans.tsv";
  const auto saved = plans.save(below_a_file);
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().message, HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace quintet
