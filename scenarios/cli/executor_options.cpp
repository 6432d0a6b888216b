#include "scenarios/cli/executor_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "runtime/exec/host_backend.h"
#include "scenarios/cli/gpu.h"

namespace quintet {

void add_executor_options(CLI::App& app, ExecutorOptions& options, const std::string& purpose) {
  app.add_option("--executor", options.name, purpose)->capture_default_str();
  app.add_option("--plans", options.plans,
                 "Where library plans chosen for the GPU are kept (default: the cache folder)");
  app.add_option("--plan-search", options.plan_search,
                 "How plans that are not kept yet are chosen: the fastest of a few, or the "
                 "library's first")
      ->check(CLI::IsMember({"first", "measured"}))
      ->capture_default_str();
}

Result<std::shared_ptr<Backend>> open_backend(const ExecutorOptions& options) {
  if (options.name == "host") return std::make_shared<HostBackend>();
  if (options.name == "cuda") {
    const bool first = options.plan_search == "first";
    return open_gpu(first ? PlanSearch::first : PlanSearch::measured, options.plans);
  }
  return fail(fmt::format("there is no executor '{}'", options.name),
              "use --executor host or cuda; quintet devices lists what this machine has");
}

}  // namespace quintet
