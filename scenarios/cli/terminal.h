/// What the terminal on standard output can show.
#pragma once

#include "profiler/report/text_report.h"

namespace quintet {

/// Width of the terminal (100 where standard output is none), Unicode where the locale says UTF-8.
TextOptions terminal_options();

}  // namespace quintet
