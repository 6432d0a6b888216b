/// Every network twin with every optimizer and precision, and what else changes the arithmetic: what
/// tests of whole runs go over, on every executor.
#pragma once

#include <string>
#include <vector>

#include "tests/support/tiny_session.h"

namespace quintet::test {

struct RuntimeCase {
  std::string name;
  TinyRun run;
};

std::vector<RuntimeCase> runtime_cases();

/// The case's name as GoogleTest takes it.
std::string test_name(const RuntimeCase& runtime_case);

}  // namespace quintet::test
