/// Which worker to start, and where.
#pragma once

#include <string>
#include <vector>

#include "runtime/model/result.h"

namespace quintet {

struct WorkerLaunch {
  std::string
      program;  ///< path of quintet; empty = beside this program, else on the PATH. On `host`: "quintet"
  std::string
      host;  ///< empty = here; else what ssh takes: "user@machine", a name of its configuration
  std::string
      folder;  ///< where it works, and recordings go; empty = here as this process, there the home folder
  std::vector<std::string> ssh = {
      "ssh"};  ///< the program that connects, and options of it, which come before ours
};

/// Program and arguments. No shell on this machine reads any of them; that of `host` gets them quoted.
/// Errors: a host that ssh would take for an option.
Result<std::vector<std::string>> command_of(const WorkerLaunch& launch);

}  // namespace quintet
