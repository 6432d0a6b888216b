#include "runtime/host/openmp_pin.h"

#include <omp.h>

namespace quintet {

void pin_openmp_to_one_thread() {
  omp_set_dynamic(0);
  omp_set_num_threads(1);
}

}  // namespace quintet
