#include "profiler/compare/task_alignment.h"

#include <gtest/gtest.h>

#include "profiler/compare/comparison.h"
#include "tests/profiler/compare/compare_traces.h"
#include "tests/support/example_trace.h"

namespace quintet {
namespace {

using Names = std::vector<std::string>;

TEST(TaskAlignment, MatchesEveryTaskOfTwoPoliciesOneToOne) {
  ExampleOptions serial;
  serial.serial = true;
  const auto aligned = align_tasks({sampled(example_trace())}, {sampled(example_trace(serial))});
  EXPECT_EQ(aligned.size(), 29U);
  for (const AlignedTask& task : aligned) {
    EXPECT_EQ(task.names_a, Names{task.name});
    EXPECT_EQ(task.names_b, Names{task.name});
  }
}

TEST(TaskAlignment, HoldsAFusedTaskAgainstAllThatItCovers) {
  for (const bool fused_first : {false, true}) {
    const auto aligned =
        align_tasks({sampled(lowered_trace(fused_first))}, {sampled(lowered_trace(!fused_first))});
    ASSERT_EQ(aligned.size(), 1U);
    const AlignedTask& task = aligned.front();
    EXPECT_EQ(task.name, "conv1/CONV_FP32_FWD/Y");
    EXPECT_EQ((fused_first ? task.names_b : task.names_a),
              (Names{"conv1/CONV_FP32_FWD/Y", "relu1/RELU_FP32_FWD/Y"}));
  }
}

TEST(TaskAlignment, AddsUpTheWorkOfWhatIsAlignedTogether) {
  const Comparison comparison =
      compare_recordings({sampled(lowered_trace(false))}, {sampled(lowered_trace(true, 350))});
  ASSERT_EQ(comparison.tasks.size(), 1U);
  EXPECT_EQ(comparison.tasks.front().time.change.before, 400);
  EXPECT_EQ(comparison.tasks.front().time.change.after, 350);
}

TEST(TaskAlignment, KeepsShapeVariantsApart) {
  Trace tail = lowered_trace(true);
  tail.tasks.front().shape = "train_tail";
  const auto aligned = align_tasks({sampled(lowered_trace(true))}, {sampled(tail)});
  ASSERT_EQ(aligned.size(), 2U);
  EXPECT_FALSE(aligned[0].matched());
  EXPECT_FALSE(aligned[1].matched());
}

TEST(TaskAlignment, MatchesImportedKernelsByNameAndOccurrence) {
  const Comparison comparison = compare_recordings(
      {sampled(imported_trace({{"gemm", 0, 10, 0}, {"gemm", 50, 30, 0}, {"old", 90, 5, 0}}))},
      {sampled(imported_trace({{"gemm", 0, 11, 0}, {"gemm", 50, 60, 0}, {"new", 120, 7, 0}}))});
  EXPECT_EQ(comparison.by, AlignBy::kernel);
  ASSERT_EQ(comparison.tasks.size(), 2U);
  EXPECT_EQ(comparison.tasks.front().task.name, "gemm #2");
  EXPECT_EQ(comparison.tasks.front().time.change.difference.value, 30);
  ASSERT_EQ(comparison.only_a.size(), 1U);
  EXPECT_EQ(comparison.only_a.front().name, "old #1");
  ASSERT_EQ(comparison.only_b.size(), 1U);
  EXPECT_EQ(comparison.only_b.front().time_ns, 7);
}

TEST(TaskAlignment, IsByKernelAsSoonAsOneTraceIsImported) {
  EXPECT_EQ(alignment_of(example_trace(), example_trace()), AlignBy::task);
  EXPECT_EQ(alignment_of(example_trace(), imported_trace({})), AlignBy::kernel);
}

}  // namespace
}  // namespace quintet
