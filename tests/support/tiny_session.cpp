#include "tests/support/tiny_session.h"

#include <cstdio>
#include <cstdlib>

#include "runtime/data/generated_images.h"
#include "runtime/network/network_catalog.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet::test {

namespace {

template <class T>
T value_or_die(Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", to_string(result.error()).c_str());
  std::abort();
}

Bits bits_of_run(const TrainingSession& session, const StepIo& io, Executor& executor) {
  const std::int64_t steps =
      StepRunner(executor, nullptr).run(session.schedule(), [](std::int64_t, StepRun&) {}, {});
  Bits bits;
  for (std::int64_t step = 0; step < steps; ++step)
    bits.losses.push_back(io.result(step).loss);
  bits.weights = session.weights(executor);
  return bits;
}

}  // namespace

StreamPolicy policy_with(const std::string& name, SyncRule sync, GradientMode gradients,
                         StepMode step) {
  StreamPolicy policy = value_or_die(find_policy(name));
  policy.sync = sync;
  policy.gradients = gradients;
  policy.step = step;
  return policy;
}

Result<std::unique_ptr<TrainingSession>> try_prepare_tiny(const TinyRun& run,
                                                          const StreamPolicy& policy,
                                                          std::shared_ptr<Backend> backend) {
  DataSource source;
  source.seed = run.seed;
  source.generated.train = run.train_samples;
  source.generated.test = std::max<std::int64_t>(1, run.test_samples);
  TrainingSpec spec;
  NetworkInput input;
  input.hidden = {48, 32};
  spec.network = value_or_die(make_network(run.network, input));
  spec.seed = run.seed;
  spec.precision = run.precision;
  spec.optimizer = run.optimizer;
  spec.loss = run.loss;
  spec.ema = run.ema;
  spec.evaluate = run.evaluate;
  spec.micro_batches = run.micro_batches;
  spec.lowering = run.lowering;
  spec.length.micro_batches = run.micro_batches;
  spec.length.train_samples = run.train_samples;
  spec.length.test_samples = run.test_samples;
  spec.length.batch = run.batch;
  spec.length.resident_input = run.resident_input;
  spec.length.epochs = 1000;
  spec.length.max_train_steps = run.train_steps;
  for (std::int64_t step = 0; step < run.train_steps; ++step) {
    spec.learning_rates.push_back(run.learning_rate * (1 + 0.05F * static_cast<float>(step % 7)));
  }
  auto data = std::make_shared<DatasetPair>(value_or_die(open_generated_images(source)));
  return TrainingSession::prepare(std::move(spec), std::move(data), policy, std::move(backend));
}

std::unique_ptr<TrainingSession> prepare_tiny(const TinyRun& run, const StreamPolicy& policy,
                                              std::shared_ptr<Backend> backend) {
  return value_or_die(try_prepare_tiny(run, policy, std::move(backend)));
}

Bits run_on_streams(TrainingSession& session, TaskHook before_task) {
  StepIo io = session.make_io();
  const auto executor =
      make_host_executor(session.plan(), session.spec(), io, nullptr, std::move(before_task));
  return bits_of_run(session, io, *executor);
}

Bits run_on_backend(const TrainingSession& session) {
  StepIo io = session.make_io();
  const auto executor = session.make_executor(io, nullptr);
  return bits_of_run(session, io, *executor);
}

}  // namespace quintet::test
