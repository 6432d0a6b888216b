#include "tests/runtime/exec/runtime_cases.h"

#include <cctype>

namespace quintet::test {

namespace {

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

}  // namespace

std::vector<RuntimeCase> runtime_cases() {
  const SgdHyper nesterov{.momentum = 0.9F, .weight_decay = 0.001F, .nesterov = true};
  const AdamHyper adam{.weight_decay = 0.001F};
  AdamWHyper adamw;
  adamw.weight_decay = 0.01F;
  const LarsHyper lars{.weight_decay = 0.001F, .trust = 0.02F};
  const auto fp32 = Precision::fp32;
  const auto amp = Precision::amp;
  std::vector<RuntimeCase> all;
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
  for (RuntimeCase fused :
       {RuntimeCase{"lenet5 fused fp32", twin("lenet5", nesterov, fp32, 0.01F)},
        RuntimeCase{"mlp fused fp32", twin("mlp", adamw, fp32, 0.001F)},
        RuntimeCase{"mlp fused sgd amp", twin("mlp", nesterov, amp, 0.01F)},
        RuntimeCase{"lenet5 fused sgd amp", twin("lenet5", nesterov, amp, 0.01F)},
        RuntimeCase{"vgg16-bn-twin fused amp", twin("vgg16-bn-twin", adam, amp, 0.001F)},
        RuntimeCase{"resnet18-twin fused fp32", twin("resnet18-twin", lars, fp32, 0.5F)}}) {
    fused.run.lowering = Lowering::fused;
    all.push_back(fused);
  }
  return all;
}

std::string test_name(const RuntimeCase& runtime_case) {
  std::string name = runtime_case.name;
  for (char& c : name)
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

}  // namespace quintet::test
