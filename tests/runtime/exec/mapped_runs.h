/// Runs that tests of mappings on a GPU repeat under many policies.
#pragma once

#include <string>
#include <vector>

#include "tests/support/tiny_session.h"

namespace quintet::test {

struct MappedRun {
  std::string name;  ///< as GoogleTest takes it
  TinyRun run;
};

/// A network of each kind that is small enough for hundreds of runs, in each lowering: with a last
/// batch that is smaller, and long enough for the loss scale of AMP to have settled.
std::vector<MappedRun> mapped_runs();

}  // namespace quintet::test
