#include "viewer/model/timeline/task_look.h"

#include "profiler/analysis/span_class.h"
#include "profiler/report/format.h"

namespace quintet::viewer {

std::vector<TaskLook> task_looks(const Trace& trace) {
  const std::vector<SpanClass> classes = task_classes(trace);
  std::vector<TaskLook> looks;
  looks.reserve(trace.tasks.size());
  for (std::size_t task = 0; task < trace.tasks.size(); ++task) {
    const TraceTask& each = trace.tasks[task];
    TaskLook look;
    look.family = family_of(each, classes[task]);
    if (each.layer.empty()) {
      look.label = short_kernel_name(each.name);
      look.brief = look.label.substr(0, look.label.find_first_of("<("));
    } else {
      look.label = each.part.empty() ? each.layer : each.layer + " " + each.part;
      look.brief = each.part.empty() ? each.layer : each.part;
    }
    looks.push_back(std::move(look));
  }
  return looks;
}

}  // namespace quintet::viewer
