#include "runtime/model/shape.h"

#include <gtest/gtest.h>

#include "runtime/model/tensor.h"

namespace quintet {
namespace {

TEST(Shape, LaysDimensionsOutRowMajor) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(shape.strides(), (std::vector<std::int64_t>{12, 4, 1}));
  EXPECT_EQ(shape.elements(), 24);
  EXPECT_EQ(shape.extent(), 24);
  EXPECT_TRUE(shape.contiguous());
  EXPECT_EQ(shape.text(), "2x3x4");
}

TEST(Shape, OfRankZeroIsOneElement) {
  const Shape scalar;
  EXPECT_EQ(scalar.rank(), 0);
  EXPECT_EQ(scalar.elements(), 1);
  EXPECT_EQ(scalar.extent(), 1);
  EXPECT_EQ(scalar.text(), "scalar");
}

TEST(Shape, CountsNegativeAxesFromTheLast) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(shape.dim(0), 2);
  EXPECT_EQ(shape.dim(-1), 4);
  EXPECT_EQ(shape.dim(-3), 2);
  EXPECT_EQ(shape.stride(-2), 4);
}

TEST(Shape, WithHolesExtendsFurtherThanItsElements) {
  const Shape rows_of_a_wider_matrix({3, 4}, {10, 1});
  EXPECT_EQ(rows_of_a_wider_matrix.elements(), 12);
  EXPECT_EQ(rows_of_a_wider_matrix.extent(), 24);
  EXPECT_FALSE(rows_of_a_wider_matrix.contiguous());
}

TEST(Shape, BroadcastOccupiesWhatItAddresses) {
  const Shape broadcast({5, 4}, {0, 1});
  EXPECT_EQ(broadcast.elements(), 20);
  EXPECT_EQ(broadcast.extent(), 4);
  EXPECT_FALSE(broadcast.contiguous());
}

TEST(Shape, EqualityMindsStrides) {
  EXPECT_EQ((Shape{2, 3}), Shape({2, 3}, {3, 1}));
  EXPECT_NE((Shape{2, 3}), Shape({2, 3}, {1, 2}));
}

TEST(Tensor, OccupiesItsExtentTimesTheSizeOfItsType) {
  EXPECT_EQ((Tensor{.shape = {3, 5}, .dtype = DType::F32}).bytes(), 60U);
  EXPECT_EQ((Tensor{.shape = {3, 5}, .dtype = DType::F16}).bytes(), 30U);
  EXPECT_EQ((Tensor{.shape = Shape({3, 4}, {10, 1}), .dtype = DType::U8}).bytes(), 24U);
  EXPECT_EQ((Tensor{.dtype = DType::I64}).bytes(), 8U);
}

TEST(TensorTable, FollowsAChainOfViewsToTheStorage) {
  TensorTable tensors;
  const TensorId storage = tensors.add({.name = "pool/Y", .shape = {2, 2, 2, 3}});
  const TensorId flat = tensors.add({.name = "flat/Y", .shape = {2, 12}, .view_of = storage});
  const TensorId again = tensors.add({.name = "again/Y", .shape = {24}, .view_of = flat});
  EXPECT_EQ(tensors.storage_of(again).id, storage);
  EXPECT_EQ(tensors.storage_of(storage).id, storage);
  EXPECT_EQ(tensors[flat].name, "flat/Y");
}

}  // namespace
}  // namespace quintet
