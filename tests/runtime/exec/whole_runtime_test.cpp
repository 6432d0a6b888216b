// Every network twin, optimizer and precision: proved race-free, and the same bits whatever the mapping.
#include <cctype>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "runtime/host/openmp_pin.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/linear_extension.h"
#include "tests/support/ordered_run.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

struct Case {
  std::string name;
  TinyRun run;
};

TinyRun twin(const std::string& network, const OptimizerHyper& optimizer, Precision precision,
             float learning_rate) {
  TinyRun run;
  run.network = network;
  run.batch = 6;
  run.train_samples = 32;
  run.test_samples = 8;
  run.train_steps = 12;
  run.optimizer = optimizer;
  run.precision = precision;
  run.learning_rate = learning_rate;
  return run;
}

std::vector<Case> cases() {
  const SgdHyper nesterov{.momentum = 0.9F, .weight_decay = 0.001F, .nesterov = true};
  const AdamHyper adam{.weight_decay = 0.001F};
  AdamWHyper adamw;
  adamw.weight_decay = 0.01F;
  const LarsHyper lars{.weight_decay = 0.001F, .trust = 0.02F};
  const auto fp32 = Precision::fp32;
  const auto amp = Precision::amp;
  std::vector<Case> all;
  for (const std::string network :
       {"lenet5", "mlp", "vgg16-twin", "vgg16-bn-twin", "resnet18-twin", "resnet50-twin"}) {
    all.push_back({network + " sgd fp32", twin(network, nesterov, fp32, 0.01F)});
    all.push_back({network + " adam amp", twin(network, adam, amp, 0.001F)});
    all.push_back({network + " lars amp", twin(network, lars, amp, 0.5F)});
    all.push_back({network + " adamw fp32", twin(network, adamw, fp32, 0.001F)});
  }
  TinyRun average = twin("resnet18-twin", nesterov, amp, 0.01F);
  average.ema = EmaHyper{0.9F};
  average.evaluate = EvaluationWeights::average;
  average.loss.smoothing = 0.1F;
  all.push_back({"resnet18-twin ema amp smoothing", average});
  TinyRun micro = twin("vgg16-bn-twin", adam, amp, 0.001F);
  micro.micro_batches = 3;
  all.push_back({"vgg16-bn-twin three micro-batches amp", micro});
  TinyRun micro_fp32 = twin("lenet5", nesterov, fp32, 0.01F);
  micro_fp32.micro_batches = 2;
  all.push_back({"lenet5 two micro-batches fp32", micro_fp32});
  for (Case fused : {Case{"lenet5 fused fp32", twin("lenet5", nesterov, fp32, 0.01F)},
                     Case{"mlp fused fp32", twin("mlp", adamw, fp32, 0.001F)},
                     Case{"vgg16-bn-twin fused amp", twin("vgg16-bn-twin", adam, amp, 0.001F)},
                     Case{"resnet18-twin fused fp32", twin("resnet18-twin", lars, fp32, 0.5F)}}) {
    fused.run.lowering = Lowering::fused;
    all.push_back(fused);
  }
  return all;
}

class WholeRuntime : public testing::TestWithParam<Case> {};

TEST_P(WholeRuntime, EveryRaceFreeMappingGivesTheSameBits) {
  const TinyRun& run = GetParam().run;
  const auto reference_session = prepare_tiny(
      run, policy_with("serial", SyncRule::dataflow, GradientMode::in_place, StepMode::host_sync));
  const Bits reference = run_on_streams(*reference_session);
  for (const double loss : reference.losses)
    ASSERT_TRUE(std::isfinite(loss));
  for (const std::string policy :
       {"serial", "renaissance-as-published", "renaissance", "renaissance-dataflow"}) {
    for (const SyncRule rule :
         {SyncRule::adjacent, SyncRule::adjacent_conflicts, SyncRule::dataflow}) {
      for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
        for (const StepMode mode :
             {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
          SCOPED_TRACE(policy + " " + std::string(name_of(rule)) + " " +
                       std::string(name_of(gradients)) + " " + std::string(name_of(mode)));
          const auto session = prepare_tiny(run, policy_with(policy, rule, gradients, mode));
          const auto proof = prove(session->plan());
          ASSERT_TRUE(proof) << to_string(proof.error());
          if (!proof->race_free()) {
            EXPECT_EQ(rule, SyncRule::adjacent)
                << proof->races.front().text << "; " << proof->races.front().cure;
            continue;
          }
          ASSERT_TRUE(run_on_streams(*session) == reference);
        }
      }
    }
  }
}

TEST_P(WholeRuntime, AnyOrderOfTheProvedGraphGivesTheSameBits) {
  TinyRun run = GetParam().run;
  run.train_steps = 6;
  const auto reference_session = prepare_tiny(
      run, policy_with("serial", SyncRule::dataflow, GradientMode::in_place, StepMode::host_sync));
  const Bits reference = run_on_streams(*reference_session);
  pin_openmp_to_one_thread();
  for (const StepMode mode : {StepMode::event_sync, StepMode::whole_step}) {
    for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
      const auto session = prepare_tiny(
          run, policy_with("renaissance-dataflow", SyncRule::dataflow, gradients, mode));
      const auto order = unroll(session->plan(), sequence_of(session->schedule()));
      ASSERT_TRUE(order) << to_string(order.error());
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const ExtensionMode kind = seed == 0 ? ExtensionMode::latest_first : ExtensionMode::random;
        ASSERT_TRUE(run_in_order(*session, *order, linear_extension(*order, kind, seed)) ==
                    reference)
            << name_of(mode) << " " << name_of(gradients) << " seed " << seed;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Twins, WholeRuntime, testing::ValuesIn(cases()), [](const auto& twin) {
  std::string name = twin.param.name;
  for (char& c : name)
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace quintet::test
