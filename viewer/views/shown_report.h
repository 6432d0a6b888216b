/// The report that a view is to show, or why there is none.
#pragma once

#include "profiler/report/report.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// Of the main side; null where nothing is open or the report is not there yet, and then says so.
const Report* shown_report(ViewContext& context);

}  // namespace quintet::viewer
