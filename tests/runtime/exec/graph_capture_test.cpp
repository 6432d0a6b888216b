// What a capture refuses: work on the legacy default stream, a task that launches nothing; and that
// the proof on captured graphs bites.
#include "runtime/exec/graph_capture.h"

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_memory.h"
#include "runtime/exec/captured_proof.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

using testing::HasSubstr;

/// A planned LeNet-5 and its deep graph, whose tasks the tests replace by memsets.
class GraphCaptureTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (!has_gpu()) return;
    session_ = prepare_tiny({}, policy_with("renaissance-dataflow", SyncRule::dataflow,
                                            GradientMode::separate, StepMode::event_sync));
    context_.emplace(session_->plan().lanes);
    bytes_ = CudaMemory(MemoryKind::device, 256, "bytes of a test");
  }
  const ExecutionPlan& plan() const { return session_->plan(); }
  const TaskGraph& deep_graph() const {
    for (const auto& [key, graph] : plan().graphs) {
      if (key.graph == GraphId::DEEP_FWD_BWD) return graph;
    }
    throw std::logic_error("no deep graph");
  }
  void put_memset(StreamKind stream) {
    check(cudaMemsetAsync(bytes_.data(), 0, bytes_.bytes(), context_->on(stream).stream), "memset");
  }
  std::string failure_of(const TaskLauncher& launch) {
    GraphCapture capture(plan(), *context_);
    try {
      capture.capture(deep_graph(), launch);
    } catch (const CudaError& error) {
      return error.what();
    }
    return {};
  }

  std::unique_ptr<TrainingSession> session_;
  std::optional<DeviceContext> context_;
  CudaMemory bytes_;
};

TEST_F(GraphCaptureTest, NamesATaskThatWorksOnTheLegacyDefaultStream) {
  const TaskId victim = deep_graph().tasks[3].task;
  const std::string text = failure_of([&](TaskId task, StreamKind stream) {
    put_memset(stream);
    if (task == victim)
      check(cudaMemsetAsync(bytes_.data(), 0, 16, cudaStreamLegacy), "memset on the legacy stream");
  });
  EXPECT_THAT(text, HasSubstr(plan().task(victim).name));
  EXPECT_THAT(text, HasSubstr("memset on the legacy stream"));
}

TEST_F(GraphCaptureTest, NamesATaskThatLaunchesNothing) {
  const TaskId victim = deep_graph().tasks[5].task;
  const std::string text = failure_of([&](TaskId task, StreamKind stream) {
    if (task != victim) put_memset(stream);
  });
  EXPECT_THAT(text, HasSubstr(plan().task(victim).name + " launched nothing"));
}

TEST_F(GraphCaptureTest, CapturesAgainAfterAFailure) {
  EXPECT_NE(failure_of([](TaskId, StreamKind) {}), "");
  EXPECT_EQ(failure_of([&](TaskId, StreamKind stream) { put_memset(stream); }), "");
}

TEST_F(GraphCaptureTest, EveryDeletedEdgeIsMissedOrImplied) {
  const auto launch = [&](TaskId, StreamKind stream) { put_memset(stream); };
  const TaskGraph whole = deep_graph();
  std::size_t missed = 0;
  std::size_t implied = 0;
  for (std::size_t edge = 0; edge < whole.edges.size(); ++edge) {
    TaskGraph cut = whole;
    cut.edges.erase(cut.edges.begin() + static_cast<std::ptrdiff_t>(edge));
    GraphCapture capture(plan(), *context_);
    const CapturedProof proof = prove_captured(plan(), capture.capture(cut, launch));
    ++(proof.findings.empty() ? implied : missed);
  }
  GraphCapture capture(plan(), *context_);
  EXPECT_TRUE(prove_captured(plan(), capture.capture(whole, launch)).findings.empty());
  // Planned edges are transitively reduced: none is implied by the others.
  EXPECT_EQ(implied, 0U);
  EXPECT_EQ(missed, whole.edges.size());
  EXPECT_GT(missed, 0U);
}

}  // namespace
}  // namespace quintet::test
