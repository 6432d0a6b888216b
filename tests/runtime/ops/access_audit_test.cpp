#include "tests/support/access_audit.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/ops/op_catalog.h"
#include "runtime/ops/task_parts.h"
#include "runtime/policy/memory_planner.h"
#include "tests/runtime/ops/planned_op.h"

namespace quintet {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kAuditedShapes = 8;

TEST(AccessAudit, EveryTaskOfEveryOpTouchesWhatItDeclares) {
  TestRandom random(21);
  int audited = 0;
  for (const OpDefinition& definition : op_catalog()) {
    for (int i = 0; i < kAuditedShapes; ++i) {
      const auto planned = plan_op(definition.kind, random);
      for (std::size_t k = 0; k < planned->tasks.size(); ++k) {
        if (!planned->kernels[k]) continue;  // host tasks: the executor's own code
        EXPECT_THAT(audit_accesses(planned->tasks[k], PlannedOp::kStream, planned->op_case.tensors,
                                   planned->memory, *planned->kernels[k], random.engine()()),
                    IsEmpty())
            << text_of(planned->op_case);
        ++audited;
      }
    }
  }
  EXPECT_GT(audited, 100);
}

/// What a faulty kernel does with its operands {X read, Y write}, both floats.
using Deed = void (*)(const float* x, std::uint64_t count, float* y, std::span<std::byte> scratch);

class FaultyKernel final : public HostKernel {
 public:
  explicit FaultyKernel(Deed deed) : deed_(deed) {}
  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    deed_(args.read<float>(0), args.bytes(0) / sizeof(float), args.write<float>(1),
          args.workspace());
  }

 private:
  Deed deed_;
};

/// A task that copies X to Y and declares just that, with 64 bytes of scratch.
std::vector<std::string> findings_of(Deed deed) {
  TensorTable tensors;
  const auto add = [&](RegionKind region) {
    Tensor tensor;
    tensor.shape = Shape{5, 4};
    tensor.region = region;
    return tensors.add(tensor);
  };
  const TensorId x = add(RegionKind::FEATURES);
  const TensorId y = add(RegionKind::FEATURES);
  add(RegionKind::FEATURES);  // a neighbour
  Task task = make_part(tensors, TaskPart::Y, {read_of(x), write_of(y)}, 0);
  task.name = "faulty";
  task.workspace_bytes = 64;
  std::array<std::uint64_t, kStreamCount> workspace{};
  workspace[index_of(StreamKind::COMP_1)] = 64;
  const MemoryPlan plan =
      plan_memory(tensors, {task}, GradientMode::separate, workspace, FeatureSharing::none);
  FaultyKernel kernel(deed);
  return audit_accesses(task, StreamKind::COMP_1, tensors, plan, kernel, 22);
}

TEST(AccessAudit, FindsNothingOnAKernelThatKeepsItsWord) {
  EXPECT_THAT(
      findings_of([](const float* x, std::uint64_t count, float* y, std::span<std::byte> scratch) {
        std::memcpy(scratch.data(), x, scratch.size());
        std::copy_n(x, count, y);
      }),
      IsEmpty());
}

TEST(AccessAudit, CatchesOneByteTooMany) {
  const auto findings =
      findings_of([](const float* x, std::uint64_t count, float* y, std::span<std::byte>) {
        std::copy_n(x, count, y);
        auto* const beyond = reinterpret_cast<std::byte*>(y + count);
        *beyond = ~*beyond;
      });
  // Y lies at 128 and has 80 bytes.
  EXPECT_THAT(findings, ::testing::Contains(HasSubstr(
                            "faulty changes byte 208 of FEATURES, which it does not declare")));
}

TEST(AccessAudit, CatchesAWriteToAnInput) {
  EXPECT_THAT(findings_of([](const float* x, std::uint64_t count, float* y, std::span<std::byte>) {
                std::copy_n(x, count, y);
                const_cast<float*>(x)[3] += 1.0F;
              }),
              ::testing::Contains(HasSubstr("of FEATURES, which it does not declare as written")));
}

TEST(AccessAudit, CatchesAWriteBeyondTheScratch) {
  EXPECT_THAT(
      findings_of([](const float* x, std::uint64_t count, float* y, std::span<std::byte> scratch) {
        std::copy_n(x, count, y);
        std::byte& beyond = scratch.data()[scratch.size()];
        beyond = ~beyond;
      }),
      ::testing::Contains(HasSubstr("a byte outside all regions")));
}

TEST(AccessAudit, CatchesAnOutputThatIsNotWhollyWritten) {
  EXPECT_THAT(findings_of([](const float* x, std::uint64_t count, float* y, std::span<std::byte>) {
                std::copy_n(x, count - 1, y);
              }),
              ElementsAre(HasSubstr("leaves byte 204 of FEATURES as it was")));
}

TEST(AccessAudit, CatchesAReadOfWhatIsNotDeclared) {
  EXPECT_THAT(
      findings_of([](const float* x, std::uint64_t count, float* y, std::span<std::byte>) {
        std::copy_n(x, count, y);
        std::memcpy(y, y + 32, sizeof(float));  // the neighbour
      }),
      ElementsAre(HasSubstr("faulty writes to byte 128 of FEATURES what depends on bytes")));
}

TEST(AccessAudit, CatchesScratchThatCarriesSomethingOver) {
  EXPECT_THAT(
      findings_of([](const float* x, std::uint64_t count, float* y, std::span<std::byte> scratch) {
        std::copy_n(x, count, y);
        std::memcpy(y, scratch.data(), sizeof(float));
      }),
      ElementsAre(HasSubstr("depends on bytes that it does not declare as read")));
}

}  // namespace

}  // namespace quintet
