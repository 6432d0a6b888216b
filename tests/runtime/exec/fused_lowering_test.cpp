// The fused lowering over whole networks: which tasks it makes, that they keep their word, and that
// the numbers are those of the article's lowering.
#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>

#include "runtime/host/openmp_pin.h"
#include "runtime/ops/host_kernel_catalog.h"
#include "runtime/policy/hazard_proof.h"
#include "tests/support/access_audit.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TinyRun tiny(const std::string& network, Precision precision, Lowering lowering) {
  TinyRun run;
  run.network = network;
  run.batch = 6;
  run.train_samples = 32;
  run.test_samples = 8;
  run.train_steps = 12;
  run.precision = precision;
  run.learning_rate = 0.01F;
  run.lowering = lowering;
  return run;
}

StreamPolicy policy() {
  return policy_with("renaissance-dataflow", SyncRule::dataflow, GradientMode::in_place,
                     StepMode::event_sync);
}

/// The stream of each task that is launched.
std::map<TaskId, StreamKind> streams_of(const ExecutionPlan& plan) {
  std::map<TaskId, StreamKind> streams;
  for (const auto& [key, graph] : plan.graphs) {
    for (const PlacedTask& placed : graph.tasks)
      streams[placed.task] = placed.stream;
  }
  return streams;
}

/// "name covers name", of the fused tasks of a sub-graph in a shape.
std::vector<std::string> fused_tasks(const ExecutionPlan& plan, GraphId graph,
                                     const std::string& shape) {
  std::vector<std::string> found;
  for (const Task& task : plan.tasks) {
    if (task.graph != graph || plan.shape(task.shape).name != shape || !task.fused_with) continue;
    found.push_back(task.covers.at(0) + " + " + task.covers.at(1));
  }
  return found;
}

TEST(FusedLowering, LetsTheFirstLayerOnEitherBatchAndEveryInputGradientDoTheWorkOfTheirRelu) {
  const auto session = prepare_tiny(tiny("lenet5", Precision::fp32, Lowering::fused), policy());
  const ExecutionPlan& plan = session->plan();
  for (const GraphId first : {GraphId::FIRST_LAYER_FWD_A, GraphId::FIRST_LAYER_FWD_B}) {
    EXPECT_THAT(fused_tasks(plan, first, "train"),
                ElementsAre("conv1/CONV_FP32_FWD/Y + relu1/RELU_FP32_FWD/Y"));
  }
  EXPECT_THAT(fused_tasks(plan, GraphId::DEEP_FWD_BWD, "train"),
              ElementsAre("conv2/CONV_FP32_FWD/Y + relu2/RELU_FP32_FWD/Y",
                          "fc1/FC_FP32_FWD/Y + relu3/RELU_FP32_FWD/Y",
                          "fc2/FC_FP32_FWD/Y + relu4/RELU_FP32_FWD/Y",
                          "loss/SOFTMAX_CE_FP32_FWD/Y + loss/SOFTMAX_CE_FP32_BWD/dX",
                          "fc3/FC_FP32_BWD/dX + relu4/RELU_FP32_BWD/dX",
                          "fc2/FC_FP32_BWD/dX + relu3/RELU_FP32_BWD/dX"));
  EXPECT_THAT(fused_tasks(plan, GraphId::INF_MAIN_B, "eval"),
              ElementsAre("conv1/CONV_FP32_FWD/Y + relu1/RELU_FP32_FWD/Y",
                          "conv2/CONV_FP32_FWD/Y + relu2/RELU_FP32_FWD/Y",
                          "fc1/FC_FP32_FWD/Y + relu3/RELU_FP32_FWD/Y",
                          "fc2/FC_FP32_FWD/Y + relu4/RELU_FP32_FWD/Y"));
}

TEST(FusedLowering, PutsAFusedTaskOnTheStreamOfItsProducer) {
  using Name = std::tuple<GraphId, ShapeId, std::string>;
  const auto article = prepare_tiny(tiny("lenet5", Precision::fp32, Lowering::article), policy());
  std::map<Name, StreamKind> of_producer;
  for (const auto& [id, stream] : streams_of(article->plan())) {
    const Task& task = article->plan().task(id);
    of_producer[{task.graph, task.shape, task.name}] = stream;
  }
  const auto session = prepare_tiny(tiny("lenet5", Precision::fp32, Lowering::fused), policy());
  const auto streams = streams_of(session->plan());
  int fused = 0;
  for (const Task& task : session->plan().tasks) {
    if (!task.fused_with) continue;
    EXPECT_EQ(streams.at(task.id), of_producer.at({task.graph, task.shape, task.name}))
        << task.name;
    ++fused;
  }
  EXPECT_GT(fused, 0);
}

struct NetworkCase {
  std::string network;
  Precision precision;
};

class FusedNetwork : public testing::TestWithParam<NetworkCase> {};

/// Of the small networks every task, of the twins the fused ones: the others are those of the
/// article's lowering.
TEST_P(FusedNetwork, HasAKernelForEveryTaskAndEachTouchesWhatItDeclares) {
  pin_openmp_to_one_thread();
  const auto session =
      prepare_tiny(tiny(GetParam().network, GetParam().precision, Lowering::fused), policy());
  const ExecutionPlan& plan = session->plan();
  const bool small = GetParam().network == "lenet5" || GetParam().network == "mlp";
  std::uint64_t seed = 1;
  int fused = 0;
  for (const auto& [id, stream] : streams_of(plan)) {
    const Task& task = plan.task(id);
    const auto kernel = make_host_kernel(task, plan.tensors);
    ASSERT_TRUE(kernel) << to_string(kernel.error());
    fused += task.fused_with ? 1 : 0;
    const std::string& shape = plan.shape(task.shape).name;
    if ((!task.fused_with && !small) || shape.ends_with("tail")) continue;
    EXPECT_THAT(audit_accesses(task, stream, plan.tensors, plan.memory, **kernel, ++seed),
                IsEmpty());
  }
  EXPECT_GT(fused, 3);
}

TEST_P(FusedNetwork, IsProvedRaceFreeAndGivesTheLossesAndWeightsOfTheArticlesLoweringToTheBit) {
  const NetworkCase& network = GetParam();
  const auto article =
      prepare_tiny(tiny(network.network, network.precision, Lowering::article), policy());
  const auto fused =
      prepare_tiny(tiny(network.network, network.precision, Lowering::fused), policy());
  EXPECT_EQ(fused->plan().lowering, Lowering::fused);
  EXPECT_LT(fused->plan().tasks.size(), article->plan().tasks.size());
  const auto proof = prove(fused->plan());
  ASSERT_TRUE(proof) << to_string(proof.error());
  EXPECT_TRUE(proof->race_free());
  const Bits wanted = run_on_streams(*article);
  const Bits got = run_on_streams(*fused);
  EXPECT_EQ(got.losses, wanted.losses);
  EXPECT_TRUE(got.weights == wanted.weights);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, FusedNetwork,
    testing::Values(NetworkCase{"lenet5", Precision::fp32}, NetworkCase{"lenet5", Precision::amp},
                    NetworkCase{"mlp", Precision::fp32}, NetworkCase{"mlp", Precision::amp},
                    NetworkCase{"vgg16-bn-twin", Precision::fp32},
                    NetworkCase{"vgg16-bn-twin", Precision::amp},
                    NetworkCase{"resnet18-twin", Precision::fp32},
                    NetworkCase{"resnet18-twin", Precision::amp}),
    [](const auto& tested) {
      std::string name = tested.param.network + "_" + std::string(name_of(tested.param.precision));
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace quintet::test
