#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "runtime/host/host_device.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/gpu.h"
#include "scenarios/cli/standard_output.h"

namespace quintet {

namespace {

using Json = nlohmann::ordered_json;

std::string json_text(const HostDevice& host, const Result<GpuReport>& found) {
  Json devices = Json::array({{{"executor", "host"},
                               {"name", host.processor},
                               {"cores", host.cores},
                               {"memory_bytes", host.memory_bytes},
                               {"library", host.library}}});
  Json missing = Json::array();
  if (!found) missing.push_back({{"executor", "cuda"}, {"reason", found.error().message}});
  for (const Gpu& gpu : found ? found->gpus : std::vector<Gpu>()) {
    devices.push_back({{"executor", "cuda"},
                       {"name", gpu.name},
                       {"compute_capability", gpu.compute},
                       {"multiprocessors", gpu.multiprocessors},
                       {"memory_bytes", gpu.memory_bytes},
                       {"driver", found->driver},
                       {"runtime", found->runtime},
                       {"cudnn", found->cudnn},
                       {"cublaslt", found->cublaslt},
                       {"nccl", found->nccl}});
  }
  return Json{{"devices", std::move(devices)}, {"missing", std::move(missing)}}.dump(2) + "\n";
}

std::string text(const HostDevice& host, const Result<GpuReport>& found) {
  std::string lines =
      fmt::format("host   {}, {} cores, {:.1f} GiB, oneDNN {}\n", host.processor, host.cores,
                  static_cast<double>(host.memory_bytes) / 0x1p30, host.library);
  if (!found) return lines + fmt::format("cuda   none: {}\n", to_string(found.error()));
  for (const Gpu& gpu : found->gpus) {
    lines += fmt::format("cuda   {}, compute capability {}, {} multiprocessors, {:.1f} GiB\n",
                         gpu.name, gpu.compute, gpu.multiprocessors,
                         static_cast<double>(gpu.memory_bytes) / 0x1p30);
  }
  return lines +
         fmt::format("       driver for CUDA {}, runtime {}, cuDNN {}, cuBLASLt {}, NCCL {}\n",
                     found->driver, found->runtime, found->cudnn, found->cublaslt, found->nccl);
}

ExitCode list_devices(bool json) {
  const HostDevice host = describe_host();
  const Result<GpuReport> gpus = describe_gpus();
  return print_output(json ? json_text(host, gpus) : text(host, gpus));
}

}  // namespace

CommandAction add_devices(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "One JSON object on standard output");
  return [json] { return list_devices(*json); };
}

}  // namespace quintet
