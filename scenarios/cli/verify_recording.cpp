#include "scenarios/cli/verify_recording.h"

#include <fmt/format.h>
#include <utility>

#include "profiler/trace/trace_reader.h"
#include "scenarios/cli/recorded_catalog.h"
#include "scenarios/lab/replanner.h"
#include "scenarios/verify/recorded_plan.h"

namespace quintet {

namespace {

bool asks_for_another(const PolicyOptions& options) {
  return !options.policy.empty() || !options.sync.empty() || !options.gradients.empty() ||
         !options.step.empty();
}

tl::unexpected<Error> in_recording(Error error, const std::string& file) {
  if (error.file.empty()) error.file = file;
  return tl::unexpected(std::move(error));
}

Result<Verification> proved(const std::string& subject, Result<ExecutionPlan> plan,
                            const std::string& file, const Trace* recorded) {
  if (!plan) return in_recording(plan.error(), file);
  Result<ProofReport> proof = prove(*plan);
  if (!proof) return in_recording(proof.error(), file);
  return verification_of(subject, std::move(*plan), std::move(*proof), recorded);
}

}  // namespace

bool means_recording(const std::string& word) {
  return means_recorded(word) || word.ends_with(".qtrace") || word.ends_with(".qtrace.gz");
}

Result<Verification> verify_recording(const std::string& word, const PolicyOptions& options) {
  const Result<std::string> file = recording_path(word);
  if (!file) return tl::unexpected(file.error());
  const Result<Trace> trace = read_trace(*file);
  if (!trace) return tl::unexpected(trace.error());
  if (!asks_for_another(options)) {
    Result<ExecutionPlan> plan = recorded_plan(*trace);
    const std::string policy = plan ? plan->policy : std::string{};
    return proved(fmt::format("{} as recorded under {}", word, policy), std::move(plan), *file,
                  &*trace);
  }
  const Result<Replanner> replanner = Replanner::of_trace(*trace);
  if (!replanner) return in_recording(replanner.error(), *file);
  Result<StreamPolicy> policy =
      options.policy.empty()
          ? Result<StreamPolicy>(with_knobs(options, replanner->policy()))
          : choose_policy(options, replanner->scenario(),
                          [&]() -> Result<PlanInput> { return replanner->input(); });
  if (!policy) return tl::unexpected(policy.error());
  return proved(fmt::format("{} planned again under {}", word, policy->name),
                replanner->plan(*policy), *file, nullptr);
}

}  // namespace quintet
