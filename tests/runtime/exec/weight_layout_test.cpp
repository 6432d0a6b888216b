#include "runtime/exec/weight_layout.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

namespace quintet {
namespace {

std::vector<std::byte> bytes_of_numbers(const std::vector<float>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(float));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

TEST(WeightLayout, PutsTheOutputChannelsFirstAndTheInputChannelsLast) {
  // Height 1, width 2, 2 inputs, 3 outputs; the number says w, i and o as its digits.
  const Shape hwio{1, 2, 2, 3};
  const std::vector<float> of_hwio = {0, 1, 2, 10, 11, 12, 100, 101, 102, 110, 111, 112};
  const std::vector<float> of_krsc = {0, 10, 100, 110, 1, 11, 101, 111, 2, 12, 102, 112};
  EXPECT_EQ(krsc_from_hwio(bytes_of_numbers(of_hwio), hwio, sizeof(float)),
            bytes_of_numbers(of_krsc));
  EXPECT_EQ(hwio_from_krsc(bytes_of_numbers(of_krsc), hwio, sizeof(float)),
            bytes_of_numbers(of_hwio));
}

TEST(WeightLayout, PutsEveryElementOfManyTilesInItsPlace) {
  const Shape hwio{3, 5, 7, 71};
  const auto rows = static_cast<std::size_t>(hwio.elements() / hwio.dim(3));
  const auto columns = static_cast<std::size_t>(hwio.dim(3));
  std::vector<float> numbers(rows * columns);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  std::vector<float> turned(numbers.size());
  for (std::size_t at = 0; at < numbers.size(); ++at)
    turned[at % columns * rows + at / columns] = numbers[at];
  EXPECT_EQ(krsc_from_hwio(bytes_of_numbers(numbers), hwio, sizeof(float)),
            bytes_of_numbers(turned));
}

TEST(WeightLayout, ComesBackAsItWentInHalvesToo) {
  const Shape hwio{3, 5, 7, 71};
  std::vector<std::byte> halves(static_cast<std::size_t>(hwio.elements()) * 2);
  for (std::size_t i = 0; i < halves.size(); ++i)
    halves[i] = static_cast<std::byte>(i * 37 % 251);
  EXPECT_EQ(hwio_from_krsc(krsc_from_hwio(halves, hwio, 2), hwio, 2), halves);
}

TEST(WeightLayout, IsThatOfConvolutionWeightsAndWhatFollowsThem) {
  Tensor tensor;
  tensor.shape = Shape{3, 3, 4, 8};
  for (const TensorRole role : {TensorRole::weight, TensorRole::weight_gradient,
                                TensorRole::weight_copy, TensorRole::optimizer_state}) {
    tensor.role = role;
    EXPECT_TRUE(lies_as_krsc(tensor));
  }
  tensor.role = TensorRole::activation;
  EXPECT_FALSE(lies_as_krsc(tensor)) << "an image of rank 4 is no weight";
  tensor.role = TensorRole::weight;
  tensor.shape = Shape{16, 10};
  EXPECT_FALSE(lies_as_krsc(tensor)) << "a fully connected layer's lies as the plan has it";
}

}  // namespace
}  // namespace quintet
