/// The options that choose what runs the tasks, shared by every sub-command that prepares a run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/exec/backend.h"
#include "runtime/model/result.h"

namespace CLI {
class App;
}

namespace quintet {

struct ExecutorOptions {
  std::string name = "host";             ///< host or cuda
  std::string plans;                     ///< open_gpu's; cuda only
  std::string plan_search = "measured";  ///< first or measured; cuda only
  int connections = 0;              ///< of streams and GPU; 0 = as the environment says; cuda only
  std::vector<std::string> delays;  ///< LAYER=MICROSECONDS
};

/// `purpose`: what the sub-command wants an executor for, as its --help says it.
void add_executor_options(CLI::App& app, ExecutorOptions& options, const std::string& purpose);

/// Of the delays that were asked for. Errors: no LAYER=MICROSECONDS.
Result<LayerDelays> delays_of(const ExecutorOptions& options);

/// Errors: an unknown executor; those of delays_of and open_gpu.
Result<std::shared_ptr<Backend>> open_backend(const ExecutorOptions& options);

}  // namespace quintet
