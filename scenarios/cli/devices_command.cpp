#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "runtime/host/host_device.h"
#include "scenarios/cli/command.h"

namespace quintet {

namespace {

/// Why this build lists no GPU.
constexpr const char* kNoGpu = "this build has no CUDA executor";

ExitCode list_devices(bool json) {
  const HostDevice host = describe_host();
  if (json) {
    const nlohmann::ordered_json out = {
        {"devices", nlohmann::ordered_json::array({{{"executor", "host"},
                                                    {"name", host.processor},
                                                    {"cores", host.cores},
                                                    {"memory_bytes", host.memory_bytes},
                                                    {"library", host.library}}})},
        {"missing", nlohmann::ordered_json::array({{{"executor", "cuda"}, {"reason", kNoGpu}}})}};
    fmt::print("{}\n", out.dump(2));
    return ExitCode::fine;
  }
  fmt::print("host   {}, {} cores, {:.1f} GiB, {}\n", host.processor, host.cores,
             static_cast<double>(host.memory_bytes) / 0x1p30, host.library);
  fmt::print("cuda   none: {}\n", kNoGpu);
  return ExitCode::fine;
}

}  // namespace

CommandAction add_devices(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "One JSON object on standard output");
  return [json] { return list_devices(*json); };
}

}  // namespace quintet
