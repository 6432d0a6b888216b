#include "tests/runtime/exec/mapped_runs.h"

#include <cctype>
#include <utility>

namespace quintet::test {

namespace {

std::string test_name(const std::string& network, const TinyRun& run) {
  std::string name = network + "_" + std::string(name_of(run.precision)) + "_" +
                     std::string(name_of(run.lowering));
  for (char& c : name)
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

}  // namespace

std::vector<MappedRun> mapped_runs() {
  std::vector<MappedRun> all;
  for (const Lowering lowering : {Lowering::article, Lowering::fused}) {
    for (const auto& [network, precision] : {std::pair{"mlp", Precision::amp},
                                             {"lenet5", Precision::fp32},
                                             {"resnet18-twin", Precision::amp}}) {
      TinyRun run;
      run.network = network;
      run.batch = 8;
      run.train_samples = 60;
      run.test_samples = 8;
      run.train_steps = 50;
      run.precision = precision;
      run.optimizer = SgdHyper{.momentum = 0.9F, .weight_decay = 0.001F};
      run.lowering = lowering;
      all.push_back({test_name(network, run), run});
    }
  }
  return all;
}

}  // namespace quintet::test
