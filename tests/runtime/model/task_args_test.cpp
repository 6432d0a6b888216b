#include "runtime/model/task_args.h"

#include <array>
#include <gtest/gtest.h>

namespace quintet {
namespace {

struct ThreeOperands : testing::Test {
  std::array<float, 2> input{1.0F, 2.0F};
  std::array<float, 2> output{};
  std::array<float, 1> counter{5.0F};
  std::array<std::byte, 16> scratch{};
  std::array<BoundOperand, 3> operands{
      BoundOperand{reinterpret_cast<std::byte*>(input.data()), 8, AccessMode::read},
      BoundOperand{reinterpret_cast<std::byte*>(output.data()), 8, AccessMode::write},
      BoundOperand{reinterpret_cast<std::byte*>(counter.data()), 4, AccessMode::update}};
  TaskArgs args{operands, scratch};
};

TEST_F(ThreeOperands, AreReachedBySlot) {
  EXPECT_EQ(args.size(), 3U);
  EXPECT_EQ(args.bytes(1), 8U);
  args.write<float>(1)[0] = args.read<float>(0)[1];
  *args.write<float>(2) = *args.read<float>(2) + 1.0F;
  EXPECT_EQ(output[0], 2.0F);
  EXPECT_EQ(counter[0], 6.0F);
  EXPECT_EQ(args.workspace().data(), scratch.data());
  EXPECT_EQ(args.workspace().size(), scratch.size());
}

TEST(TaskArgs, WithoutOperandsHasNoWorkspaceEither) {
  const TaskArgs none;
  EXPECT_EQ(none.size(), 0U);
  EXPECT_TRUE(none.workspace().empty());
}

#ifndef NDEBUG
TEST_F(ThreeOperands, DieWhenUsedAgainstTheirDeclaration) {
  EXPECT_DEATH((void)args.write<float>(0), "writes");
  EXPECT_DEATH((void)args.read<float>(1), "reads");
}
#endif

}  // namespace
}  // namespace quintet
