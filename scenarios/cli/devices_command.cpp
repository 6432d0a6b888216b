#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "runtime/host/host_device.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/standard_output.h"

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
    return print_output(out.dump(2) + "\n");
  }
  return print_output(
      fmt::format("host   {}, {} cores, {:.1f} GiB, oneDNN {}\n"
                  "cuda   none: {}\n",
                  host.processor, host.cores, static_cast<double>(host.memory_bytes) / 0x1p30,
                  host.library, kNoGpu));
}

}  // namespace

CommandAction add_devices(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "One JSON object on standard output");
  return [json] { return list_devices(*json); };
}

}  // namespace quintet
