#include "profiler/report/report_header.h"

#include <cmath>
#include <fmt/format.h>
#include <initializer_list>

#include "profiler/report/format.h"
#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

std::string format_number_of(std::int64_t count) {
  return format_number(static_cast<double>(count));
}

/// "600 kernels, 4 copies, 0 fills; busy 10.0 ms of 40.2 ms, at most 2 at once"; empty where there
/// is no device.
std::string device_line(const DeviceWork& work) {
  if (work.record == DeviceWorkRecord::absent) return {};
  const DeviceSummary& all = work.all;
  std::string text;
  const bool some = all.timed.total() + all.untimed.total() > 0;
  if (work.record == DeviceWorkRecord::nodes || work.record == DeviceWorkRecord::mixed ||
      work.record == DeviceWorkRecord::unrelated ||
      (work.record == DeviceWorkRecord::unrecognised && some)) {
    text = fmt::format("{} kernels, {} copies, {} fills", format_number_of(all.timed.kernels),
                       format_number_of(all.timed.memcpys), format_number_of(all.timed.memsets));
    if (all.untimed.total() > 0) {
      text += fmt::format(", {} untimed", format_number_of(all.untimed.total()));
    }
  }
  if (work.record != DeviceWorkRecord::nodes) {
    text += (text.empty() ? "" : "; ") + std::string("busy time unknown: ");
    text += reason_of(work.record);
    if (all.open_graph_launches > 0) {
      text += fmt::format("; no upper bound: {} of {} graph launches have no end",
                          format_number_of(all.open_graph_launches),
                          format_number_of(all.graph_launches));
    } else if (all.graph_launches > 0 && work.record != DeviceWorkRecord::unrecognised) {
      text += fmt::format("; at most {} by {} graph launches",
                          format_duration(static_cast<double>(all.graph_busy_ns)),
                          format_number_of(all.graph_launches));
    }
    return text;
  }
  if (all.timed.total() == 0) return text;
  return text + fmt::format("; busy {} of {}, at most {} at once",
                            format_duration(static_cast<double>(all.busy_ns)),
                            format_duration(static_cast<double>(all.span_ns())), all.most_at_once);
}

/// "NVIDIA H200, 132 multiprocessors, driver 13.0, CUDA 13.0, cuDNN 9.19.0": what is told of it.
std::string gpu_line(const Report& report) {
  std::string text = report.said("gpu");
  if (text.empty()) return text;
  const auto add = [&](const char* key, const char* before, const char* behind) {
    const std::string value = report.said(key);
    if (!value.empty()) text += fmt::format(", {}{}{}", before, value, behind);
  };
  add("multiprocessors", "", " multiprocessors");
  if (report.said("connections") != "default") add("connections", "", " connections");
  add("cuda_driver", "driver ", "");
  add("cuda_runtime", "CUDA ", "");
  add("cudnn", "cuDNN ", "");
  return text;
}

/// "device, by CUPTI, drifted 1.20 us against host in 3.00 s (12 readings)"; clocks that nobody
/// compared are left out.
std::string clock_line(const Report& report) {
  std::string text;
  for (const ReportClock& clock : report.clocks) {
    if (clock.readings < 2) continue;
    text += fmt::format("{}{} drifted {}{} in {}, at most {} ({} readings)",
                        text.empty() ? "" : "; ", clock.name, clock.drift_ns < 0 ? "-" : "",
                        format_duration(std::abs(static_cast<double>(clock.drift_ns))),
                        format_duration(static_cast<double>(clock.over_ns)),
                        format_duration(static_cast<double>(clock.most_drift_ns)), clock.readings);
  }
  return text;
}

}  // namespace

std::string report_header(const Report& report) {
  std::string text;
  const auto line = [&text](const std::string& key, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<12}{}\n", key, visible_text(value));
  };
  const auto joined = [&report](std::initializer_list<const char*> keys) {
    std::string value;
    for (const char* key : keys) {
      const std::string part = report.said(key);
      if (part.empty()) continue;
      if (!value.empty()) value += ", ";
      value += part;
    }
    return value;
  };
  const std::string scenario = report.said("scenario");
  const std::string title = report.said("title");
  if (!title.empty()) text += visible_text(title) + "\n";
  if (title.empty()) {
    text += scenario.empty() ? "Recording\n" : visible_text(scenario) + "\n";
  } else {
    line("scenario", scenario);
  }
  line("memo", report.said("memo"));
  line("policy", joined({"policy", "step_mode", "sync", "gradients"}));
  line("executor", joined({"executor", "lowering", "machine"}));
  line("cpu", report.said("cpu"));
  line("gpu", gpu_line(report));
  std::string device = device_line(report.device);
  if (!device.empty() && report.state != RecordingState::complete)
    device += "; the recording is incomplete: more may have run";
  line("device", device);
  const bool generated = report.said("data_generated") == "true";
  line("data", report.said("data") + (generated ? ", generated" : ""));
  line("recorded", report.said("started"));
  line("clocks", clock_line(report));
  line("verdict", report.said("verdict"));
  line("probe", report.probe_notice());
  if (report.state != RecordingState::complete) {
    line("state", std::string(name_of(report.state)) + ": this recording is incomplete");
  }
  return text;
}

}  // namespace quintet
