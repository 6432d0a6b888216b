/// Thrown inside the reader where a file's tables contradict each other; read_trace turns it into
/// an Error.
#pragma once

#include <stdexcept>

namespace quintet {

class DamagedTrace : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace quintet
