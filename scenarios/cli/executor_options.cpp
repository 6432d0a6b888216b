#include "scenarios/cli/executor_options.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>

#include "runtime/cuda/device_connections.h"
#include "runtime/exec/host_backend.h"
#include "scenarios/cli/gpu.h"
#include "scenarios/cli/option_checks.h"

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
  app.add_option("--connections", options.connections,
                 "Hardware queues that the streams of a GPU share (cuda): with fewer, waits "
                 "between streams "
                 "cost less (default: what CUDA_DEVICE_MAX_CONNECTIONS says, else CUDA's 8)")
      ->check(whole_number(1, kMostConnections));
}

Result<LayerDelays> delays_of(const ExecutorOptions& options) {
  LayerDelays delays;
  for (const std::string& text : options.delays) {
    const std::size_t equals = text.rfind('=');
    double microseconds = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = equals == std::string::npos || equals == 0
                            ? std::from_chars_result{nullptr, std::errc::invalid_argument}
                            : std::from_chars(text.data() + equals + 1, end, microseconds);
    if (parsed.ec != std::errc{} || parsed.ptr != end || microseconds <= 0 || microseconds > 1e6) {
      return fail(fmt::format("--delay {}: is no LAYER=MICROSECONDS", text),
                  "write for example --delay conv1=20 (more than 0, at most 1,000,000)");
    }
    delays[text.substr(0, equals)] = static_cast<std::int64_t>(microseconds * 1e3);
  }
  return delays;
}

namespace {

Result<std::shared_ptr<Backend>> open_named(const ExecutorOptions& options) {
  if (options.name == "host") return std::make_shared<HostBackend>();
  if (options.name == "cuda") {
    const bool first = options.plan_search == "first";
    return open_gpu(first ? PlanSearch::first : PlanSearch::measured, options.plans,
                    options.connections);
  }
  return fail(fmt::format("there is no executor '{}'", options.name),
              "use --executor host or cuda; quintet devices lists what this machine has");
}

}  // namespace

Result<std::shared_ptr<Backend>> open_backend(const ExecutorOptions& options) {
  const Result<LayerDelays> delays = delays_of(options);
  if (!delays) return tl::unexpected(delays.error());
  Result<std::shared_ptr<Backend>> backend = open_named(options);
  if (backend && !delays->empty()) (*backend)->set_delays(*delays);
  return backend;
}

}  // namespace quintet
